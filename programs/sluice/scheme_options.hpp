// What the command line says about a scheme; plan/choose.hpp has the parameters that follow.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan/choose.hpp"

namespace sluice_cli {

using sluice::detail::planning::chosen_scheme;

/// Of all schemes, in the order of their numbers.
[[nodiscard]] std::vector<std::string> scheme_names();

struct scheme_options {
  std::string scheme;
  std::uint32_t block_bits = 512;
  std::optional<double> bits_per_key;
  std::optional<double> keys_per_block;
  std::optional<double> keys;
  std::optional<std::uint32_t> hashes;
  std::optional<std::uint32_t> fingerprint_bits;
  std::optional<std::uint32_t> choices;
  std::optional<double> accesses;
  bool budget = false;
  std::optional<double> overflow;
  std::optional<double> alpha;
  std::optional<std::uint32_t> groups;
  bool double_hashing = false;
  std::optional<std::uint32_t> rounds;
  bool is_static = false;
  std::optional<std::uint32_t> threshold;
  std::optional<double> acceptance;
  bool paper_rule = false;
  std::optional<std::uint32_t> trace;
  std::optional<std::uint32_t> second_hashes;
  std::optional<std::uint32_t> margin;
  std::optional<std::string> positions;  // lanes, uniform; the scheme's own unless given
  std::string second = "page";
  std::string list = "yes";
  std::optional<double> list_capacity;
  std::optional<std::string> when_full;  // refuse, first, random; refuse unless given
  double load = 1;
  std::uint64_t shards = 1;
  std::uint64_t seed = 0;
  bool json = false;
};

void add_scheme_options(CLI::App& app, scheme_options& o);

/// Filters that are improved in a number of rounds have none.
[[nodiscard]] inline bool has_model(const scheme_options& o) { return !(o.rounds && (o.is_static || *o.rounds > 1)); }

/// The parameters; `default_keys` where --keys is not given. Throws sluice::parameter_error with a sentence.
[[nodiscard]] chosen_scheme choose(const scheme_options& o, double default_keys);

}  // namespace sluice_cli
