// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// One result of model, simulate or plan, in the order and under the names in which it is printed; what a scheme does
// not have is null in JSON and left out of tables.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "frame/output.hpp"
#include "frame/printable.hpp"
#include "scheme_options.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/parameters.hpp"
#include "sluice/theory.hpp"

namespace sluice_cli {

using nlohmann::ordered_json;

/// JSON as it may be shown: what commands a terminal, and JSON allows in strings (U+007F to U+009F), as \u00NN.
inline std::string json_printable(const std::string& text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U; };
    if (byte(i) == 0x7f) {
      shown += "\\u007f";
    } else if (byte(i) == 0xc2 && byte(i + 1) >= 0x80 && byte(i + 1) < 0xa0) {
      shown += fmt::format("\\u{:04x}", byte(++i));
    } else {
      shown += text[i];
    }
  }
  return shown;
}

/// --json-strings: integers above 2^53 are strings. Programs that keep every number in a double, as jq does, would
/// round them.
inline bool& large_integers_are_strings() {
  static bool chosen = false;
  return chosen;
}

/// To every command that prints JSON.
inline void add_json_strings(CLI::App& command) {
  CLI::Option* const json = command.get_option_no_throw("--json");
  if (json == nullptr) return;
  command
      .add_flag("--json-strings", large_integers_are_strings(),
                "with --json: integers above 2^53 as strings, for programs that would round them (jq)")
      ->needs(json);
}

/// The same, with such integers as strings if that was chosen.
inline ordered_json with_integers_as_chosen(const ordered_json& j) {
  constexpr std::uint64_t exact = std::uint64_t{1} << 53U;  // up to here a double has every integer
  if (!large_integers_are_strings()) return j;
  if (j.is_number_unsigned() && j.get<std::uint64_t>() > exact) return std::to_string(j.get<std::uint64_t>());
  if (!j.is_structured()) return j;
  ordered_json changed = j;
  for (ordered_json& element : changed) element = with_integers_as_chosen(element);
  return changed;
}

/// File names may be any bytes, JSON is UTF-8: what is not becomes U+FFFD.
inline std::string json_text(const ordered_json& j, int indent = -1) {
  return json_printable(with_integers_as_chosen(j).dump(indent, ' ', false, ordered_json::error_handler_t::replace));
}

template <class T>
ordered_json or_null(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

/// 0 says that something is not known.
template <class T>
ordered_json or_null_if_zero(T value) {
  return value == 0 ? ordered_json(nullptr) : ordered_json(value);
}

/// The parameters that a scheme has; null for the others.
inline ordered_json parameters_json(const sluice::parameters& p) {
  ordered_json j;
  sluice::extend::for_each_shown(p, [&](const char* name, const auto& value) {
    if constexpr (std::is_enum_v<std::remove_cvref_t<decltype(value)>>) {
      j[name] = sluice::extend::word_of(value);
    } else {
      j[name] = value;
    }
  });
  return j;
}

/// The subtables' shares of the blocks; null for schemes that have none.
inline ordered_json subtables_json(const sluice::parameters& p) {
  const auto* mht = std::get_if<sluice::mht_parameters>(&p);
  return mht == nullptr ? ordered_json(nullptr) : ordered_json(sluice::extend::subtable_shares(mht->subtables));
}

inline ordered_json loads_json(const std::vector<double>& loads) {
  return loads.empty() ? ordered_json(nullptr) : ordered_json(loads);
}

/// Lines of "name   value", nulls and long arrays left out.
inline void print_table(const ordered_json& result) {
  for (const auto& [name, value] : result.items()) {
    if (value.is_null() || name == "load_distribution") continue;
    if (value.is_number_float()) {
      print("{:<22} {:.5g}\n", name, value.get<double>());
    } else if (value.is_array()) {
      std::string text;
      for (const auto& element : value)
        text += fmt::format("{}{:.4g}", text.empty() ? "" : ", ", element.get<double>());
      print("{:<22} {}\n", name, text);
    } else {
      print("{:<22} {}\n", name, value.is_string() ? printable(value.get<std::string>()) : value.dump());
    }
  }
}

inline void print_result(const ordered_json& result, bool json) {
  json ? print("{}\n", json_text(result, 2)) : print_table(result);
}

}  // namespace sluice_cli
