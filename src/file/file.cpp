// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "sluice/file.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

#include "file/layout.hpp"
#include "file/write.hpp"
#include "sluice/extend/contents.hpp"
#include "sluice/plan.hpp"

namespace sluice {

saved_as saved_as::of_plan(const plan_candidate& c, key_kind kind) {
  return {.kind = kind,
          .planned_keys = static_cast<std::uint64_t>(std::llround(c.keys)),
          .planned_fpr = c.predicted.fpr_exact};
}

std::uint64_t filter_file::bytes_for(const parameters& p, std::uint64_t list_slots) {
  return detail::file::layout_for({{sluice::bytes_for(p), 8 * list_slots, detail::file::subtables_of(p)}}).file_bytes;
}

std::vector<std::byte> to_bytes(const file_contents& contents) {
  const detail::file::layout at = detail::file::layout_of(contents);
  std::vector<std::byte> bytes(at.file_bytes);
  detail::file::write_contents(contents, at, [&](std::uint64_t offset, std::span<const std::byte> part) {
    std::copy(part.begin(), part.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset));
  });
  return bytes;
}

std::vector<std::byte> to_bytes(const filter& f, const saved_as& what) {
  return to_bytes(extend::contents_of(f, what));
}

void save(const filter& f, const std::string& path, const saved_as& what, existing how) {
  extend::save(extend::contents_of(f, what), path, how);
}

void save(const growing_filter& f, const std::string& path, key_kind keys, existing how) {
  extend::save(extend::contents_of(f, keys), path, how);
}

filter load(const std::string& path) {
  const filter_file f = filter_file::map(path);
  if (f.grows()) {
    throw file_error(path + " is a chain that grows, not one filter; growing_filter::load and filter_file read it",
                     error_code::bad_parameter);
  }
  f.verify();
  return extend::filter_of(f.contents().filters.front());
}

growing_filter growing_filter::load(const std::string& path) {
  const filter_file f = filter_file::map(path);
  if (!f.grows()) {
    throw file_error(path + " is one filter, not a chain that grows; load and filter_file read it",
                     error_code::bad_parameter);
  }
  f.verify();
  return extend::growing_filter_of(f.contents());
}

}  // namespace sluice
