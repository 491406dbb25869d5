// commands/creation: what a new filter is to be, from the words of BF.RESERVE, BF.INSERT and BF.PLAN; and the words
// that make the same one on a replica and in the AOF: with its seed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chain.hpp"
#include "module_api.hpp"

namespace sluice::redis {

struct creation {
  shape wanted = {};
  std::optional<double> bits_per_key = std::nullopt;
  std::optional<std::uint64_t> seed = std::nullopt;  ///< none: to be drawn
  text* like = nullptr;                              ///< a key whose shape and seed it gets
  bool may_create = true;
  std::optional<std::uint64_t> must_scale_to = std::nullopt;
};

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
