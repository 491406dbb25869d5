// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Properties over random geometry and random scripts (RapidCheck shrinks what it finds): whatever the scheme, its
// parameters and the order of operations, no inserted key is ever missing, and what insert, may_contain, merge, clear,
// view and stats say is consistent; what erases finds every key as often as it is in. ctest fixes the seed and the
// number of cases (RC_PARAMS); run the program by hand for others.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sluice/detail/block/ledger_layout.hpp"
#include "sluice/sluice.hpp"
#include "support/metered.hpp"

namespace {

using namespace sluice;  // NOLINT(google-build-using-namespace)

std::uint32_t between(std::uint32_t low, std::uint32_t high) { return *rc::gen::inRange(low, high + 1); }
std::uint64_t wide_between(std::uint64_t low, std::uint64_t high) { return *rc::gen::inRange(low, high + 1); }
double share() { return between(0, 1000) / 1000.0; }

overflow_rule any_overflow() {
  return *rc::gen::element(overflow_rule::exact_list, overflow_rule::first_candidate, overflow_rule::random_candidate);
}

full_list_rule any_forcing() {
  return *rc::gen::element(full_list_rule::first_candidate, full_list_rule::random_candidate);
}

auto any_sizes() { return rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(1, 40)); }

/// Any parameters that describe a filter, small ones preferred.
parameters any_parameters() {
  const std::uint64_t seed = *rc::gen::arbitrary<std::uint64_t>();
  const std::uint32_t bits = between(64, 1100);
  const std::uint64_t blocks = wide_between(1, 150);
  const hash_form form = *rc::gen::element(hash_form::independent, hash_form::double_hashing);
  const std::uint32_t h = between(1, 40);
  const std::uint32_t k = between(1, 30);
  switch (*rc::gen::element(0, 1, 2, 3, 4, 5, 6, 7, 8)) {  // element, unlike inRange, does not prefer small ones
    case 0:
      return classic_parameters{.bits = wide_between(64, 5000), .hashes = k, .form = form, .seed = seed};
    case 1:
      return choice_parameters{
          .bits = wide_between(64, 5000), .groups = between(1, 5), .hashes = k, .form = form, .seed = seed};
    case 2:
      return blocked_parameters{.blocks = blocks, .block_bits = bits, .hashes = k, .seed = seed};
    case 3:
      return alpha_parameters{.blocks = blocks + 1,
                              .block_bits = bits,
                              .hashes = k,
                              .alpha = share(),
                              .load = *rc::gen::element(load_unit::set_bits, load_unit::keys),
                              .seed = seed};
    case 4:
      return single_parameters{.blocks = blocks,
                               .block_bits = bits,
                               .hashes = k,
                               .threshold = h,
                               .acceptance = share(),
                               .overflow = any_overflow(),
                               .seed = seed};
    case 5: {
      const overflow_rule rule = any_overflow();
      const bool listed = rule == overflow_rule::exact_list;
      const bool bounded = listed && *rc::gen::arbitrary<bool>();
      const std::uint64_t budget = listed && !bounded ? wide_between(0, 300) : 0;
      return sequential_parameters{.blocks = blocks + 15,
                                   .block_bits = bits,
                                   .hashes = k,
                                   .choices = between(1, 16),
                                   .threshold = h,
                                   .acceptance = share(),
                                   .overflow = rule,
                                   .list_capacity = bounded ? wide_between(1, 30) : 0,
                                   .when_full = bounded ? any_forcing() : full_list_rule::refuse,
                                   .access_budget = budget,
                                   .seed = seed};
    }
    case 6: {
      mht_parameters p{.subtables = *rc::gen::resize(5, rc::gen::nonEmpty(any_sizes())),
                       .block_bits = bits,
                       .hashes = k,
                       .threshold = h,
                       .acceptance = share(),
                       .overflow = any_overflow(),
                       .seed = seed};
      if (p.overflow == overflow_rule::exact_list) p.access_budget = wide_between(0, 300);
      return p;
    }
    case 7: {
      const std::uint32_t spread = between(1, 6);
      return bloom_g_parameters{.blocks = blocks + 5,
                                .block_bits = *rc::gen::element(64U, 128U, 256U, 512U, 1024U),
                                .hashes = spread + k,
                                .spread = spread,
                                .second = *rc::gen::element(second_block::page, second_block::table),
                                .positions = *rc::gen::element(position_rule::lanes, position_rule::uniform),
                                .seed = seed};
    }
    default: {
      const std::uint32_t size = *rc::gen::element(256U, 512U);
      return gated_parameters{.blocks = blocks,
                              .block_bits = size,
                              .hashes = k + 4,
                              .trace = between(0, 4),
                              .second_hashes = k,
                              .threshold = between(1, size / 2),
                              .margin = between(0, 30),
                              .second = *rc::gen::element(second_block::page, second_block::table),
                              .seed = seed};
    }
  }
}

void require_all(const filter& f, const std::set<std::uint32_t>& members, const char* when) {
  for (const std::uint32_t member : members) {
    if (!f.may_contain(member)) RC_FAIL(std::string("false negative ") + when);
  }
}

