// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What `sluice dedup` remembers of the keys that it has seen: all of them, the last ones, or those of the last minutes.
// Filters, so that the memory is bounded by the keys' number and not by their length, and a new key is taken for an old
// one with the chance that the filter's rate says; an old one is never taken for a new one.
//
// A window has two generations:
//
//   older   full: the keys of the generation before, no longer written to
//   newer   takes every key that comes, also one that the older has, because it was just seen again
//
// When the newer is full, or old enough, it becomes the older, and what was the older is forgotten. So a window of N
// keys has the last N distinct keys at least and 2N at most; a window of a time T has what was seen within T at least,
// and nothing that was last seen before 2T.
//
// Every type here has first_time(digest): true if the key was not seen before, as far as is remembered. Then it is.
// Cost: one insertion, and in a window a lookup.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "sluice/filter.hpp"
#include "sluice/growing_filter.hpp"
#include "sluice/hash.hpp"

namespace sluice_cli {

/// All keys. `Filter` is a sluice::filter or a sluice::growing_filter.
template <class Filter>
class all_keys {
public:
  explicit all_keys(Filter empty) : filter_(std::move(empty)) {}

  [[nodiscard]] bool first_time(sluice::digest x) { return filter_.insert(x); }
  void prefetch(sluice::digest x) const noexcept {
    if constexpr (requires { filter_.prefetch(x); }) filter_.prefetch(x);
  }
  [[nodiscard]] Filter& filter() noexcept { return filter_; }

private:
  Filter filter_;
};

/// Two generations of filters: what both kinds of windows are made of.
template <class Filter>
class generations {
public:
  /// `fresh` makes an empty filter.
  explicit generations(std::function<Filter()> fresh) : fresh_(std::move(fresh)), newer_(fresh_()) {}

  [[nodiscard]] bool first_time(sluice::digest x) {
    const bool before = older_ && older_->may_contain(x);
    return newer_.insert(x) && !before;
  }
  void prefetch(sluice::digest x) const noexcept {
    if constexpr (requires { newer_.prefetch(x); }) {
      newer_.prefetch(x);
      if (older_) older_->prefetch(x);
    }
  }
  /// The newer is the older from now on.
  void turn() {
    older_ = std::move(newer_);
    newer_ = fresh_();
  }
  void forget() {
    older_.reset();
    newer_ = fresh_();
  }
  [[nodiscard]] const Filter& newer() const noexcept { return newer_; }

private:
  std::function<Filter()> fresh_;
  Filter newer_;
  std::optional<Filter> older_;
};

/// The last keys: `keys` distinct ones at least, twice as many at most.
class window_of_keys {
public:
  /// `fresh` makes an empty filter for this number of keys.
  window_of_keys(std::uint64_t keys, std::function<sluice::filter()> fresh)
      : keys_(keys), generations_(std::move(fresh)) {}

  [[nodiscard]] bool first_time(sluice::digest x) {
    const bool first = generations_.first_time(x);
    if (generations_.newer().keys_inserted() >= keys_) generations_.turn();
    return first;
  }
  void prefetch(sluice::digest x) const noexcept { generations_.prefetch(x); }

private:
  std::uint64_t keys_;
  generations<sluice::filter> generations_;
};

/// The keys of the last while: that long at least, twice as long at most.
class window_of_time {
public:
  using clock = std::chrono::steady_clock;

  window_of_time(clock::duration span, clock::time_point now, std::function<sluice::growing_filter()> fresh)
      : span_(span), begun_(now), generations_(std::move(fresh)) {}

  /// To be called before keys that come at this time.
  void at(clock::time_point now) {
    const auto ended = (now - begun_) / span_;  // generations, since the newer one began
    if (ended == 1) generations_.turn();
    if (ended > 1) generations_.forget();
    begun_ += ended * span_;
  }
  [[nodiscard]] bool first_time(sluice::digest x) { return generations_.first_time(x); }
  void prefetch(sluice::digest x) const noexcept { generations_.prefetch(x); }

private:
  clock::duration span_;
  clock::time_point begun_;  // the newer generation
  generations<sluice::growing_filter> generations_;
};

/// How many keys are dropped wrongly, in expectation, if P were printed and the rate was never higher than this: of
/// W + P keys that were new, each was taken for an old one with that chance at most, so that W <= rate (W + P).
[[nodiscard]] inline double expected_wrongly_dropped(double printed, double rate) {
  return printed * rate / (1 - rate);
}

}  // namespace sluice_cli
