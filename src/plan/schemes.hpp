// plan/schemes: what the planner knows of every scheme: how far its lookups reach, what tells its designs apart, and
// which measured times are its own.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "plan/cost_row.hpp"
#include "plan/designs.hpp"
#include "sluice/detail/block/lanes.hpp"
#include "sluice/parameters.hpp"

namespace sluice::detail::planning {

/// The most blocks that a lookup can read, and whether further ones lie in the page of the first.
struct reach {
  std::uint64_t blocks;
  bool same_page = false;
};
[[nodiscard]] inline reach reach_of(const classic_parameters& p) { return {p.hashes}; }
[[nodiscard]] inline reach reach_of(const choice_parameters& p) { return {std::uint64_t{p.groups} * p.hashes}; }
[[nodiscard]] inline reach reach_of(const blocked_parameters& /*p*/) { return {1}; }
[[nodiscard]] inline reach reach_of(const alpha_parameters& p) { return {p.alpha > 0 && p.blocks > 1 ? 2U : 1U}; }
[[nodiscard]] inline reach reach_of(const single_parameters& /*p*/) { return {1}; }
[[nodiscard]] inline reach reach_of(const sequential_parameters& p) { return {p.choices}; }
[[nodiscard]] inline reach reach_of(const mht_parameters& p) { return {p.subtables.size()}; }
[[nodiscard]] inline reach reach_of(const bloom_g_parameters& p) { return {p.spread, p.second == second_block::page}; }
[[nodiscard]] inline reach reach_of(const gated_parameters& p) {
  return {p.blocks > 1 ? 2U : 1U, p.second == second_block::page};
}
[[nodiscard]] inline reach reach_of(const sealed_parameters& p) { return {p.blocks > 1 ? 2U : 1U, true}; }
[[nodiscard]] inline reach reach_of(const parameters& p) {
  return std::visit([](const auto& q) { return reach_of(q); }, p);
}

/// What tells designs of one scheme apart.
[[nodiscard]] inline std::string design_of(const classic_parameters& p) {
  return p.form == hash_form::independent ? "independent" : "double hashing";
}
[[nodiscard]] inline std::string design_of(const choice_parameters& p) {
  return p.form == hash_form::independent ? "independent" : "double hashing";
}
[[nodiscard]] inline std::string design_of(const blocked_parameters& p) {
  return p.positions == position_rule::lanes ? "lanes" : "uniform";
}
[[nodiscard]] inline std::string design_of(const alpha_parameters& p) {
  return std::string(p.alpha == 1 ? "two-choice" : "1+alpha") + (p.load == load_unit::keys ? ", in keys" : "");
}
[[nodiscard]] inline std::string design_of(const bloom_g_parameters& p) {
  return std::string(p.second == second_block::page ? "page" : "table") +
         (p.positions == position_rule::lanes ? ", lanes" : "");
}
[[nodiscard]] inline std::string design_of(const gated_parameters& p) {
  return p.is_static ? "static" : p.second == second_block::page ? "page" : "table";
}
[[nodiscard]] inline std::string design_of(const sealed_parameters& p) {
  return std::to_string(p.fingerprint_bits) + " bits";
}
/// SINGLE, SEQUENTIAL and MHT.
template <class Threshold>
[[nodiscard]] std::string design_of(const Threshold& p) {
  return p.overflow == overflow_rule::exact_list ? "list" : "forced";
}
[[nodiscard]] inline std::string design_of(const parameters& p) {
  return std::visit([](const auto& q) { return design_of(q); }, p);
}

/// Which rows are those of a filter.
struct timed_as {
  designs::family which;
  bool lanes;
  std::uint32_t steps;
};

[[nodiscard]] inline timed_as timed_as_of(designs::family which, bool lanes, std::uint32_t hashes) {
  return {which, lanes, designs::steps_of(hashes, lanes)};
}
[[nodiscard]] inline timed_as timed_of(const classic_parameters& p) {
  return timed_as_of(designs::family::classic, false, p.hashes);
}
/// Choice groups are no candidates; as many probes of one array are the nearest that was measured.
[[nodiscard]] inline timed_as timed_of(const choice_parameters& p) {
  return timed_as_of(designs::family::classic, false, p.hashes);
}
[[nodiscard]] inline timed_as timed_of(const blocked_parameters& p) {
  const bool in_lanes = p.positions == position_rule::lanes && lanes::has_lanes(p.block_bits);
  return timed_as_of(designs::family::blocked, in_lanes, p.hashes);
}
[[nodiscard]] inline timed_as timed_of(const alpha_parameters& p) {
  return timed_as_of(p.alpha == 1 ? designs::family::two_choice : designs::family::alpha, false, p.hashes);
}
[[nodiscard]] inline timed_as timed_of(const single_parameters& p) {
  return timed_as_of(designs::family::single, false, p.hashes);
}
[[nodiscard]] inline timed_as timed_of(const sequential_parameters& p) {
  return timed_as_of(designs::family::sequential, false, p.hashes);
}
[[nodiscard]] inline timed_as timed_of(const mht_parameters& p) {
  return timed_as_of(designs::family::mht, false, p.hashes);
}
[[nodiscard]] inline timed_as timed_of(const bloom_g_parameters& p) {
  return timed_as_of(designs::family::bloom_2, false, p.hashes);
}
[[nodiscard]] inline timed_as timed_of(const gated_parameters& p) {
  return timed_as_of(designs::family::gated, true, p.hashes);
}
[[nodiscard]] inline timed_as timed_of(const sealed_parameters& p) {
  return {designs::family::sealed, false, p.fingerprint_bits};
}
[[nodiscard]] inline timed_as timed_of(const parameters& p) {
  return std::visit([](const auto& q) { return timed_of(q); }, p);
}

}  // namespace sluice::detail::planning
