// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// commands/creation: what a new filter is to be, from the words of BF.RESERVE, BF.INSERT and BF.PLAN; and the words
// that make the same one on a replica and in the AOF: with its seed. Of what all families of filters have in theirs:
// rates, seeds, and options that do not come twice.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chain.hpp"
#include "module_api.hpp"
#include "refusal.hpp"

namespace sluice::redis {

struct creation {
  shape wanted = {};
  std::optional<double> bits_per_key = std::nullopt;
  std::optional<std::uint64_t> seed = std::nullopt;  ///< none: to be drawn
  text* like = nullptr;                              ///< a key whose shape and seed it gets
  bool may_create = true;
  std::optional<std::uint64_t> must_scale_to = std::nullopt;
};

/// The options of a command, of which none may come twice: the server looked for the rights and the slot of one key
/// behind LIKE, and must not find another one used.
class options_seen {
public:
  void add(const char* name) {
    if (std::find(seen_.begin(), seen_.end(), std::string_view(name)) != seen_.end()) {
      throw refusal(std::string("ERR ") + name + " is given twice");
    }
    seen_.emplace_back(name);
  }

private:
  std::vector<std::string_view> seen_;
};

/// A rate between 0 and 1, with BF.RESERVE's sentences for what is none, and 64 bits. Both throw refusal.
[[nodiscard]] double rate_from(context* ctx, const text* argument);
[[nodiscard]] std::uint64_t seed_from(const text* argument);

/// Sends `command key words items` to replicas and the AOF.
void replicate_words(context* ctx, const char* command, text* key, std::span<const std::string> words,
                     std::span<text* const> items);
/// A number as it reads back, a double as short as it does.
[[nodiscard]] std::string number_word(double number);
[[nodiscard]] std::string number_word(std::uint64_t number);

/// What adding to a key without a filter makes.
[[nodiscard]] creation usual_creation();

/// BF.RESERVE key error_rate capacity [options], and BF.PLAN, whose numbers stand at `first`. Throws refusal.
[[nodiscard]] creation read_reserve(context* ctx, text** arguments, int count, int first);
/// BF.INSERT key [options] ITEMS items: `items` becomes the place of the first item, or count, where there are none.
[[nodiscard]] creation read_insert(context* ctx, text** arguments, int count, int& items);

/// The filter itself; the seed is drawn. Throws refusal, with the sentences for what cannot be.
[[nodiscard]] std::unique_ptr<chain> make_chain(context* ctx, creation& c);

/// Makes the same filter with the same items elsewhere. The items are those that were taken.
void replicate_creation(context* ctx, text* key, const creation& c, const shape& made, std::span<text* const> items);

/// How many keys a chain can have before its links take more than max-bytes: about.
[[nodiscard]] std::uint64_t most_scaled_capacity(const shape& s);

}  // namespace sluice::redis
