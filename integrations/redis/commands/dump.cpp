// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// BF.SCANDUMP and BF.LOADCHUNK, CF.SCANDUMP and CF.LOADCHUNK: a filter in pieces of at most 16 MiB, out of one server
// and into another. The number of a piece is the place after it: 1 for the header, then 1 + the bytes of data so far; 0
// is the end.
//
// Pieces are taken in their order. Until the last one is there the filter is neither asked nor added to: what was added
// in between would be overwritten. Afterwards a piece that comes again is accepted if it is what is there already.
#include <algorithm>

#include "commands/command.hpp"
#include "encoding.hpp"
#include "settings.hpp"

namespace sluice::redis {

namespace {

/// What is said of numbers and bytes that are none: RedisBloom has other words for CF.*, and fewer.
struct dump_phrases {
  const char* bad_place;   ///< of SCANDUMP
  const char* bad_number;  ///< of LOADCHUNK
  const char* bad_header;
  const char* bad_data;
  const char* no_link;
  const char* too_big;
  const char* too_early;
};
constexpr dump_phrases bloom_phrases = {"Second argument must be numeric",
                                        "ERR Second argument must be numeric",
                                        "ERR received bad data",
                                        "ERR received bad data",
                                        "ERR invalid offset - no link found",
                                        "ERR invalid chunk - Too big for current filter",
                                        "ERR invalid chunk - the one before it has not arrived"};
constexpr const char* no_piece = "Couldn't load chunk!";
constexpr dump_phrases ledger_phrases = {
    "Invalid position", "Invalid position", "Couldn't create filter!", no_piece, no_piece, no_piece, no_piece};
[[nodiscard]] constexpr const dump_phrases& phrases_of(family of) noexcept {
  return of == family::ledger ? ledger_phrases : bloom_phrases;
}

/// A chain from the first chunk. What is replicated is the chain's own header, which has the seed.
void begin_loading(context* ctx, open_chain& key, text* name, std::span<const std::byte> header, family of) {
  std::unique_ptr<chain> made;
  try {
    made = chain_from_header(header, room(ctx), of);
  } catch (const file_error& e) {
    log(ctx, "notice", "sluice: %s: %s", loading_command(of), e.what());
    throw refusal(phrases_of(of).bad_header);
  } catch (const memory_error& e) {
    throw no_memory_for_filter(e);
  } catch (const std::bad_alloc&) {
    throw refusal("ERR Insufficient memory to create filter");
  }
  made->set_arrived(0);
  const std::vector<std::byte> ours = encoded_header(*made);
  replicate(ctx, loading_command(of), "slb", name, 1LL, reinterpret_cast<const char*>(ours.data()), ours.size());
  key.put(std::move(made));
}

/// Does it come again, to one that still waits for its first data? A client that lost its connection sends it again.
/// (RedisBloom's own is refused the second time: what we make of it has a seed of its own.)
bool is_its_header(const chain& c, std::span<const std::byte> header) {
  if (c.complete() || c.arrived() != 0) return false;
  const std::vector<std::byte> ours = encoded_header(c);
  return std::equal(ours.begin(), ours.end(), header.begin(), header.end());
}

void take_piece(chain& to, long long number, std::span<const std::byte> piece) {
  const dump_phrases& say = phrases_of(to.belongs_to());
  if (number <= 0 || static_cast<std::uint64_t>(number) < piece.size()) throw refusal(say.bad_data);
  const std::uint64_t end = static_cast<std::uint64_t>(number) - 1;
  if (piece.empty() || end < piece.size()) throw refusal(say.bad_data);
  const std::uint64_t begin = end - piece.size();
  const std::span<std::byte> room_for_it = to.data_to_write(begin);
  if (room_for_it.empty()) throw refusal(say.no_link);
  if (piece.size() > room_for_it.size()) throw refusal(say.too_big);
  if (to.complete()) {
    if (!std::equal(piece.begin(), piece.end(), room_for_it.begin())) throw refusal(say.bad_data);
    return;
  }
  if (begin > to.arrived()) throw refusal(say.too_early);
  std::copy(piece.begin(), piece.end(), room_for_it.begin());
  to.set_arrived(std::max(to.arrived(), end));
}

}  // namespace

template <family Of>
void scan_dump(context* ctx, text** arguments, int count) {
  constexpr bool ledgers = Of == family::ledger;
  require_arguments(count, 3, 3);
  const open_chain key(ctx, arguments[1], open_to_read, Of);
  const chain& c = require_complete(key);
  long long number = 0;
  if (to_integer(arguments[2], &number) != ok || (ledgers && number < 0)) throw refusal(phrases_of(Of).bad_place);
  const bool has_none = ledgers && c.keys() == 0;  // RedisBloom dumps nothing of such a filter without items
  if (number == 0 && !has_none) {
    const std::vector<std::byte> header = encoded_header(c);
    reply_array(ctx, 2);
    reply_integer(ctx, 1);
    reply_text(ctx, std::span(header));
    return;
  }
  std::span<const std::byte> piece;
  if (number > 0 && !has_none) piece = c.data_at(static_cast<std::uint64_t>(number) - 1, most_chunk_bytes);
  reply_array(ctx, 2);
  reply_integer(ctx, piece.empty() ? 0 : number + static_cast<long long>(piece.size()));
  if (ledgers && piece.empty()) {
    reply_null(ctx);
  } else {
    reply_text(ctx, piece);
  }
}
template void scan_dump<family::bloom>(context*, text**, int);
template void scan_dump<family::ledger>(context*, text**, int);

template <family Of>
void load_chunk(context* ctx, text** arguments, int count) {
  constexpr bool ledgers = Of == family::ledger;
  require_arguments(count, 4, 4);
  long long number = 0;
  if (to_integer(arguments[2], &number) != ok || (ledgers && number == 0)) throw refusal(phrases_of(Of).bad_number);
  const std::string_view bytes = view_of(arguments[3]);
  const auto piece = std::as_bytes(std::span(bytes.data(), bytes.size()));
  open_chain key(ctx, arguments[1], open_to_read | open_to_write, Of);
  if (key.holds() == holding::nothing && number == 1) {
    begin_loading(ctx, key, arguments[1], piece, Of);
    tell(ctx, ledgers ? "cuckoo.reserve" : "bloom.reserve", arguments[1]);
  } else if (number == 1 && is_its_header(require_filter(key), piece)) {
    replicate_verbatim(ctx);  // nothing changes, but the client may wait for replicas: see parts.hpp
  } else {
    if (ledgers && number == 1) throw refusal(item_exists);
    take_piece(require_filter(key), number, piece);
    replicate_verbatim(ctx);
    tell(ctx, ledgers ? "cuckoo.add" : "bloom.add", arguments[1]);
  }
  reply_word(ctx, "OK");
}
template void load_chunk<family::bloom>(context*, text**, int);
template void load_chunk<family::ledger>(context*, text**, int);

}  // namespace sluice::redis
