// filter/bodies: what the owners of filters own, behind their headers: bytes, and an engine (filter/engine.hpp) that
// works on them. A body stays where it is while its owner is moved.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <utility>

#include "filter/engine.hpp"
#include "filter/fold.hpp"
#include "sluice/detail/memory/storage.hpp"
#include "sluice/parameters.hpp"

namespace sluice::detail {

// Precondition of all: the parameters are normalised.

struct filter_body {
  filter_body(parameters p, std::pmr::memory_resource* memory)
      : params(std::move(p)), bytes(bytes_for(params), memory), engine(make_engine(params, bytes.data())) {}
  filter_body(const filter_body& other)
      : params(other.params),
        planned_keys(other.planned_keys),
        planned_fpr(other.planned_fpr),
        bytes(other.bytes),
        engine(make_engine(params, bytes.data(), other.engine->overflow())) {
    engine->keys = other.engine->keys;
  }
  filter_body& operator=(const filter_body&) = delete;
  filter_body(filter_body&&) = delete;
  filter_body& operator=(filter_body&&) = delete;
  ~filter_body() = default;

  /// Precondition: no more than most_folds_of(params). Throws memory_error, and has changed nothing.
  void fold(std::uint32_t times) {
    parameters smaller = folded_so_often(params, times);
    owned_bytes left(bytes_for(smaller), bytes.memory(), owned_bytes::to_be_written{});
    auto next = make_engine(smaller, left.data());
    next->keys = engine->keys;
    fold_bytes(params, bytes, times, left);
    params = std::move(smaller);
    bytes = std::move(left);
    engine = std::move(next);
    if (planned_keys != 0) planned_keys = std::max<std::uint64_t>(planned_keys >> times, 1);
  }

  parameters params;
  std::uint64_t planned_keys = 0;  // 0: not known
  double planned_fpr = 0;
  owned_bytes bytes;
  std::unique_ptr<detail::engine> engine;
};

struct view_body {
  view_body(parameters p, std::span<const std::byte> caller_owned, const overflow_state& overflowed)
      : params(std::move(p)), bytes(caller_owned), engine(make_view_engine(params, bytes.data(), overflowed)) {}

  parameters params;
  std::span<const std::byte> bytes;
  std::unique_ptr<const detail::engine> engine;
};

/// Of parameters that can_be_shared.
struct shared_body {
  shared_body(parameters p, std::pmr::memory_resource* memory)
      : params(std::move(p)), bytes(bytes_for(params), memory), engine(make_shared_engine(params, shared().data())) {}

  [[nodiscard]] std::span<shared_byte> shared() noexcept { return shared(bytes); }
  [[nodiscard]] static std::span<shared_byte> shared(owned_bytes& all) noexcept {
    return {reinterpret_cast<shared_byte*>(all.data()), all.size()};
  }

  /// As of filter_body; nobody uses the filter meanwhile.
  void fold(std::uint32_t times) {
    parameters smaller = folded_so_often(params, times);
    owned_bytes left(bytes_for(smaller), bytes.memory(), owned_bytes::to_be_written{});
    auto next = make_shared_engine(smaller, shared(left).data());
    fold_bytes(params, bytes, times, left);
    params = std::move(smaller);
    bytes = std::move(left);
    engine = std::move(next);
  }

  parameters params;
  owned_bytes bytes;
  std::unique_ptr<taking_engine> engine;
};

}  // namespace sluice::detail
