// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "sluice/extend/contents.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "file/layout.hpp"
#include "file/write.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/replacement.hpp"

namespace sluice::extend {

file_contents contents_of(const filter& f, const saved_as& what) {
  return {.kind = what.kind,
          .filters = {{.params = f.params(),
                       .blocks = f.bytes(),
                       .overflowed = f.overflow(),
                       .keys = f.keys_inserted(),
                       .planned_keys = what.planned_keys != 0 ? what.planned_keys : f.planned_keys(),
                       .planned_fpr = what.planned_fpr != 0 ? what.planned_fpr : f.planned_fpr()}},
          .origin = what.origin};
}

file_contents contents_of(const growing_filter& f, key_kind kind) {
  file_contents contents{.kind = kind, .grows = f.params()};
  for (const growing_filter::link& l : f.chain()) {
    contents.filters.push_back(contents_of(l.filter, {kind, l.capacity, l.planned_fpr}).filters.front());
  }
  return contents;
}

std::uint64_t file_bytes(const file_contents& contents) { return detail::file::layout_of(contents).file_bytes; }

std::uint32_t format_version(const file_contents& contents) { return detail::file::version_of(contents); }

void require_filter(const stored_filter& stored) {
  if (stored.value_bits != 0) throw parameter_error("this is a map of keys to values, not a filter");
}

filter filter_of(const stored_filter& stored, std::pmr::memory_resource* memory) {
  require_filter(stored);
  filter f(
      stored.params,
      [&](std::span<std::byte> bytes) {
        std::copy(stored.blocks.begin(), stored.blocks.end(), bytes.begin());
        return stored.keys;
      },
      stored.overflowed, memory);
  f.set_plan(stored.planned_keys, stored.planned_fpr);
  return f;
}

std::span<std::byte> blocks_of(filter& f) noexcept { return f.raw_bytes(); }
void set_moved_blocks(filter& f, std::byte* to) noexcept { f.set_moved(to); }

growing_filter growing_filter_of(const file_contents& contents) {
  if (!contents.grows) throw parameter_error("growing filter: the file has one filter, which does not grow");
  std::vector<growing_filter::link> chain;
  chain.reserve(contents.filters.size());
  for (const stored_filter& f : contents.filters) chain.push_back({filter_of(f), f.planned_keys, f.planned_fpr});
  return {*contents.grows, std::move(chain)};
}

void write(const file_contents& contents, replacement& into) {
  const detail::file::layout at = detail::file::layout_of(contents);
  into.resize(at.file_bytes);
  detail::file::write_contents(
      contents, at, [&](std::uint64_t offset, std::span<const std::byte> part) { into.write_at(offset, part); });
}

void save(const file_contents& contents, const std::string& path, existing how) {
  replacement into(path);
  write(contents, into);
  into.commit(how);
}

}  // namespace sluice::extend