RC_GTEST_PROP(property, scripts_of_insert_lookup_merge_and_clear_lose_nothing, ()) {
  const parameters p = any_parameters();
  RC_TAG(std::string(detail::scheme_name(p)));
  filter f(p);
  filter side(p);  // a second filter of the same parameters, merged in from time to time
  std::set<std::uint32_t> members;
  std::set<std::uint32_t> side_members;
  const auto script = *rc::gen::container<std::vector<std::pair<std::uint8_t, std::uint32_t>>>(
      rc::gen::pair(rc::gen::inRange<std::uint8_t>(0, 40), rc::gen::inRange<std::uint32_t>(0, 500)));
  for (const auto& [operation, key] : script) {
    if (operation < 20) {
      const bool before = f.may_contain(key);
      RC_ASSERT(f.insert(key) == !before);
      RC_ASSERT(f.may_contain(key));
      members.insert(key);
    } else if (operation < 30) {
      side.insert(key);
      side_members.insert(key);
    } else if (operation < 37) {
      RC_ASSERT(f.may_contain(key) || !members.contains(key));
    } else if (operation == 37) {
      f.merge(side);
      members.insert(side_members.begin(), side_members.end());
      require_all(f, members, "after a merge");
    } else if (operation == 38) {
      side.clear();
      side_members.clear();
      RC_ASSERT(side.stats().bits_set == 0U);
    } else {
      require_all(f, members, "in the middle");
    }
  }
  require_all(f, members, "at the end");
  require_all(side, side_members, "in the second filter");
  const filter_view v = f.view();
  for (std::uint32_t key = 0; key < 600; ++key) RC_ASSERT(v.may_contain(key) == f.may_contain(key));
}

RC_GTEST_PROP(property, statistics_are_consistent, ()) {
  const parameters p = any_parameters();
  RC_TAG(std::string(detail::scheme_name(p)));
  metered_filter f(p);
  const std::uint32_t keys = between(0, 800);
  for (std::uint32_t i = 0; i < keys; ++i) f.insert(i);
  const statistics s = f.stats();
  RC_ASSERT(s.keys_inserted <= keys);
  RC_ASSERT(s.bits_set <= s.usable_bits);
  RC_ASSERT(s.fpr_from_fill >= 0);
  RC_ASSERT(s.fpr_from_fill <= 1 + 1e-9);
  RC_ASSERT(s.blocks_per_miss_from_fill >= 1 - 1e-9);
  RC_ASSERT(s.filter_bytes == f.bytes().size());
  std::uint64_t blocks = 0;
  for (const std::uint64_t count : s.load_histogram) blocks += count;
  RC_ASSERT(s.load_histogram.empty() || blocks == s.blocks);
}

/// Keys that come and go, of which half look alike in ledgers of this remainder: few have other entries than eight.
const std::vector<digest>& keys_that_come_and_go(std::uint32_t rho) {
  static std::map<std::uint32_t, std::vector<digest>> all;
  std::vector<digest>& keys = all[rho];
  if (!keys.empty()) return keys;
  const detail::ledger_layout layout(rho);
  const detail::ledger_entry wanted = layout.entry_of(digest{detail::full_mix(0)});
  const auto same = [&](detail::ledger_entry e) {
    const std::uint32_t low = (1U << std::min(rho, 10U)) - 1;  // of longer remainders few keys have one
    return e.quotient == wanted.quotient && ((e.remainder ^ wanted.remainder) & low) < 8;
  };
  for (std::uint64_t i = 0; keys.size() < 150; ++i) {
    const digest x{detail::full_mix(i)};
    if (same(layout.entry_of(x))) keys.push_back(x);
  }
  for (std::uint64_t i = 1; keys.size() < 300; ++i) keys.push_back(digest{detail::full_mix(~i)});
  return keys;
}

/// A filter that erases, and the keys that are in it, as often as they are.
template <class Erasing>
struct with_twin {
  Erasing f;
  std::multiset<std::uint64_t> twin = {};

  void insert(digest x) {
    const std::uint64_t before = f.count(x);
    bool full = false;
    try {
      f.insert(x);
      twin.insert(x.value);
    } catch (const full_error&) {
      full = true;
    }
    if ((f.count(x) == before) != full) RC_FAIL("an insertion is in, or was refused");
  }
  /// One of those that are in: the next one from here on.
  void erase(digest from) {
    if (twin.empty()) return;
    auto it = twin.lower_bound(from.value);
    if (it == twin.end()) it = twin.begin();
    if (!f.erase(digest{*it})) RC_FAIL("a key that is in cannot be erased");
    twin.erase(it);
  }
  void require_all() const {
    RC_ASSERT(f.keys_inserted() == twin.size());
    for (auto it = twin.begin(); it != twin.end();) {
      const digest x{*it};
      std::uint64_t copies = 0;
      for (; it != twin.end() && *it == x.value; ++it) ++copies;
      if (!f.may_contain(x)) RC_FAIL("false negative");
      if (f.count(x) < copies) RC_FAIL("copies are missing");
    }
  }
  void erase_all() {
    while (!twin.empty()) erase(digest{0});
    RC_ASSERT(f.keys_inserted() == 0U);
  }
};

