// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "commands/parts.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "commands/command.hpp"
#include "encoding.hpp"
#include "part_header.hpp"
#include "sluice/extend/names.hpp"

namespace sluice::redis {

namespace {

[[noreturn]] void refuse_elsewhere(const extend::filter_part& p, digest x) {
  const extend::part_description d = p.description();
  throw refusal("ERR this key belongs to part " + std::to_string(extend::page_cut(d.whole, d.parts).part_of(x)) +
                " of " + std::to_string(d.parts) + ", and here is part " + std::to_string(d.number));
}

void require_all_here(const extend::filter_part& p, std::span<const digest> keys) {
  for (const digest x : keys) {
    if (!p.has(x)) refuse_elsewhere(p, x);
  }
}

/// The part of a key, whose filter the client knows.
chain& require_part(const open_chain& key, const text* identity) {
  chain& c = require_complete(key);
  if (c.part() == nullptr) throw refusal("ERR the key holds a filter, not a part of one");
  const std::string ours =
      text_of_identity(identity_of({.part = c.part()->description(), .kind = c.key_kinds(), .origin = c.origin()}));
  if (view_of(identity) != ours) {
    throw refusal("ERR the part is one of another filter: its identity is " + ours);
  }
  return c;
}

std::vector<digest> digests_of(const text* argument) {
  const std::string_view bytes = view_of(argument);
  if (bytes.empty() || bytes.size() % sizeof(std::uint64_t) != 0) throw refusal("ERR digests have 8 bytes each");
  std::vector<digest> keys(bytes.size() / sizeof(std::uint64_t));
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(keys.data(), bytes.data(), bytes.size());
  } else {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      keys[i / 8].value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * (i % 8));
    }
  }
  return keys;
}

std::span<const std::byte> bytes_of_text(const text* argument) {
  const std::string_view bytes = view_of(argument);
  return std::as_bytes(std::span(bytes.data(), bytes.size()));
}

}  // namespace

void require_here(const chain& c, std::span<const std::string_view> items) {
  if (c.part() == nullptr) return;
  if (c.key_kinds() != key_kind::bytes) {
    throw refusal("ERR the keys are of kind " + std::string(name_of(c.key_kinds())) + "; items are bytes");
  }
  const key_hasher hash = c.hash();
  for (const std::string_view item : items) {
    const digest x = hash(item);
    if (!c.part()->has(x)) refuse_elsewhere(*c.part(), x);
  }
}

void reserve_part(context* ctx, text** arguments, int count) {
  require_arguments(count, 3, 3);
  open_chain key(ctx, arguments[1], open_to_read | open_to_write);
  if (key.holds() == holding::something_else) throw refusal(wrong_type);
  part_header said;
  try {
    said = parse_part_header(bytes_of_text(arguments[2]));
  } catch (const file_error& e) {
    throw refusal(std::string("ERR ") + e.what());
  }
  if (extend::is_sealed(said.part.whole)) {
    throw refusal("ERR a part of a sealed filter is not made empty; `sluice redis load` cuts a file");
  }
  said.part.keys = 0;
  said.arrived =
      extend::page_cut(said.part.whole, said.part.parts).bytes_of(said.part.number);  // zeros need no sending
  const std::vector<std::byte> header = encode(said);
  if (key.holds() == holding::filter) {
    // A client that lost its connection asks again: an equal part without keys is what it wants.
    const chain& there = *key.value();
    if (!there.complete() || encoded_header(there) != header) throw refusal(item_exists);
  } else {
    try {
      key.put(chain_from_header(header, room(ctx)));
    } catch (const memory_error& e) {
      throw no_memory_for_filter(e);
    }
    tell(ctx, "bloom.reserve", arguments[1]);
  }
  replicate_verbatim(ctx);  // also what is there already: see parts.hpp
  reply_word(ctx, "OK");
}

void add_digests(context* ctx, text** arguments, int count) {
  require_arguments(count, 4, 4);
  const open_chain key(ctx, arguments[1], open_to_read | open_to_write);
  chain& c = require_part(key, arguments[2]);
  require_not_sealed(c);
  const std::vector<digest> keys = digests_of(arguments[3]);
  require_all_here(*c.part(), keys);
  const std::uint64_t fresh = c.add_digests(keys);
  if (fresh != 0) {
    replicate_verbatim(ctx);
    tell(ctx, "bloom.add", arguments[1]);
  } else {
    // Of keys that are all there the first is enough: see parts.hpp.
    const std::string_view first = view_of(arguments[3]).substr(0, sizeof(std::uint64_t));
    replicate(ctx, "BF.DIGESTADD", "ssb", arguments[1], arguments[2], first.data(), first.size());
  }
  reply_integer(ctx, static_cast<long long>(fresh));
}

void digests_exist(context* ctx, text** arguments, int count) {
  require_arguments(count, 4, 4);
  const open_chain key(ctx, arguments[1], open_to_read);
  const chain& c = require_part(key, arguments[2]);
  const std::vector<digest> keys = digests_of(arguments[3]);
  require_all_here(*c.part(), keys);
  const std::vector<std::uint8_t> found = c.look_up_digests(keys);
  std::string bits((found.size() + 7) / 8, '\0');
  for (std::size_t i = 0; i < found.size(); ++i) {
    bits[i / 8] = static_cast<char>(static_cast<unsigned char>(bits[i / 8]) | found[i] << (i % 8));
  }
  reply_text(ctx, bits);
}

}  // namespace sluice::redis
