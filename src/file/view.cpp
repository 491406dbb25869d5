#include "sluice/view.hpp"

#include <utility>

#include "file/parse.hpp"
#include "sluice/file/mapping.hpp"

namespace sluice {

view::view(std::span<const std::byte> file, std::string name)
    : name_(std::move(name)),
      file_(file),
      contents_(file::parse(name_, file)),
      hash_(seed_of(contents_.filters.front().params)) {
  for (const stored_filter& f : contents_.filters) filters_.emplace_back(f.params, f.blocks, f.overflowed);
}

view view::map(const std::string& path) {
  auto mapped = std::make_shared<const file::mapping>(path);
  view result(mapped->bytes(), path);
  result.mapping_ = std::move(mapped);
  return result;
}

void view::verify() const { file::verify(name_, file_, contents_); }

std::uint64_t view::keys_inserted() const noexcept {
  std::uint64_t sum = 0;
  for (const stored_filter& f : contents_.filters) sum += f.keys;
  return sum;
}

std::vector<statistics> view::stats() const {
  std::vector<statistics> all;
  all.reserve(filters_.size());
  for (std::size_t i = 0; i < filters_.size(); ++i) all.push_back(filters_[i].stats(contents_.filters[i].keys));
  return all;
}

}  // namespace sluice