/// A random script; `merge` unites the second with the first.
template <class Erasing, class Merge>
void come_and_go(const Erasing& empty, std::uint32_t rho, const Merge& merge) {
  const std::vector<digest>& keys = keys_that_come_and_go(rho);
  with_twin<Erasing> main{empty};
  with_twin<Erasing> side{empty};
  const auto script = *rc::gen::container<std::vector<std::pair<std::uint8_t, std::uint32_t>>>(
      rc::gen::pair(rc::gen::inRange<std::uint8_t>(0, 40), rc::gen::inRange<std::uint32_t>(0, 300)));
  for (const auto& [operation, number] : script) {
    const digest x = keys[number];
    if (operation < 20) {
      main.insert(x);
    } else if (operation < 31) {
      main.erase(x);
    } else if (operation < 35) {
      side.insert(x);
    } else if (operation == 35) {
      merge(main, side);
      main.require_all();
      side.require_all();
    } else if (operation == 36) {
      side.erase_all();
    } else if (operation == 37) {
      for (int i = 0; i < 30; ++i) main.insert(x);  // copies
    } else if (operation == 38) {
      if (main.f.count(x) == 0) RC_ASSERT(!main.f.erase(x));
    } else {
      main.require_all();
    }
  }
  main.require_all();
  main.erase_all();
}

RC_GTEST_PROP(property, ledgers_keep_keys_as_often_as_they_are_in, ()) {
  const ledger_parameters p{.blocks = wide_between(1, 70),
                            .remainder_bits = *rc::gen::element(8U, 8U, 8U, 12U, 15U, 16U, 24U),
                            .seed = *rc::gen::arbitrary<std::uint64_t>()};
  come_and_go(filter(p), p.remainder_bits, [](auto& main, const auto& side) {
    try {
      main.f.merge(side.f);
      main.twin.insert(side.twin.begin(), side.twin.end());
    } catch (const error&) {  // no room
      return;
    }
  });
}

RC_GTEST_PROP(property, chains_of_ledgers_keep_keys_as_often_as_they_are_in, ()) {
  const growth how{.fpr = 0.2,
                   .first_keys = 64,
                   .factor = *rc::gen::element(2U, 4U, 64U),
                   .seed = *rc::gen::arbitrary<std::uint64_t>(),
                   .erasable = true};
  come_and_go(growing_filter(how), 8, [](auto& main, const auto& side) {
    main.f.merge(side.f);
    main.twin.insert(side.twin.begin(), side.twin.end());
  });
}

// Parameters are accepted or refused with a parameter_error, whatever they are: never another exception, never a crash.
RC_GTEST_PROP(property, absurd_parameters_are_refused_with_a_sentence, ()) {
  const auto number = [] {
    return *rc::gen::element<std::uint32_t>(0, 1, 2, 3, 8, 16, 63, 64, 65, 500, 512, 4096, 4097, 0x7fffffff,
                                            0xffffffff);
  };
  const auto real = [] {
    return *rc::gen::element(0.0, 1.0, 0.5, -1.0, 2.0, std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity());
  };
  // Sizes either fit easily or do not fit at all, so that nothing large is allocated.
  const std::uint64_t size = *rc::gen::element<std::uint64_t>(0, 1, 2, 64, 65, 129, std::uint64_t{1} << 59,
                                                              std::uint64_t{1} << 63, ~std::uint64_t{0});
  const std::vector<parameters> all = {
      classic_parameters{.bits = size, .hashes = number()},
      choice_parameters{.bits = size, .groups = number(), .hashes = number()},
      blocked_parameters{.blocks = size, .block_bits = number(), .hashes = number()},
      alpha_parameters{.blocks = size, .block_bits = number(), .hashes = number(), .alpha = real()},
      single_parameters{
          .blocks = size, .block_bits = number(), .hashes = number(), .threshold = number(), .acceptance = real()},
      sequential_parameters{.blocks = size,
                            .block_bits = number(),
                            .hashes = number(),
                            .choices = number(),
                            .threshold = number(),
                            .acceptance = real()},
      mht_parameters{.subtables = std::vector<std::uint64_t>(number() % 20, size),
                     .block_bits = number(),
                     .hashes = number(),
                     .threshold = number(),
                     .acceptance = real()},
      bloom_g_parameters{.blocks = size, .block_bits = number(), .hashes = number(), .spread = number()},
      gated_parameters{.blocks = size,
                       .block_bits = number(),
                       .hashes = number(),
                       .trace = number(),
                       .second_hashes = number(),
                       .threshold = number(),
                       .margin = number()},
  };
  for (const parameters& p : all) {
    try {
      filter f(p);
      f.insert(1);
      RC_ASSERT(f.may_contain(1));
    } catch (const parameter_error& e) {
      RC_ASSERT(std::string(e.what()).size() > 20U);
    } catch (const memory_error& e) {
      RC_ASSERT(std::string(e.what()).size() > 20U);
    }
  }
}

}  // namespace
