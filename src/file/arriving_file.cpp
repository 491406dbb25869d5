// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "sluice/extend/arriving_file.hpp"

#include <utility>

#include "file/layout.hpp"
#include "file/write.hpp"

namespace sluice::extend {

struct arriving_file::state {
  state(const stored_filter& whole, key_kind keys_are, const std::optional<key_origin>& made, write_function write)
      : kind(keys_are),
        origin(made),
        write_at(std::move(write)),
        at(detail::file::layout_for({{bytes_for(whole.params), whole.overflowed.slots.size(), 0}},
                                    detail::file::sections_of({.kind = keys_are, .origin = made}).size())),
        writer(at, write_at) {}

  key_kind kind;
  std::optional<key_origin> origin;
  write_function write_at;
  detail::file::layout at;
  detail::file::piece_writer<write_function> writer;
  std::uint64_t arrived = 0;
};

arriving_file::arriving_file(const stored_filter& whole, key_kind kind, const std::optional<key_origin>& origin,
                             write_function write_at)
    : state_(std::make_unique<state>(whole, kind, origin, std::move(write_at))) {}

arriving_file::~arriving_file() = default;

std::uint64_t arriving_file::bytes() const noexcept { return state_->at.file_bytes; }

void arriving_file::put(std::span<const std::byte> blocks) {
  state_->writer.put(state_->at.filters.front().blocks + state_->arrived, blocks);
  state_->arrived += blocks.size();
}

void arriving_file::finish(const stored_filter& whole) {
  const std::span<const std::byte> list = whole.overflowed.slots;
  if (!list.empty()) state_->writer.put(state_->at.filters.front().slots, list);
  std::move(state_->writer).finish({.kind = state_->kind, .filters = {whole}, .origin = state_->origin});
}

}  // namespace sluice::extend
