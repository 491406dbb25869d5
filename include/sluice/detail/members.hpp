// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// detail/members: schemes and the members of parameters by name. Whoever shows parameters or reads them (commands,
// Python, the page) does it through these two, so that their names stand nowhere else.
//
// Invariant: the order of for_each_member is that of the members in every struct, so that what is written in it is a
// valid initialiser.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>

#include "sluice/parameters.hpp"

namespace sluice::detail {

/// The words of a rule, in the order of its numbers: as they are called in C++.
template <class Rule>
inline constexpr std::array<std::string_view, 0> words_of;
template <>
inline constexpr std::array<std::string_view, 2> words_of<hash_form> = {"independent", "double_hashing"};
template <>
inline constexpr std::array<std::string_view, 2> words_of<load_unit> = {"set_bits", "keys"};
template <>
inline constexpr std::array<std::string_view, 3> words_of<overflow_rule> = {"exact_list", "first_candidate",
                                                                            "random_candidate"};
template <>
inline constexpr std::array<std::string_view, 3> words_of<full_list_rule> = {"refuse", "first_candidate",
                                                                             "random_candidate"};
template <>
inline constexpr std::array<std::string_view, 2> words_of<second_block> = {"page", "table"};
template <>
inline constexpr std::array<std::string_view, 2> words_of<position_rule> = {"lanes", "uniform"};

template <class Rule>
  requires std::is_enum_v<Rule>
[[nodiscard]] constexpr std::string_view word_of(Rule rule) {
  return words_of<Rule>.at(static_cast<std::size_t>(rule));
}

/// Nothing, where no scheme has the name.
[[nodiscard]] constexpr std::optional<scheme> scheme_from_name(std::string_view name) noexcept {
  for (const scheme_traits& one : all_scheme_traits) {
    if (one.name == name) return one.which;
  }
  return std::nullopt;
}

/// Calls f(name, member of p, member of each other) for every member that the struct of one scheme has.
template <class F, class Parameters, class... Same>
void for_each_member(const F& f, Parameters& p, Same&... others) {
#define SLUICE_MEMBER(member) \
  if constexpr (requires { p.member; }) f(#member, p.member, others.member...)
  SLUICE_MEMBER(bits);
  SLUICE_MEMBER(groups);
  SLUICE_MEMBER(blocks);
  SLUICE_MEMBER(subtables);
  SLUICE_MEMBER(block_bits);
  SLUICE_MEMBER(hashes);
  SLUICE_MEMBER(fingerprint_bits);
  SLUICE_MEMBER(remainder_bits);
  SLUICE_MEMBER(alpha);
  SLUICE_MEMBER(load);
  SLUICE_MEMBER(choices);
  SLUICE_MEMBER(trace);
  SLUICE_MEMBER(second_hashes);
  SLUICE_MEMBER(threshold);
  SLUICE_MEMBER(acceptance);
  SLUICE_MEMBER(margin);
  SLUICE_MEMBER(spread);
  SLUICE_MEMBER(second);
  SLUICE_MEMBER(positions);
  SLUICE_MEMBER(form);
  SLUICE_MEMBER(overflow);
  SLUICE_MEMBER(list_capacity);
  SLUICE_MEMBER(when_full);
  SLUICE_MEMBER(access_budget);
  SLUICE_MEMBER(is_static);
  SLUICE_MEMBER(folds);
  SLUICE_MEMBER(seed);
#undef SLUICE_MEMBER
}

/// Calls f(name, value) for what a report shows of a filter of any scheme: the same names in the same order, some under
/// the papers' letters, and nullptr for what the scheme does not have.
template <class F>
void for_each_shown(const parameters& p, const F& f) {
  std::visit(
      [&](const auto& q) {
#define SLUICE_SHOWN(name, member)        \
  if constexpr (requires { q.member; }) { \
    f(name, q.member);                    \
  } else {                                \
    f(name, nullptr);                     \
  }
        SLUICE_SHOWN("block_bits", block_bits)
        SLUICE_SHOWN("h", threshold)
        SLUICE_SHOWN("p", acceptance)
        SLUICE_SHOWN("hashes", hashes)
        SLUICE_SHOWN("fingerprint_bits", fingerprint_bits)
        SLUICE_SHOWN("remainder_bits", remainder_bits)
        SLUICE_SHOWN("choices", choices)
        SLUICE_SHOWN("groups", groups)
        SLUICE_SHOWN("spread", spread)
        SLUICE_SHOWN("alpha", alpha)
        SLUICE_SHOWN("trace", trace)
        SLUICE_SHOWN("second_hashes", second_hashes)
        SLUICE_SHOWN("margin", margin)
        SLUICE_SHOWN("positions", positions)
#undef SLUICE_SHOWN
      },
      p);
  is_static(p) ? f("static", true) : f("static", nullptr);
  folds_of(p) != 0 ? f("folds", folds_of(p)) : f("folds", nullptr);
}

}  // namespace sluice::detail
