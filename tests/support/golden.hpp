// The filters of tests/golden, as they are made: files of versions 1 and 2 that every later sluice must read, and write
// again to the byte. Nothing in here may ever change; what is new is added.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sluice/extend/contents.hpp"
#include "sluice/growing_filter.hpp"
#include "sluice/sluice.hpp"

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
        v.keys() == sluice::key_kind::bytes ? v.may_contain(golden_text(i)) : v.may_contain(golden_number(i));
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

inline golden_case golden_of(const std::string& name, sluice::key_kind kind, const sluice::parameters& p) {
  return {name, kind, [=] {
            sluice::filter f(p);
            fill_golden(f, kind);
            return sluice::to_bytes(f, {.keys = kind, .planned_keys = 150, .planned_fpr = 0.01});
          }};
}

inline std::vector<golden_case> golden_cases() {
  using namespace sluice;  // NOLINT(google-build-using-namespace)
  return {
      golden_of("classic", key_kind::bytes, classic_parameters{.bits = 2000, .hashes = 8, .seed = 1}),
      golden_of("classic-double-hashing", key_kind::u64,
                classic_parameters{.bits = 2001, .hashes = 8, .form = hash_form::double_hashing, .seed = 2}),
      golden_of("choice", key_kind::bytes, choice_parameters{.bits = 2000, .groups = 3, .hashes = 9, .seed = 3}),
      golden_of("blocked", key_kind::bytes, blocked_parameters{.blocks = 5, .hashes = 9, .seed = 4}),
      golden_of("blocked-256-uniform", key_kind::u32,
                blocked_parameters{
                    .blocks = 9, .block_bits = 256, .hashes = 8, .positions = position_rule::uniform, .seed = 5}),
      golden_of("alpha", key_kind::bytes, alpha_parameters{.blocks = 5, .hashes = 9, .alpha = 0.5, .seed = 6}),
      golden_of("alpha-by-keys", key_kind::u64,
                alpha_parameters{
                    .blocks = 5, .block_bits = 500, .hashes = 9, .alpha = 1, .load = load_unit::keys, .seed = 7}),
      golden_of("single", key_kind::bytes,
                single_parameters{.blocks = 5, .hashes = 9, .threshold = 30, .acceptance = 0.25, .seed = 8}),
      golden_of("sequential-budget", key_kind::u64,
                sequential_parameters{
                    .blocks = 5, .hashes = 9, .choices = 3, .threshold = 28, .access_budget = 140, .seed = 9}),
      golden_of("sequential-forced", key_kind::bytes,
                sequential_parameters{.blocks = 5,
                                      .hashes = 9,
                                      .choices = 2,
                                      .threshold = 20,
                                      .overflow = overflow_rule::first_candidate,
                                      .seed = 10}),
      golden_of("mht", key_kind::bytes,
                mht_parameters{.subtables = {4, 2, 1}, .block_bits = 256, .hashes = 8, .threshold = 12, .seed = 11}),
      golden_of("mht-bounded-list", key_kind::u64,
                mht_parameters{.subtables = {3, 2},
                               .hashes = 8,
                               .threshold = 20,
                               .list_capacity = 12,
                               .when_full = full_list_rule::random_candidate,
                               .seed = 21}),
      golden_of("mht-forced-at-random", key_kind::u64,
                mht_parameters{.subtables = {3, 2},
                               .hashes = 8,
                               .threshold = 20,
                               .overflow = overflow_rule::random_candidate,
                               .seed = 12}),
      golden_of("bloom-2", key_kind::bytes, bloom_g_parameters{.blocks = 5, .hashes = 9, .seed = 13}),
      golden_of("bloom-3-table", key_kind::u64,
                bloom_g_parameters{.blocks = 9,
                                   .block_bits = 256,
                                   .hashes = 10,
                                   .spread = 3,
                                   .second = second_block::table,
                                   .positions = position_rule::lanes,
                                   .seed = 14}),
      golden_of(
          "gated", key_kind::bytes,
          gated_parameters{
              .blocks = 5, .hashes = 10, .trace = 4, .second_hashes = 8, .threshold = 180, .margin = 10, .seed = 15}),
      golden_of(
          "gated-one-block", key_kind::bytes,
          gated_parameters{
              .blocks = 1, .hashes = 5, .trace = 0, .second_hashes = 4, .threshold = 200, .margin = 0, .seed = 20}),
      golden_of("gated-256-table", key_kind::u64,
                gated_parameters{.blocks = 70,
                                 .block_bits = 256,
                                 .hashes = 20,
                                 .trace = 3,
                                 .second_hashes = 18,
                                 .threshold = 60,
                                 .margin = 5,
                                 .second = second_block::table,
                                 .seed = 16}),
      {"static", key_kind::u64,
       [] {
         // Few rounds and no choice that depends on the last digit of a floating-point number.
         static_builder builder({.blocks = 5, .hashes = 10, .trace = 3, .second_hashes = 8, .seed = 17});
         fill_golden(builder, key_kind::u64);
         return to_bytes(builder.build({.rounds = 0}), {.keys = key_kind::u64});
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
         return to_bytes(f, {.keys = key_kind::u64});
       }},
      {"sealed", key_kind::u64,
       [] {
         sealed_builder builder({.blocks = 2, .fingerprint_bits = 8, .seed = 20});
         fill_golden(builder, key_kind::u64);
         return to_bytes(builder.build(), {.keys = key_kind::u64, .planned_keys = 150, .planned_fpr = 0.01});
       }},
      {"sealed-256", key_kind::bytes,
       [] {
         sealed_builder builder({.block_bits = 256, .fingerprint_bits = 29, .seed = 21});
         fill_golden(builder, key_kind::bytes);
         return to_bytes(builder.build(), {.keys = key_kind::bytes});
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
      {"origin-columns", key_kind::bytes,
       [] {
         filter f(blocked_parameters{.blocks = 5, .hashes = 9, .seed = 22});
         fill_golden(f, key_kind::bytes);
         const key_origin origin{.what = key_form::csv, .columns = {"host", "a, \"b\""}, .delimiter = ';'};
         return to_bytes(f, {.keys = key_kind::bytes, .planned_keys = 150, .planned_fpr = 0.01, .origin = origin});
       }},
      {"origin-mht-field", key_kind::u64,
       [] {
         filter f(mht_parameters{.subtables = {4, 2, 1}, .hashes = 8, .threshold = 20, .seed = 23});
         fill_golden(f, key_kind::u64);
         const key_origin origin{.what = key_form::decimal, .fields = {2}, .delimiter = '\t'};
         return to_bytes(f, {.keys = key_kind::u64, .origin = origin});
       }},
  };
}

}  // namespace testing_support
