// BF.SCANDUMP and BF.LOADCHUNK: a filter in pieces of at most 16 MiB, out of one server and into another. The number of
// a piece is the place after it: 1 for the header, then 1 + the bytes of data so far; 0 is the end.
//
// Pieces are taken in their order. Until the last one is there the filter is neither asked nor added to: what was added
// in between would be overwritten. Afterwards a piece that comes again is accepted if it is what is there already.
#include <algorithm>

#include "commands/command.hpp"
#include "encoding.hpp"
#include "settings.hpp"

namespace sluice::redis {

namespace {

constexpr const char* bad_data = "ERR received bad data";

/// A chain from the first chunk. What is replicated is the chain's own header, which has the seed.
void begin_loading(context* ctx, open_chain& key, text* name, std::span<const std::byte> header) {
  std::unique_ptr<chain> made;
  try {
    made = chain_from_header(header, room(ctx));
  } catch (const file_error& e) {
    log(ctx, "notice", "sluice: BF.LOADCHUNK: %s", e.what());
    throw refusal(bad_data);
  } catch (const memory_error& e) {
    throw no_memory_for_filter(e);
  } catch (const std::bad_alloc&) {
    throw refusal("ERR Insufficient memory to create filter");
  }
  made->set_arrived(0);
  const std::vector<std::byte> ours = encoded_header(*made);
  replicate(ctx, "BF.LOADCHUNK", "slb", name, 1LL, reinterpret_cast<const char*>(ours.data()), ours.size());
  key.put(std::move(made));
}

/// Does it come again, to one that still waits for its first data? A client that lost its connection sends it again.
bool is_its_header(const chain& c, std::span<const std::byte> header) {
  if (c.complete() || c.arrived() != 0) return false;
  const std::vector<std::byte> ours = encoded_header(c);
  return std::equal(ours.begin(), ours.end(), header.begin(), header.end());
}

void take_piece(chain& to, long long number, std::span<const std::byte> piece) {
  if (number <= 0 || static_cast<std::uint64_t>(number) < piece.size()) throw refusal(bad_data);
  const std::uint64_t end = static_cast<std::uint64_t>(number) - 1;
  if (piece.empty() || end < piece.size()) throw refusal(bad_data);
  const std::uint64_t begin = end - piece.size();
  const std::span<std::byte> room_for_it = to.data_to_write(begin);
  if (room_for_it.empty()) throw refusal("ERR invalid offset - no link found");
  if (piece.size() > room_for_it.size()) throw refusal("ERR invalid chunk - Too big for current filter");
  if (to.complete()) {
    if (!std::equal(piece.begin(), piece.end(), room_for_it.begin())) throw refusal(bad_data);
    return;
  }
  if (begin > to.arrived()) throw refusal("ERR invalid chunk - the one before it has not arrived");
  std::copy(piece.begin(), piece.end(), room_for_it.begin());
  to.set_arrived(std::max(to.arrived(), end));
}

}  // namespace

void scan_dump(context* ctx, text** arguments, int count) {
  require_arguments(count, 3, 3);
  const open_chain key(ctx, arguments[1], open_to_read);
  const chain& c = require_complete(key);
  long long number = 0;
  if (to_integer(arguments[2], &number) != ok) throw refusal("Second argument must be numeric");
  if (number == 0) {
    const std::vector<std::byte> header = encoded_header(c);
    reply_array(ctx, 2);
    reply_integer(ctx, 1);
    reply_text(ctx, std::span(header));
    return;
  }
  std::span<const std::byte> piece;
  if (number > 0) piece = c.data_at(static_cast<std::uint64_t>(number) - 1, most_chunk_bytes);
  reply_array(ctx, 2);
  reply_integer(ctx, piece.empty() ? 0 : number + static_cast<long long>(piece.size()));
  reply_text(ctx, piece);
}

void load_chunk(context* ctx, text** arguments, int count) {
  require_arguments(count, 4, 4);
  long long number = 0;
  if (to_integer(arguments[2], &number) != ok) throw refusal("ERR Second argument must be numeric");
  const std::string_view bytes = view_of(arguments[3]);
  const auto piece = std::as_bytes(std::span(bytes.data(), bytes.size()));
  open_chain key(ctx, arguments[1], open_to_read | open_to_write);
  if (key.holds() == holding::nothing && number == 1) {
    begin_loading(ctx, key, arguments[1], piece);
    tell(ctx, "bloom.reserve", arguments[1]);
  } else if (number != 1 || !is_its_header(require_filter(key), piece)) {
    take_piece(require_filter(key), number, piece);
    replicate_verbatim(ctx);
    tell(ctx, "bloom.add", arguments[1]);
  }
  reply_word(ctx, "OK");
}

}  // namespace sluice::redis
