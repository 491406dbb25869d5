// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Files of sealed maps: written, read and mapped as those of filters are (src/file).
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "file/layout.hpp"
#include "file/mapping.hpp"
#include "file/parse.hpp"
#include "map/sealed_map_body.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/contents.hpp"
#include "sluice/extend/map.hpp"
#include "sluice/sealed_map.hpp"

namespace sluice::detail {

static_assert(extend::map_format_version == detail::file::version);

sealed_values::sealed_values(std::shared_ptr<const body> there, const file_contents& contents)
    : body_(std::move(there)),
      kind_(contents.kind),
      origin_(contents.origin),
      skipped_(contents.skipped),
      hash_(body_->params.seed, contents.origin) {}

sealed_values sealed_values::open(std::span<const std::byte> bytes, std::string name,
                                  std::shared_ptr<const void> owner) {
  const file_contents contents = file::parse(name, bytes, file::held::map);
  auto there = std::make_shared<const body>(contents.filters.front(), std::move(owner), std::move(name), bytes);
  return {std::move(there), contents};
}

sealed_values sealed_values::copy_of(const sealed_values& there) {
  stored_filter stored = there.body_->stored;
  const auto owned = std::make_shared<owned_map>(stored.blocks.size());
  owned->list.assign(stored.overflowed.slots.begin(), stored.overflowed.slots.end());
  owned->list_values.assign(stored.list_values.begin(), stored.list_values.end());
  std::copy(stored.blocks.begin(), stored.blocks.end(), owned->blocks.data());
  stored.blocks = {owned->blocks.data(), owned->blocks.size()};
  stored.overflowed.slots = owned->list;
  stored.list_values = owned->list_values;
  sealed_values copy = there;
  copy.body_ = std::make_shared<const body>(stored, owned, there.body_->file_name, std::span<const std::byte>{});
  return copy;
}

sealed_values sealed_values::map(const std::string& path) {
  const auto mapped = std::make_shared<const file::mapping>(path);
  return open(mapped->bytes(), path, mapped);
}

sealed_values sealed_values::load(const std::string& path) {
  const sealed_values there = map(path);
  there.verify();
  return copy_of(there);
}

sealed_values sealed_values::load(std::span<const std::byte> bytes, const std::string& name) {
  const sealed_values there = open(bytes, name, nullptr);
  there.verify();
  return copy_of(there);
}

sealed_values sealed_values::view(std::span<const std::byte> bytes, const std::string& name) {
  return open(bytes, name, nullptr);
}

file_contents sealed_values::contents() const {
  if (!kind_) {
    throw key_error("the map was built of digests; a file says what its keys are: set_kind(), bytes or integers");
  }
  return {.kind = *kind_, .filters = {body_->stored}, .origin = origin_, .skipped = skipped_};
}

void sealed_values::save(const std::string& path, existing how) const {
  verify();  // damaged bytes must not get checksums that are right
  extend::save(contents(), path, how);
}

void sealed_values::verify() const {
  if (body_->file_bytes.empty()) return;
  file::verify(body_->file_name, body_->file_bytes, file::parse(body_->file_name, body_->file_bytes, file::held::map));
}

std::vector<std::byte> sealed_values::to_bytes() const { return sluice::to_bytes(contents()); }

std::uint64_t sealed_values::size_bytes() const {
  const file_contents said{
      .kind = kind_.value_or(key_kind::bytes), .filters = {body_->stored}, .origin = origin_, .skipped = skipped_};
  return file::layout_of(said).file_bytes;
}

}  // namespace sluice::detail

namespace sluice {

bool detail::has_sealed_map(const std::string& path) {
  const detail::file::mapping mapped(path);
  return detail::file::held_in(path, mapped.bytes()) == detail::file::held::map;
}

}  // namespace sluice
