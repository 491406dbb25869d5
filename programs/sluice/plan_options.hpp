// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What the command line says about a plan: for `sluice plan`, and for `sluice build`, which builds the first of it.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "sluice/plan.hpp"

namespace sluice_cli {

struct plan_options {
  sluice::plan_request request;
  std::string memory;
  std::optional<double> bits_per_key;
};

void add_plan_options(CLI::App& app, plan_options& o);
/// --keys-at-most, in place of --keys.
void add_keys_at_most(CLI::App& app, plan_options& o);

/// The request, with memory and bits per key taken in. Throws sluice::parameter_error with a sentence.
[[nodiscard]] sluice::plan_request request_of(const plan_options& o);

}  // namespace sluice_cli
