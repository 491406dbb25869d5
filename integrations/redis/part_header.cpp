// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "part_header.hpp"

#include <algorithm>
#include <array>

#include "sluice/errors.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/extend/numbers.hpp"
#include "sluice/extend/single_header.hpp"

namespace sluice::redis {

namespace {

constexpr std::array<unsigned char, 8> magic = {0x89, 'S', 'L', 'B', 'P', '\r', '\n', 1};
constexpr std::size_t before_version = magic.size() - 1;
constexpr std::size_t number_at = 8;
constexpr std::size_t parts_at = 12;
constexpr std::size_t keys_at = 16;
constexpr std::size_t arrived_at = 24;
constexpr std::size_t file_header_at = 32;

void require(bool holds, const char* reason) {
  if (!holds) throw file_error(std::string("the header of a part: ") + reason, error_code::damaged);
}

/// The header of the file in it, which says how long it is.
std::span<const std::byte> file_header_in(std::span<const std::byte> bytes) {
  require(bytes.size() >= file_header_at, "it was cut off");
  const std::span<const std::byte> rest = bytes.subspan(file_header_at);
  const auto length = extend::single_header_bytes(rest);
  require(length && *length <= rest.size(), "it was cut off");
  return rest.first(length.value_or(0));
}

/// Of the part of a sealed filter, what follows the header of the file; of others nothing does.
overflow_state list_in(std::span<const std::byte> bytes, const parameters& whole) {
  if (!extend::is_sealed(whole)) {
    require(bytes.empty(), "something follows it");
    return {};
  }
  require(bytes.size() >= 8, "it was cut off");
  const auto slots = bytes.subspan(8);
  require(extend::number_at(bytes, 0, 8) == slots.size(), "the list is not as long as it says");
  return {.slots = slots, .keys = slots.size() / 8};
}

/// Of the whole filter, empty.
std::vector<std::byte> file_header_of(const part_header& h, const parameters& whole) {
  return extend::single_header_of(
      {.params = whole, .planned_keys = h.part.planned_keys, .planned_fpr = h.part.planned_fpr}, h.kind, h.origin);
}

}  // namespace

std::vector<std::byte> encode(const part_header& h) {
  const auto beginning = std::as_bytes(std::span(magic));
  std::vector<std::byte> out(beginning.begin(), beginning.end());
  extend::put_number(out, h.part.number, 4);
  extend::put_number(out, h.part.parts, 4);
  extend::put_number(out, h.part.keys, 8);
  extend::put_number(out, h.arrived, 8);
  const std::vector<std::byte> file_header = file_header_of(h, h.part.whole);
  out.insert(out.end(), file_header.begin(), file_header.end());
  if (extend::is_sealed(h.part.whole)) {
    const std::span<const std::byte> list = h.part.overflowed.slots;
    extend::put_number(out, list.size(), 8);
    out.insert(out.end(), list.begin(), list.end());
  }
  return out;
}

bool is_part_header(std::span<const std::byte> bytes) noexcept {
  const auto wanted = std::as_bytes(std::span(magic)).first(before_version);
  return bytes.size() >= magic.size() && std::equal(wanted.begin(), wanted.end(), bytes.begin());
}

part_header parse_part_header(std::span<const std::byte> bytes) {
  static const std::string name = "the header of a part";
  require(is_part_header(bytes), "it does not begin as one");
  if (bytes[before_version] != std::as_bytes(std::span(magic))[before_version]) {
    throw file_error("the header of a part: a version that is not known; a newer module may read it",
                     error_code::newer_version);
  }
  const std::span<const std::byte> file_header = file_header_in(bytes);
  const extend::announced_filter said = extend::parse_single_header(name, file_header, true);
  part_header h{.part = {.whole = said.filter.params,
                         .number = static_cast<std::uint32_t>(extend::number_at(bytes, number_at, 4)),
                         .parts = static_cast<std::uint32_t>(extend::number_at(bytes, parts_at, 4)),
                         .keys = extend::number_at(bytes, keys_at, 8),
                         .planned_keys = said.filter.planned_keys,
                         .planned_fpr = said.filter.planned_fpr,
                         .overflowed = list_in(bytes.subspan(file_header_at + file_header.size()), said.filter.params)},
                .kind = said.kind,
                .arrived = extend::number_at(bytes, arrived_at, 8),
                .origin = said.origin};
  require(said.filter.keys == 0 && said.slots_bytes == 0, "the whole filter is not empty");
  require(h.part.planned_keys >= 1 && h.part.planned_fpr > 0 && h.part.planned_fpr < 1, "a filter without a plan");
  try {
    const extend::page_cut cut(h.part.whole, h.part.parts);
    require(h.part.number < h.part.parts, "there is no such part");
    require(h.arrived <= cut.bytes_of(h.part.number), "more data has arrived than there is");
    cut.require_list(h.part.number, h.part.overflowed);
  } catch (const parameter_error& e) {
    require(false, e.what());
  }
  return h;
}

std::uint64_t identity_of(const part_header& h) {
  std::vector<std::byte> all = file_header_of(h, extend::united(h.part.whole));
  extend::put_number(all, h.part.parts, 4);
  return extend::hash_bytes(all.data(), all.size(), 0);
}

std::string text_of_identity(std::uint64_t identity) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = digits[identity >> (60 - 4 * i) & 15];
  return text;
}

}  // namespace sluice::redis
