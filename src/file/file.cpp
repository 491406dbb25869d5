#include "sluice/file.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "file/layout.hpp"
#include "file/write.hpp"

namespace sluice {

file_contents contents_of(const filter& f, const saved_as& what) {
  return {.keys = what.keys,
          .filters = {{.params = f.params(),
                       .blocks = f.bytes(),
                       .overflowed = f.overflowed(),
                       .keys = f.keys_inserted(),
                       .planned_keys = what.planned_keys,
                       .planned_fpr = what.planned_fpr}}};
}

filter filter_of(const stored_filter& stored) {
  return {stored.params,
          [&](std::span<std::byte> bytes) {
            std::copy(stored.blocks.begin(), stored.blocks.end(), bytes.begin());
            return stored.keys;
          },
          stored.overflowed};
}

std::uint64_t file_bytes_for(const parameters& p, std::uint64_t list_slots) {
  return file::layout_for({{bytes_for(p), 8 * list_slots, file::subtables_of(p)}}).file_bytes;
}

std::vector<std::byte> to_bytes(const file_contents& contents) {
  const file::layout at = file::layout_of(contents);
  std::vector<std::byte> bytes(at.file_bytes);
  file::write_contents(contents, at, [&](std::uint64_t offset, std::span<const std::byte> part) {
    std::copy(part.begin(), part.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset));
  });
  return bytes;
}

std::vector<std::byte> to_bytes(const filter& f, const saved_as& what) { return to_bytes(contents_of(f, what)); }

void write(const file_contents& contents, file::replacement& into) {
  const file::layout at = file::layout_of(contents);
  into.resize(at.file_bytes);
  file::write_contents(contents, at,
                       [&](std::uint64_t offset, std::span<const std::byte> part) { into.write_at(offset, part); });
}

void save(const file_contents& contents, file::replacement& into, file::existing how) {
  write(contents, into);
  into.commit(how);
}

void save(const filter& f, const std::string& path, const saved_as& what, file::existing how) {
  file::replacement into(path);
  save(contents_of(f, what), into, how);
}

filter load(const std::string& path) {
  const view v = view::map(path);
  if (v.contents().grows) {
    throw file_error(path + " is a chain of filters that grows; load it as such, or map it");
  }
  v.verify();
  return filter_of(v.contents().filters.front());
}

}  // namespace sluice
