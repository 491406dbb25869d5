// file: filters that stay. A file is written as a whole or not at all, has checksums over every byte, and is the same on every machine
// (docs/format.md).
//
//   sluice::save(f, "words.sluice", {.keys = sluice::key_kind::bytes});
//   sluice::filter again = sluice::load("words.sluice");
//   sluice::view there = sluice::view::map("words.sluice");       without reading it (view.hpp)
//
// growing_filter.hpp has the same for chains, keyed_filter.hpp for whatever a file has.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sluice/errors.hpp"
#include "sluice/file/contents.hpp"
#include "sluice/file/layout.hpp"
#include "sluice/file/replacement.hpp"
#include "sluice/file/write.hpp"
#include "sluice/filter.hpp"
#include "sluice/view.hpp"

namespace sluice {

/// What a file says beside the filter itself.
struct saved_as {
  key_kind keys;                   ///< lookups of another kind will be refused
  std::uint64_t planned_keys = 0;  ///< for which the filter was made; 0: not known
  double planned_fpr = 0;          ///< at so many keys; 0: not known
};

/// What a file of this filter will say. The spans point into the filter.
[[nodiscard]] inline file_contents contents_of(const filter& f, const saved_as& what) {
  return {.keys = what.keys,
          .filters = {{.params = f.params(),
                       .blocks = f.bytes(),
                       .overflowed = f.overflowed(),
                       .keys = f.keys_inserted(),
                       .planned_keys = what.planned_keys,
                       .planned_fpr = what.planned_fpr}}};
}

/// The filter that a file has, in memory of its own.
[[nodiscard]] inline filter filter_of(const stored_filter& stored) {
  return {stored.params,
          [&](std::span<std::byte> bytes) {
            std::copy(stored.blocks.begin(), stored.blocks.end(), bytes.begin());
            return stored.keys;
          },
          stored.overflowed};
}

/// How large a file of a filter with these parameters will be, before there is one. An exact list, whose length depends on the keys, comes to
/// it: give the number of its slots, a power of two, if it has any. Throws parameter_error.
[[nodiscard]] inline std::uint64_t file_bytes_for(const parameters& p, std::uint64_t list_slots = 0) {
  const parameters q = normalised(p);
  const std::uint64_t blocks = std::visit([](const auto& r) { return r.bytes(); }, recipe_for(q));
  return file::layout_for({{blocks, 8 * list_slots, file::subtables_of(q)}}).file_bytes;
}

/// The bytes of a file: for a network, a database, another process.
[[nodiscard]] inline std::vector<std::byte> to_bytes(const file_contents& contents) {
  const file::layout at = file::layout_of(contents);
  std::vector<std::byte> bytes(at.file_bytes);
  file::write_contents(contents, at, [&](std::uint64_t offset, std::span<const std::byte> part) {
    std::copy(part.begin(), part.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset));
  });
  return bytes;
}
[[nodiscard]] inline std::vector<std::byte> to_bytes(const filter& f, const saved_as& what) {
  return to_bytes(contents_of(f, what));
}

/// Writes into a replacement that is there already (whose lock others wait for); its commit() puts it in its place. The contents of a view should be
/// verified first: damaged bytes would get checksums that are right. Throws file_error.
inline void write(const file_contents& contents, file::replacement& into) {
  const file::layout at = file::layout_of(contents);
  into.resize(at.file_bytes);
  file::write_contents(contents, at,
                       [&](std::uint64_t offset, std::span<const std::byte> part) { into.write_at(offset, part); });
}
inline void save(const file_contents& contents, file::replacement& into, file::existing how = file::existing::replace) {
  write(contents, into);
  into.commit(how);
}
/// Throws file_error with the file and the reason; then what was there is there still.
inline void save(const filter& f, const std::string& path, const saved_as& what,
                 file::existing how = file::existing::replace) {
  file::replacement into(path);
  save(contents_of(f, what), into, how);
}

/// The filter of a file, verified, in memory of its own. Throws file_error, also for a chain: sluice::load_growing reads those.
[[nodiscard]] inline filter load(const std::string& path) {
  const view v = view::map(path);
  if (v.contents().grows) {
    throw file_error(path + " is a chain of filters that grows; load it as such, or map it");
  }
  v.verify();
  return filter_of(v.contents().filters.front());
}

}  // namespace sluice
