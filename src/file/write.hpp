// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// file/write: contents become the bytes of a file, and nothing is written that could not be read again: the checks of
// file/parse.hpp are run on what is about to be written, before the first byte of it.
// Cost: one pass over the bytes for checksums, and a search for every member of an exact list.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "file/checksum.hpp"
#include "file/layout.hpp"
#include "sluice/file.hpp"

namespace sluice::detail::file {

/// Throws parameter_error with the reader's reason for contents that it would refuse.
void require_readable(const file_contents& contents, const layout& at);

/// Writes a file a piece at a time: the data in its order, then finish(). write_at(offset, bytes) is called for every
/// piece, the header last, and not for zeros, which are there already.
template <class WriteAt>
class piece_writer {
public:
  piece_writer(const layout& at, const WriteAt& write_at) : at_(at), write_at_(write_at), position_(at.data_offset) {}

  /// Precondition: what lies between the last piece and this one are zeros.
  void put(std::uint64_t offset, std::span<const std::byte> bytes) {
    sums_.add_zeros(offset - position_);
    for (std::uint64_t done = 0; done < bytes.size();) {  // so that a piece is still in the cache when it is written
      const auto some = bytes.subspan(done, std::min<std::uint64_t>(bytes.size() - done, chunk_bytes / 4));
      sums_.add(some);
      write_at_(offset + done, some);
      done += some.size();
    }
    position_ = offset + bytes.size();
  }

  /// What the spans of the contents point to is not looked at.
  void finish(const file_contents& contents) && {
    const std::vector<std::uint64_t> chunks = std::move(sums_).finish();
    std::vector<std::byte> table(8 * chunks.size());
    for (std::size_t i = 0; i < chunks.size(); ++i) bits::store_word(table.data(), i, chunks[i]);
    write_at_(at_.header_bytes, table);
    write_at_(0, header_of(contents, at_, checksum(table)));
  }

private:
  const layout& at_;
  const WriteAt& write_at_;
  chunk_checksums sums_;
  std::uint64_t position_;
};

/// Writes a file with a piece_writer. Throws parameter_error before it writes anything.
template <class WriteAt>
void write_contents(const file_contents& contents, const layout& at, const WriteAt& write_at) {
  require_readable(contents, at);
  piece_writer<WriteAt> writer(at, write_at);
  for (std::size_t i = 0; i < contents.filters.size(); ++i) {
    const stored_filter& f = contents.filters[i];
    writer.put(at.filters[i].blocks, f.blocks);
    if (at.filters[i].slots == 0) continue;
    writer.put(at.filters[i].slots, f.overflowed.slots);
    writer.put(at.filters[i].slots + f.overflowed.slots.size(), f.list_values);
  }
  std::move(writer).finish(contents);
}

}  // namespace sluice::detail::file
