// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What the command line says about keys: files, the standard input, literal ones, and their format.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keys/key_input.hpp"
#include "sluice/file.hpp"

namespace sluice_cli {

struct key_options {
  std::vector<std::string> files;
  std::vector<std::string> literals;
  std::optional<std::string> input;
  std::vector<std::string> fields;
  std::optional<std::string> delimiter;
  bool canonical = false;
  bool both_directions = false;
  bool keep_cr = false;
  bool keep_empty = false;
  bool no_unpack = false;
  std::optional<std::string> longest;
};

void add_key_options(CLI::App& app, key_options& o);

/// Those that keys are read from; "-" where nothing is given.
[[nodiscard]] std::vector<std::string> files_of(const key_options& o);

/// What a filter says of its keys.
struct known_keys {
  std::string name;  ///< of the filter, for sentences
  sluice::key_kind kind;
  std::optional<sluice::key_origin> origin;  ///< none: it is not said
};

/// The keys to read, as the options say, and where they do not, as those of `known` were made. Throws key_error where
/// the two make different keys.
[[nodiscard]] sluice_keys::key_files keys_of(const key_options& o, const std::optional<known_keys>& known = {});
/// The same of a filter's file, whose name is given.
[[nodiscard]] sluice_keys::key_files keys_of(const key_options& o, const sluice::filter_file& f,
                                             const std::string& name);

/// What has no key, and what was done with it: on the error output.
enum class keyless_are : std::uint8_t { skipped, absent, printed };
void tell_of_input(const sluice_keys::key_input& input, keyless_are what = keyless_are::skipped);

}  // namespace sluice_cli
