// file: filters that stay. A file is written as a whole or not at all, has checksums over every byte, and is the same on every machine
// (docs/format.md).
//
//   sluice::save(f, "words.sluice", {.keys = sluice::key_kind::bytes});
//   sluice::filter again = sluice::load("words.sluice");
//   sluice::view there = sluice::view::map("words.sluice");       without reading it (view.hpp)
//
// growing_filter.hpp has the same for chains, keyed_filter.hpp for whatever a file has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sluice/errors.hpp"
#include "sluice/file/contents.hpp"
#include "sluice/file/replacement.hpp"
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
[[nodiscard]] file_contents contents_of(const filter& f, const saved_as& what);

/// The filter that a file has, in memory of its own.
[[nodiscard]] filter filter_of(const stored_filter& stored);

/// How large a file of a filter with these parameters will be, before there is one. An exact list, whose length depends on the keys, comes to
/// it: give the number of its slots, a power of two, if it has any. Throws parameter_error.
[[nodiscard]] std::uint64_t file_bytes_for(const parameters& p, std::uint64_t list_slots = 0);

/// The bytes of a file: for a network, a database, another process.
[[nodiscard]] std::vector<std::byte> to_bytes(const file_contents& contents);
[[nodiscard]] std::vector<std::byte> to_bytes(const filter& f, const saved_as& what);

/// Writes into a replacement that is there already (whose lock others wait for); its commit() puts it in its place. The contents of a view should be
/// verified first: damaged bytes would get checksums that are right. Throws file_error.
void write(const file_contents& contents, file::replacement& into);
void save(const file_contents& contents, file::replacement& into, file::existing how = file::existing::replace);
/// Throws file_error with the file and the reason; then what was there is there still.
void save(const filter& f, const std::string& path, const saved_as& what, file::existing how = file::existing::replace);

/// The filter of a file, verified, in memory of its own. Throws file_error, also for a chain: sluice::load_growing reads those.
[[nodiscard]] filter load(const std::string& path);

}  // namespace sluice
