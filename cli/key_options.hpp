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

/// The keys to read. Without --input they are lines, or what the filter `known` has: then another kind is refused with
/// a sentence that names `filter_file`. `records`: what stands in the input is wanted, to be printed again.
[[nodiscard]] sluice_keys::key_files keys_of(const key_options& o, std::optional<sluice::key_kind> known = {},
                                             const std::string& filter_file = {}, bool records = false);

/// What has no key, and what was done with it: on the error output.
enum class keyless_are : std::uint8_t { skipped, absent };
void tell_of_input(const sluice_keys::key_input& input, keyless_are what = keyless_are::skipped);

}  // namespace sluice_cli
