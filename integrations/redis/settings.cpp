// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <exception>
#include <limits>
#include <utility>

#include "sluice/errors.hpp"
#include "sluice/extend/names.hpp"

namespace sluice::redis {

namespace {

/// Never destroyed: a thread may still ask while the server ends.
settings& settings_in_use() {
  static auto* const s = new settings;  // NOLINT(cppcoreguidelines-owning-memory)
  return *s;
}

[[noreturn]] void refuse_argument(std::string_view name, std::string_view value, const char* range) {
  throw parameter_error(std::string(name) + " is " + range + ", not '" + std::string(value) + "'");
}

std::uint64_t whole_argument(std::string_view name, std::string_view value, std::uint64_t from, std::uint64_t to,
                             const char* range) {
  std::uint64_t number = 0;
  const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (code != std::errc() || end != value.data() + value.size() || number < from || number > to) {
    refuse_argument(name, value, range);
  }
  return number;
}

/// A number of bytes as in the server's own configuration: 64mb, 1gb, 4096.
std::uint64_t size_argument(std::string_view name, std::string_view value) {
  static constexpr auto range = "a number of bytes from 64 on, such as 64mb or 1gb";
  std::uint64_t number = 0;
  const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), number);
  const std::string_view unit = value.substr(static_cast<std::size_t>(end - value.data()));
  static constexpr std::array<std::string_view, 3> binary = {"kb", "mb", "gb"};
  static constexpr std::array<std::string_view, 3> decimal = {"k", "m", "g"};
  std::uint64_t factor = unit.empty() || same_word(unit, "b") ? 1 : 0;
  for (std::size_t i = 0; i < binary.size(); ++i) {
    if (same_word(unit, binary[i])) factor = std::uint64_t{1} << (10 * (i + 1));
    if (same_word(unit, decimal[i])) factor = static_cast<std::uint64_t>(std::pow(1000, i + 1));
  }
  if (code != std::errc() || factor == 0 || number > (std::uint64_t{1} << 62) / factor || number * factor < 64) {
    refuse_argument(name, value, range);
  }
  return number * factor;
}

void read_argument(settings& s, std::string_view name, const text* argument) {
  const std::string_view value = view_of(argument);
  const auto is = [&](std::string_view ours, std::string_view theirs = {}) {
    return same_word(name, ours) || (!theirs.empty() && same_word(name, theirs));
  };
  if (is("ERROR_RATE", "bf-error-rate")) {
    if (to_double(argument, &s.error) != ok || !(s.error > 0 && s.error < 1)) {
      refuse_argument(name, value, "a rate between 0 and 1");
    }
    s.error = std::min(s.error, most_error);
  } else if (is("INITIAL_SIZE", "bf-initial-size")) {
    s.capacity = whole_argument(name, value, 1, most_capacity, "a number of keys from 1 to 1073741824");
  } else if (is("EXPANSION", "bf-expansion-factor")) {
    s.expansion = static_cast<std::uint32_t>(whole_argument(name, value, 0, most_expansion, "from 0 to 32768"));
  } else if (is("seed")) {
    s.seed = whole_argument(name, value, 0, std::numeric_limits<std::uint64_t>::max(), "a number of 64 bits");
  } else if (is("compat")) {
    if (!same_word(value, "valkey") && !same_word(value, "redisbloom")) {
      refuse_argument(name, value, "redisbloom or valkey");
    }
    s.speaks = same_word(value, "valkey") ? dialect::valkey : dialect::redisbloom;
  } else if (is("max-bytes")) {
    s.max_bytes = size_argument(name, value);
  } else if (is("max-work")) {
    s.max_work = size_argument(name, value);
  } else if (is("folder")) {
    if (value.empty() || value.front() != '/') refuse_argument(name, value, "the absolute path of a folder");
    s.folder = value;
  } else {
    throw parameter_error(
        "there is no argument '" + std::string(name) +
        "'; there are ERROR_RATE, INITIAL_SIZE, EXPANSION, seed, compat, max-bytes, max-work, folder");
  }
}

/// A setting that CONFIG knows: the argument's name, the configuration's, and its text now, which the server reads.
struct configured {
  const char* argument;
  const char* name;
  unsigned flags;
  std::string (*usual)(const settings&);
  text* now = nullptr;
};

std::array<configured, 6>& all_configured() {
  static std::array<configured, 6> all = {{
      {"ERROR_RATE", "error-rate", 0, [](const settings& s) { return extend::number_text(s.error); }},
      {"INITIAL_SIZE", "initial-size", 0, [](const settings& s) { return std::to_string(s.capacity); }},
      {"EXPANSION", "expansion", 0, [](const settings& s) { return std::to_string(s.expansion); }},
      {"max-bytes", "max-bytes", 0, [](const settings& s) { return std::to_string(s.max_bytes); }},
      {"max-work", "max-work", 0, [](const settings& s) { return std::to_string(s.max_work); }},
      {"folder", "folder", config_is_protected, [](const settings& s) { return s.folder; }},
  }};
  return all;
}

text* get_configured(const char* /*name*/, void* which) { return static_cast<configured*>(which)->now; }

int set_configured(const char* /*name*/, text* value, void* which, text** why_not) noexcept {
  configured& c = *static_cast<configured*>(which);
  try {
    settings changed = settings_in_use();
    if (c.flags == config_is_protected && view_of(value).empty()) {
      changed.folder.clear();  // no files
    } else {
      read_argument(changed, c.argument, value);
    }
    settings_in_use() = std::move(changed);
  } catch (const std::exception& e) {
    const std::string_view sentence = e.what();
    *why_not = create_string(nullptr, sentence.data(), sentence.size());
    return failed;
  }
  retain_string(nullptr, value);
  if (c.now != nullptr) free_string(nullptr, c.now);
  c.now = value;
  return ok;
}

}  // namespace

bool register_settings(context* ctx) {
  for (configured& c : all_configured()) {
    const std::string usual = c.usual(settings_in_use());
    if (register_string_config(ctx, c.name, usual.c_str(), c.flags, get_configured, set_configured, nullptr, &c) !=
        ok) {
      return false;
    }
  }
  return load_configs(ctx) == ok;
}

const settings& current_settings() noexcept { return settings_in_use(); }

void read_settings(text** arguments, int count) {
  settings s;
  for (int i = 0; i < count; i += 2) {
    const std::string_view name = view_of(arguments[i]);
    if (i + 1 == count) throw parameter_error("the argument '" + std::string(name) + "' has no value");
    read_argument(s, name, arguments[i + 1]);
  }
  settings_in_use() = s;
}

bool same_word(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(a[i])) != std::tolower(static_cast<unsigned char>(b[i]))) return false;
  }
  return true;
}

}  // namespace sluice::redis
