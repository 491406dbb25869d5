// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "commands/creation.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <numbers>

#include "commands/command.hpp"
#include "seeds.hpp"
#include "settings.hpp"
#include "sluice/extend/names.hpp"

namespace sluice::redis {

namespace {

/// The sentences of one command in one dialect, each with its prefix or without, as they are.
struct phrases {
  const char* bad_error;
  const char* error_range;
  const char* bad_capacity;
  const char* capacity_range;
  const char* bad_expansion;
  const char* expansion_range;
  const char* unknown;
};
constexpr phrases reserve_phrases = {
    "ERR bad error rate",       "ERR error rate must be in the range (0.000000, 1.000000)",
    "ERR bad capacity",         "ERR capacity must be in the range [1, 1073741824]",
    "ERR bad expansion",        "ERR expansion must be in the range [0, 32768]",
    "Unknown argument received"};
constexpr phrases insert_phrases = {
    "Bad error rate", "Bad error rate",           "Bad capacity", "Bad capacity", "Bad expansion",
    "Bad expansion",  "Unknown argument received"};
constexpr phrases valkey_phrases = {"ERR bad error rate",
                                    "ERR (0 < error rate range < 1)",
                                    "ERR bad capacity",
                                    "ERR (capacity should be larger than 0)",
                                    "ERR bad expansion",
                                    "ERR bad expansion",
                                    "ERR unknown argument received"};

double rate_from(context* ctx, const text* argument, const phrases& say) {
  double rate = 0;
  if (to_double(argument, &rate) != ok) throw refusal(say.bad_error);
  if (!(rate > 0 && rate < 1)) throw refusal(say.error_range);
  if (rate <= most_error) return rate;
  if (!is_told(ctx) && is_asked_for_keys(ctx) == 0) log(ctx, "warning", "Error rate is capped at %f", most_error);
  return most_error;
}

std::uint64_t capacity_from(const text* argument, const phrases& say) {
  long long capacity = 0;
  if (to_integer(argument, &capacity) != ok) throw refusal(say.bad_capacity);
  if (speaks_valkey() && capacity > static_cast<long long>(most_capacity)) throw refusal(exceeds_memory);
  if (capacity < 1 || static_cast<std::uint64_t>(capacity) > most_capacity) throw refusal(say.capacity_range);
  return static_cast<std::uint64_t>(capacity);
}

std::uint32_t expansion_from(const text* argument, const phrases& say) {
  long long expansion = 0;
  if (to_integer(argument, &expansion) != ok) throw refusal(say.bad_expansion);
  if (expansion < (speaks_valkey() ? 1 : 0) || expansion > most_expansion) throw refusal(say.expansion_range);
  return static_cast<std::uint32_t>(expansion);
}

scheme scheme_from(const text* argument) {
  for (const scheme_traits& one : extend::all_scheme_traits) {
    if (!same_word(view_of(argument), one.name) || one.which == scheme::choice) continue;
    if (!one.takes_keys) {
      throw refusal("ERR a " + std::string(one.name) +
                    " filter is made from all its keys at once: build a file of it and load that (BF.LOADFILE)");
    }
    if (one.erases_keys) {
      throw refusal("ERR a " + std::string(one.name) +
                    " keeps keys as often as they are added, which BF.ADD does not: CF.RESERVE makes one");
    }
    return one.which;
  }
  throw refusal(
      "ERR there is no such scheme; choose blocked, gated, bloom-g, classic, alpha, single, sequential or mht");
}

/// Words that other modules do not have, and TIGHTENING, which one has; with the value behind them. False: none of
/// them.
bool read_own_word(creation& c, std::string_view word, options_seen& seen, const std::function<text*()>& value) {
  const auto is = [&](const char* name) {
    if (!same_word(word, name)) return false;
    seen.add(name);
    return true;
  };
  if (is("SEED")) {
    c.seed = seed_from(value());
  } else if (is("SCHEME")) {
    c.wanted.which = scheme_from(value());
  } else if (is("BITSPERKEY")) {
    double bits = 0;
    if (to_double(value(), &bits) != ok || !(bits >= 4 && bits <= 64)) {
      throw refusal("ERR BITSPERKEY must be in the range [4, 64]");
    }
    c.bits_per_key = bits;
  } else if (is("BLOCK")) {
    long long bits = 0;
    if (to_integer(value(), &bits) != ok || (bits != 256 && bits != 512)) throw refusal("ERR BLOCK must be 256 or 512");
    c.wanted.block_bits = static_cast<std::uint32_t>(bits);
  } else if (is("TIGHTENING")) {
    if (to_double(value(), &c.wanted.tightening) != ok) throw refusal("ERR bad tightening ratio");
    if (!(c.wanted.tightening > 0 && c.wanted.tightening < 1)) throw refusal("ERR (0 < tightening ratio range < 1)");
  } else if (is("LIKE")) {
    c.like = value();
  } else {
    return false;
  }
  return true;
}

}  // namespace

double rate_from(context* ctx, const text* argument) {
  return rate_from(ctx, argument, speaks_valkey() ? valkey_phrases : reserve_phrases);
}

std::uint64_t seed_from(const text* argument) {
  unsigned long long seed = 0;
  if (to_unsigned(argument, &seed) == ok) return seed;
  const std::string_view bytes = view_of(argument);
  constexpr std::size_t valkey_seed_bytes = 32;
  if (bytes.size() != valkey_seed_bytes) throw refusal("ERR invalid seed");
  return hasher()(bytes).value;
}

creation usual_creation() {
  const settings& s = current_settings();
  return {.wanted = {.error = s.error, .capacity = s.capacity, .expansion = s.expansion}};
}

creation read_reserve(context* ctx, text** arguments, int count, int first) {
  require_arguments(count, first + 2);
  const phrases& say = speaks_valkey() ? valkey_phrases : reserve_phrases;
  creation c = usual_creation();
  c.wanted.error = rate_from(ctx, arguments[first], say);
  c.wanted.capacity = capacity_from(arguments[first + 1], say);
  bool non_scaling = false;
  bool expands = false;
  options_seen seen;
  for (int i = first + 2; i < count; ++i) {
    const std::string_view word = view_of(arguments[i]);
    const auto value = [&] {
      if (i + 1 == count) throw refusal("ERR no value for the last argument");
      return arguments[++i];
    };
    if (same_word(word, "NONSCALING")) {
      seen.add("NONSCALING");
      non_scaling = true;
    } else if (same_word(word, "EXPANSION")) {
      seen.add("EXPANSION");
      if (i + 1 == count) throw refusal(speaks_valkey() ? "ERROR" : "ERR no expansion");
      c.wanted.expansion = expansion_from(arguments[++i], say);
      expands = c.wanted.expansion != 0;
    } else if (!read_own_word(c, word, seen, value)) {
      throw refusal(speaks_valkey() ? "ERROR" : say.unknown);
    }
  }
  if (non_scaling && expands) throw refusal(speaks_valkey() ? "ERROR" : "Nonscaling filters cannot expand");
  if (non_scaling) c.wanted.expansion = 0;
  return c;
}

creation read_insert(context* ctx, text** arguments, int count, int& items) {
  const phrases& say = speaks_valkey() ? valkey_phrases : insert_phrases;
  creation c = usual_creation();
  bool non_scaling = false;
  options_seen seen;
  items = count;
  for (int i = 2; i < count; ++i) {
    const std::string_view word = view_of(arguments[i]);
    const auto value = [&] {
      if (i + 1 == count) throw wrong_arity();
      return arguments[++i];
    };
    // RedisBloom looks at the first letters alone.
    const auto letter = [&](std::size_t at, char wanted) { return at < word.size() && (word[at] | 0x20) == wanted; };
    const auto is = [&](const char* whole, bool by_letters) {
      if (!same_word(word, whole) && (speaks_valkey() || !by_letters)) return false;
      seen.add(whole);
      return true;
    };
    if (read_own_word(c, word, seen, value)) continue;
    if (is("ITEMS", letter(0, 'i'))) {
      items = i + 1;
      break;
    }
    if (is("ERROR", letter(0, 'e') && letter(1, 'r'))) {
      c.wanted.error = rate_from(ctx, value(), say);
    } else if (is("EXPANSION", letter(0, 'e'))) {
      c.wanted.expansion = expansion_from(value(), say);
    } else if (is("CAPACITY", letter(0, 'c'))) {
      c.wanted.capacity = capacity_from(value(), say);
    } else if (is("NOCREATE", letter(0, 'n') && letter(2, 'c'))) {
      c.may_create = false;
    } else if (is("NONSCALING", letter(0, 'n'))) {
      non_scaling = true;
    } else if (speaks_valkey() && is("VALIDATESCALETO", false)) {
      c.must_scale_to = capacity_from(value(), say);
    } else {
      throw refusal(say.unknown);
    }
  }
  if (non_scaling) c.wanted.expansion = 0;
  if (non_scaling && c.must_scale_to) {
    throw refusal("ERR cannot use NONSCALING and VALIDATESCALETO options together");
  }
  return c;
}

std::uint64_t most_scaled_capacity(const shape& s) {
  double bytes = 0;
  double keys = 0;
  auto capacity = static_cast<double>(s.capacity);
  double rate = s.error * (1 - s.tightening);
  const auto most = static_cast<double>(current_settings().max_bytes);
  constexpr double least_rate = 1e-13;  // what 64 bits a key reach
  for (std::uint32_t links = 0; links < most_links && s.expansion != 0 && rate > least_rate; ++links) {
    bytes += capacity * -std::log(rate) / (std::numbers::ln2 * std::numbers::ln2) / 8 * 1.1;
    if (bytes > most) break;
    keys += capacity;
    capacity *= s.expansion;
    rate *= s.tightening;
  }
  return static_cast<std::uint64_t>(std::max(keys, static_cast<double>(s.capacity)));
}

std::unique_ptr<chain> make_chain(context* ctx, creation& c) {
  if (c.must_scale_to && most_scaled_capacity(c.wanted) < *c.must_scale_to) {
    throw refusal("ERR provided VALIDATESCALETO causes bloom object to exceed memory limit");
  }
  try {
    if (c.like != nullptr) {
      const open_chain source(ctx, c.like, open_to_read);
      const chain& from = require_complete(source);
      auto made = std::make_unique<chain>(from.params(), room(ctx), from.links().front());
      made->set_origin(from.origin());
      return made;
    }
    c.wanted.seed = c.seed ? *c.seed : draw_seed();
    return std::make_unique<chain>(c.wanted, room(ctx), c.bits_per_key);
  } catch (const memory_error& e) {
    throw no_memory_for_filter(e);
  } catch (const std::bad_alloc&) {
    throw refusal("ERR Insufficient memory to create filter");
  } catch (const sluice::error& e) {
    throw refusal(std::string("ERR could not create filter: ") + e.what());
  }
}

namespace {

template <class Number>
[[nodiscard]] std::string digits_of(Number number) {
  std::array<char, 40> digits{};
  return {digits.begin(), std::to_chars(digits.begin(), digits.end(), number).ptr};
}

}  // namespace

std::string number_word(double number) { return digits_of(number); }
std::string number_word(std::uint64_t number) { return digits_of(number); }

void replicate_words(context* ctx, const char* command, text* key, std::span<const std::string> words,
                     std::span<text* const> items) {
  std::vector<text*> strings;
  strings.reserve(words.size() + items.size());
  for (const std::string& word : words) strings.push_back(create_string(ctx, word.data(), word.size()));
  const std::size_t own = strings.size();
  strings.insert(strings.end(), items.begin(), items.end());
  replicate(ctx, command, "sv", key, strings.data(), strings.size());
  for (std::size_t i = 0; i < own; ++i) free_string(ctx, strings[i]);
}

void replicate_creation(context* ctx, text* key, const creation& c, const shape& made, std::span<text* const> items) {
  std::vector<std::string> words;
  const auto say = [&](const char* name, auto value) {
    words.emplace_back(name);
    words.push_back(digits_of(value));
  };
  const bool reserves = items.empty();
  // With LIKE the two numbers are not asked for, but they are checked: a filter that was loaded may have others than
  // any command may say.
  const settings usual;
  say(reserves ? "" : "ERROR", c.like != nullptr ? usual.error : made.error);
  say(reserves ? "" : "CAPACITY", c.like != nullptr ? usual.capacity : made.capacity);
  if (reserves) std::erase(words, "");
  if (c.like != nullptr) {
    words.emplace_back("LIKE");
    words.emplace_back(view_of(c.like));
  } else {
    if (made.expansion == 0) {
      words.emplace_back("NONSCALING");
    } else {
      say("EXPANSION", made.expansion);
    }
    say("TIGHTENING", made.tightening);
    say("BLOCK", made.block_bits);
    if (made.which) words.insert(words.end(), {"SCHEME", std::string(name_of(*made.which))});
    if (c.bits_per_key) say("BITSPERKEY", *c.bits_per_key);
    say("SEED", made.seed);
  }
  if (!reserves) words.emplace_back("ITEMS");
  replicate_words(ctx, reserves ? "BF.RESERVE" : "BF.INSERT", key, words, items);
}

}  // namespace sluice::redis
