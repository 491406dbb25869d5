// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What the command line says about a scheme; extend/choose.hpp has the parameters that follow.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sluice/extend/choose.hpp"

namespace sluice_cli {

using sluice::extend::chosen_scheme;

/// Of all schemes, in the order of their numbers.
[[nodiscard]] std::vector<std::string> scheme_names();

/// What is said in words, and the request that has the rest.
struct scheme_options {
  sluice::extend::scheme_request request;
  std::string scheme;
  bool double_hashing = false;
  bool paper_rule = false;
  std::optional<std::string> positions;  // lanes, uniform; the scheme's own unless given
  std::string second = "page";
  std::string list = "yes";
  std::optional<std::string> when_full;  // refuse, first, random; refuse unless given
  std::optional<std::uint32_t> rounds;
  bool json = false;
};

void add_scheme_options(CLI::App& app, scheme_options& o);

/// Filters that are improved in a number of rounds have none.
[[nodiscard]] inline bool has_model(const scheme_options& o) {
  return !(o.rounds && (o.request.is_static || *o.rounds > 1));
}

/// The parameters; `default_keys` where --keys is not given. Throws sluice::parameter_error with a sentence.
[[nodiscard]] chosen_scheme choose(const scheme_options& o, double default_keys);

}  // namespace sluice_cli
