// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The filters of tests/golden, as they are made: files of versions 1 and 2 that every later sluice must read, and write
// again to the byte. Nothing in here may ever change; what is new is added.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sluice/detail/block/lanes.hpp"
#include "sluice/detail/memory/words.hpp"
#include "sluice/extend/contents.hpp"
#include "sluice/growing_filter.hpp"
#include "sluice/sluice.hpp"
#include "support/schemes.hpp"

namespace testing_support {

struct golden_case {
  std::string name;
  sluice::key_kind kind;
  std::function<std::vector<std::byte>()> make;
};

/// Key number i of a golden filter: an integer, or text.
inline std::uint64_t golden_number(std::uint64_t i) { return i * i * i + 17; }
inline std::string golden_text(std::uint64_t i) { return "key " + std::to_string(i * 7919); }
inline constexpr std::uint64_t golden_keys = 150;

inline bool has_golden_keys(const sluice::filter_file& v) {
  for (std::uint64_t i = 0; i < golden_keys; ++i) {
    const bool found =
        v.kind() == sluice::key_kind::bytes ? v.may_contain(golden_text(i)) : v.may_contain(golden_number(i));
    if (!found) return false;
  }
  return true;
}

template <class Filter>
void fill_golden(Filter& f, sluice::key_kind kind) {
  for (std::uint64_t i = 0; i < golden_keys; ++i) {
    if (kind == sluice::key_kind::bytes) {
      f.insert(golden_text(i));
    } else {
      f.insert(golden_number(i));
    }
  }
}

inline golden_case golden_of(const golden_parameters& g) {
  return {g.name, g.kind, [=] {
            sluice::filter f(g.params);
            fill_golden(f, g.kind);
            return sluice::to_bytes(f, {.kind = g.kind, .planned_keys = 150, .planned_fpr = 0.01});
          }};
}

inline std::vector<golden_case> golden_cases() {
  using namespace sluice;  // NOLINT(google-build-using-namespace)
  std::vector<golden_case> cases;
  for (const golden_parameters& g : all_golden_parameters()) cases.push_back(golden_of(g));
  const std::vector<golden_case> others = {
      {"static", key_kind::u64,
       [] {
         // Few rounds and no choice that depends on the last digit of a floating-point number.
         static_builder builder({.blocks = 5, .hashes = 10, .trace = 3, .second_hashes = 8, .seed = 17});
         fill_golden(builder, key_kind::u64);
         return to_bytes(builder.build({.rounds = 0}), {.kind = key_kind::u64});
       }},
      {"static-with-closed-gates", key_kind::u64,
       [] {
         // Every second gate, whatever the keys: insertions then do as the gates say.
         filter f(gated_parameters{.blocks = 5,
                                   .hashes = 10,
                                   .trace = 3,
                                   .second_hashes = 8,
                                   .threshold = 100,
                                   .is_static = true,
                                   .seed = 19},
                  [](std::span<std::byte> bytes) {
                    for (std::uint32_t gate = 0; gate < 5 * 8; gate += 2) {
                      sluice::detail::bits::set_bit(bytes.data() + 64 * (gate / 8),
                                                    sluice::detail::lanes::gate_bit(gate % 8));
                    }
                    return std::uint64_t{0};
                  });
         fill_golden(f, key_kind::u64);
         return to_bytes(f, {.kind = key_kind::u64});
       }},
      {"sealed", key_kind::u64,
       [] {
         sealed_builder builder({.blocks = 2, .fingerprint_bits = 8, .seed = 20});
         fill_golden(builder, key_kind::u64);
         return to_bytes(builder.build(), {.kind = key_kind::u64, .planned_keys = 150, .planned_fpr = 0.01});
       }},
      {"sealed-256", key_kind::bytes,
       [] {
         sealed_builder builder({.block_bits = 256, .fingerprint_bits = 29, .seed = 21});
         fill_golden(builder, key_kind::bytes);
         return to_bytes(builder.build(), {.kind = key_kind::bytes});
       }},
      {"ledger-after-erasures", key_kind::u64,
       [] {
         // As full as it can be, with copies, guests and listed keys; and then some of them gone.
         filter f(ledger_parameters{.blocks = 4, .remainder_bits = 8, .seed = 26});
         for (std::uint64_t i = 0; i < 10; ++i) f.insert(golden_number(1000));
         fill_golden(f, key_kind::u64);
         for (std::uint64_t i = 0; i < 7; ++i) f.erase(golden_number(1000));
         return to_bytes(f, {.kind = key_kind::u64, .planned_keys = 160, .planned_fpr = 0.01});
       }},
      {"chain", key_kind::bytes,
       [] {
         const growth how{.fpr = 0.02, .first_keys = 64, .factor = 4, .seed = 18};
         const auto link = [&](std::uint64_t blocks, std::uint64_t capacity, double fpr) {
           return growing_filter::link{filter(blocked_parameters{.blocks = blocks, .hashes = 7, .seed = 18}), capacity,
                                       fpr};
         };
         std::vector<growing_filter::link> links;
         links.push_back(link(2, 64, 0.01));
         links.push_back(link(9, 256, 0.005));
         for (std::uint64_t i = 0; i < 60; ++i) links.front().filter.insert(golden_text(i));
         growing_filter f(how, std::move(links));
         fill_golden(f, key_kind::bytes);
         return to_bytes(sluice::extend::contents_of(f, key_kind::bytes));
       }},
      {"ledger-chain", key_kind::u64,
       [] {
         growing_filter f({.fpr = 0.2, .first_keys = 64, .factor = 2, .seed = 27, .erasable = true});
         for (std::uint64_t i = 0; i < 20; ++i) f.insert(golden_number(1000 + i));
         fill_golden(f, key_kind::u64);
         for (std::uint64_t i = 0; i < 20; ++i) f.erase(golden_number(1000 + i));
         return to_bytes(sluice::extend::contents_of(f, key_kind::u64));
       }},
      {"origin-columns", key_kind::bytes,
       [] {
         filter f(blocked_parameters{.blocks = 5, .hashes = 9, .seed = 22});
         fill_golden(f, key_kind::bytes);
         const key_origin origin{.what = key_form::csv, .columns = {"host", "a, \"b\""}, .delimiter = ';'};
         return to_bytes(f, {.kind = key_kind::bytes, .planned_keys = 150, .planned_fpr = 0.01, .origin = origin});
       }},
      {"origin-mht-field", key_kind::u64,
       [] {
         filter f(mht_parameters{.subtables = {4, 2, 1}, .hashes = 8, .threshold = 20, .seed = 23});
         fill_golden(f, key_kind::u64);
         const key_origin origin{.what = key_form::decimal, .fields = {2}, .delimiter = '\t'};
         return to_bytes(f, {.kind = key_kind::u64, .origin = origin});
       }},
  };
  cases.insert(cases.end(), others.begin(), others.end());
  return cases;
}

}  // namespace testing_support
