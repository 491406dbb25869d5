// The bytes of a source in pieces that end where a record ends: what is left over of one piece stands at the beginning of the next. A record may be
// of any length.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "keys/byte_source.hpp"

namespace sluice_keys {

class piece_reader {
public:
  piece_reader(const std::string& file, bool unpack) : source_(file, unpack) {}

  /// Begins a piece: what was left over. Returns how many bytes there are.
  [[nodiscard]] std::size_t begin(std::vector<char>& memory) {
    if (memory.size() < piece_bytes) memory.resize(piece_bytes);
    if (memory.size() < rest_.size()) memory.resize(rest_.size());
    std::copy(rest_.begin(), rest_.end(), memory.begin());
    const std::size_t have = rest_.size();
    rest_.clear();
    return have;
  }
  /// Adds to a piece of so many bytes what comes next, at least one byte, or nothing at the end. Returns how many there are now.
  [[nodiscard]] std::size_t more(std::vector<char>& memory, std::size_t have) {
    if (have == memory.size()) memory.resize(2 * have);
    const std::size_t some = source_.read(memory.data() + have, memory.size() - have);
    ended_ = some == 0;
    return have + some;
  }
  /// Ends a piece: so many bytes of it were used, and the others come again.
  void end(std::string_view piece, std::size_t used) {
    rest_.assign(piece.substr(used));
    offset_ += used;
  }

  [[nodiscard]] bool ended() const noexcept { return ended_; }
  /// Where the piece begins, in bytes of the source, unpacked.
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
  [[nodiscard]] const byte_source& source() const noexcept { return source_; }

private:
  static constexpr std::size_t piece_bytes = std::size_t{1} << 20;

  byte_source source_;
  std::string rest_;
  std::uint64_t offset_ = 0;
  bool ended_ = false;
};

}  // namespace sluice_keys
