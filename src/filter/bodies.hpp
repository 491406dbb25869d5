// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// filter/bodies: what the owners of filters own, behind their headers: bytes, and an engine (filter/engine.hpp) that
// works on them. A body stays where it is while its owner is moved.
#pragma once

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

/// Folds what a body owns; make(parameters, bytes) is the engine of what is left. Memory and engine come first, so that
/// it is folded or has not changed. Precondition: no more than most_folds_of its parameters. Throws memory_error.
template <class Body, class MakeEngine>
void fold_body(Body& body, std::uint32_t times, const MakeEngine& make) {
  parameters smaller = folded_so_often(body.params, times);
  owned_bytes left(bytes_for(smaller), body.bytes.memory(), owned_bytes::to_be_written{});
  auto next = make(smaller, left);
  fold_bytes(body.params, body.bytes, times, left);
  body.params = std::move(smaller);
  body.bytes = std::move(left);
  body.engine = std::move(next);
}

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

  /// As fold_body. What it is planned for then is the planner's to say (plan/folded.hpp).
  void fold(std::uint32_t times) {
    fold_body(*this, times, [this](const parameters& smaller, owned_bytes& left) {
      auto next = make_engine(smaller, left.data());
      next->keys = engine->keys;
      return next;
    });
  }

  void set_moved(std::byte* to) noexcept {
    bytes.set_moved(to);
    engine->set_bytes(to);
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

  /// As fold_body; nobody uses the filter meanwhile.
  void fold(std::uint32_t times) {
    fold_body(*this, times, [](const parameters& smaller, owned_bytes& left) {
      return make_shared_engine(smaller, shared(left).data());
    });
  }

  parameters params;
  owned_bytes bytes;
  std::unique_ptr<taking_engine> engine;
};

}  // namespace sluice::detail
