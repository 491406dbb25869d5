// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// A filter that counts the blocks that its operations read: sluice::filter's own counts, added up. Its lookups write
// numbers: do not share one between threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "sluice/filter.hpp"
#include "sluice/statistics.hpp"

namespace sluice {

class metered_filter : public filter {
public:
  using filter::filter;
  explicit metered_filter(filter f) : filter(std::move(f)) {}

  bool insert(const key auto& k) {
    const insert_outcome outcome = insert_and_count(k);
    if (outcome.was_new) inserts_.add(outcome.accesses);
    return outcome.was_new;
  }
  [[nodiscard]] bool may_contain(const key auto& k) const noexcept {
    const lookup_outcome outcome = probe(k);
    (outcome.found ? hits_ : misses_).add(outcome.accesses);
    return outcome.found;
  }
  template <bulk_keys Keys>
  std::uint64_t insert_bulk(const Keys& keys) {
    std::uint64_t fresh = 0;
    for (const auto& k : keys) fresh += insert(k) ? 1U : 0U;
    return fresh;
  }
  template <bulk_keys Keys>
  void may_contain_bulk(const Keys& keys, detail::bulk::answers answers) const {
    const auto one_by_one = [&](const detail::bulk::chunk& some, std::uint8_t* out) {
      for (std::size_t i = 0; i < some.count; ++i) out[i] = may_contain(some.digests[i]) ? 1 : 0;
    };
    detail::bulk::look_up_in_chunks(hasher(detail::seed_of(params())), detail::span_of(keys), answers, one_by_one);
  }
  void clear() noexcept {
    filter::clear();
    inserts_ = hits_ = misses_ = {};
  }
  [[nodiscard]] statistics stats() const {
    statistics s = filter::stats();
    s.accesses = {inserts_.mean(), hits_.mean(), misses_.mean()};
    return s;
  }

private:
  detail::access_tally inserts_;
  mutable detail::access_tally hits_;  // looking up is const, and counting it does not change the filter
  mutable detail::access_tally misses_;
};

}  // namespace sluice
