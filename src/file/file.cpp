#include "sluice/file.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

#include "file/contents.hpp"
#include "file/layout.hpp"
#include "file/replacement.hpp"
#include "file/write.hpp"
#include "sluice/plan.hpp"

namespace sluice {

saved_as saved_as::of_plan(const plan_candidate& c, key_kind keys) {
  return {.keys = keys,
          .planned_keys = static_cast<std::uint64_t>(std::llround(c.keys)),
          .planned_fpr = c.predicted.fpr_exact};
}

namespace detail {

file_contents contents_of(const filter& f, const saved_as& what) {
  return {.keys = what.keys,
          .filters = {{.params = f.params(),
                       .blocks = f.bytes(),
                       .overflowed = f.overflowed(),
                       .keys = f.keys_inserted(),
                       .planned_keys = what.planned_keys != 0 ? what.planned_keys : f.planned_keys(),
                       .planned_fpr = what.planned_fpr != 0 ? what.planned_fpr : f.planned_fpr()}},
          .origin = what.origin};
}

file_contents contents_of(const growing_filter& f, key_kind keys) {
  file_contents contents{.keys = keys, .grows = f.params()};
  for (const growing_filter::link& l : f.chain()) {
    contents.filters.push_back(contents_of(l.filter, {keys, l.capacity, l.planned_fpr}).filters.front());
  }
  return contents;
}

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

growing_filter growing_filter_of(const file_contents& contents) {
  if (!contents.grows) throw parameter_error("growing filter: the file has one filter, which does not grow");
  std::vector<growing_filter::link> chain;
  chain.reserve(contents.filters.size());
  for (const stored_filter& f : contents.filters) chain.push_back({filter_of(f), f.planned_keys, f.planned_fpr});
  return {*contents.grows, std::move(chain)};
}

}  // namespace detail

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

std::vector<std::byte> to_bytes(const filter& f, const saved_as& what) { return to_bytes(contents_of(f, what)); }

void detail::file::write(const file_contents& contents, replacement& into) {
  const layout at = layout_of(contents);
  into.resize(at.file_bytes);
  write_contents(contents, at,
                 [&](std::uint64_t offset, std::span<const std::byte> part) { into.write_at(offset, part); });
}

void detail::file::save(const file_contents& contents, const std::string& path, existing how) {
  replacement into(path);
  write(contents, into);
  into.commit(how);
}

void save(const filter& f, const std::string& path, const saved_as& what, existing how) {
  detail::file::save(contents_of(f, what), path, how);
}

void save(const growing_filter& f, const std::string& path, key_kind keys, existing how) {
  detail::file::save(contents_of(f, keys), path, how);
}

filter load(const std::string& path) {
  const filter_file f = filter_file::map(path);
  if (f.grows()) {
    throw file_error(path + " is a chain of filters that grows; load it as such, or map it", error_code::bad_parameter);
  }
  f.verify();
  return detail::filter_of(f.contents().filters.front());
}

growing_filter growing_filter::load(const std::string& path) {
  const filter_file f = filter_file::map(path);
  if (!f.grows()) {
    throw file_error(path + " is one filter, not a chain that grows; load it as such", error_code::bad_parameter);
  }
  f.verify();
  return detail::growing_filter_of(f.contents());
}

}  // namespace sluice
