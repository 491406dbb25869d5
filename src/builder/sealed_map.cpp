// The sealed map: blocks that a sealed_work writes, a list with values, and lookups by the kernels of this processor.
#include "sluice/sealed_map.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "builder/sealed_work.hpp"
#include "bulk/sealed.hpp"
#include "sluice/detail/memory/storage.hpp"
#include "sluice/detail/overflow/sorted_list.hpp"
#include "sluice/errors.hpp"

namespace sluice::detail {

namespace {

constexpr std::uint32_t most_bits = sealed_layout::most_fingerprint;

sealed_map_parameters checked(sealed_map_parameters p, std::span<const sealed_pair> pairs) {
  std::uint32_t largest = 0;
  for (const sealed_pair& one : pairs) largest = std::max(largest, one.value);
  const auto needed = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(std::bit_width(largest)));
  if (p.value_bits == 0) p.value_bits = needed;
  if (p.value_bits < needed) {
    throw parameter_error("the value " + std::to_string(largest) + " needs " + std::to_string(needed) +
                          " bits; this sealed map has " + std::to_string(p.value_bits) + " for each");
  }
  if (p.value_bits > most_bits || p.check_bits > most_bits - p.value_bits) {
    throw parameter_error("a sealed map has at most 32 bits for a value and its check, not " +
                          std::to_string(p.value_bits) + " and " + std::to_string(p.check_bits));
  }
  return p;
}

}  // namespace

class sealed_values::body {
public:
  body(const sealed_map_parameters& p, std::span<sealed_pair> pairs, const build_options& options)
      : params(checked(p, pairs)),
        sealed_(sized(pairs, options.threads)),
        recipe_(make_recipe(sealed_)),
        bytes_(recipe_.bytes()) {
    // The value in the low bits of the columns, the check above it.
    const auto column = [this](const sealed_pair& one, const sealed_key& key) { return one.value | check_of(key); };
    sealed_work<sealed_pair, decltype(column)> work(sealed_, column, options, {bytes_.data(), bytes_.size()},
                                                    pairs.size());
    work.write({pairs, 0, work.groups().groups()});
    keys = work.keys_written();
    std::vector<digest> digests;
    for (const sealed_pair& one : work.bumped()) {
      digests.push_back(one.key);
      list_values_.push_back(one.value);
    }
    list_ = sorted_list(digests);
    filter_ = {bytes_.data(), recipe_.placement.groups(), recipe_.placement.blocks(), list_.view()};
  }
  body(const body&) = delete;
  body& operator=(const body&) = delete;
  body(body&&) = delete;
  body& operator=(body&&) = delete;
  ~body() = default;

  [[nodiscard]] std::optional<std::uint32_t> get(digest x) const noexcept {
    const bulk::sealed_value found = code_.value(filter_, x);
    if (found.ask) {
      if (const auto listed = in_list(x)) return listed;
    }
    if ((found.value & ~value_mask()) != check_of(sealed_key(x))) return std::nullopt;
    return found.value & value_mask();
  }
  void get_chunk(const bulk::chunk& some, std::uint32_t* values, std::uint8_t* known) const noexcept {
    std::array<std::uint16_t, bulk::chunk_keys> ask;
    const std::size_t asks = code_.values(filter_, some, values, ask.data());
    const std::uint32_t mask = value_mask();
    for (std::size_t i = 0; i < some.count; ++i) {
      const bool right = (values[i] & ~mask) == check_of(sealed_key(some.digests[i]));
      known[i] = right ? 1 : 0;
      values[i] = right ? values[i] & mask : 0;
    }
    for (std::size_t n = 0; n < asks; ++n) {
      const auto listed = in_list(some.digests[ask[n]]);
      if (!listed) continue;
      values[ask[n]] = *listed;
      known[ask[n]] = 1;
    }
  }

  [[nodiscard]] std::uint64_t listed() const noexcept { return list_values_.size(); }
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept {
    return bytes_.size() + list_.memory_bytes() + list_values_.size() * sizeof(std::uint32_t);
  }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {bytes_.data(), bytes_.size()}; }

  const sealed_map_parameters params;
  std::uint64_t keys = 0;

private:
  [[nodiscard]] sealed_parameters sized(std::span<sealed_pair> pairs, std::uint32_t threads) const {
    sealed_parameters p{.block_bits = params.block_bits,
                        .fingerprint_bits = params.value_bits + params.check_bits,
                        .seed = params.seed};
    p.blocks = sealed_blocks_for(count_different(pairs, threads_or_all(threads)), p);
    return p;
  }
  [[nodiscard]] std::uint32_t value_mask() const noexcept {
    return static_cast<std::uint32_t>(bits::low_bits(params.value_bits));
  }
  /// Where the columns have them; never 0 where there are any, so that empty blocks know nobody.
  [[nodiscard]] std::uint32_t check_of(const sealed_key& key) const noexcept {
    if (params.check_bits == 0) return 0;
    return key.fingerprint(params.check_bits) << params.value_bits;
  }
  [[nodiscard]] std::optional<std::uint32_t> in_list(digest x) const noexcept {
    const sorted_list_view list = list_.view();
    const std::uint64_t number = list.lower_bound(x);
    if (number == list.size() || list[number] != x) return std::nullopt;
    return list_values_[static_cast<std::size_t>(number)];
  }

  sealed_parameters sealed_;
  sealed_recipe recipe_;
  owned_bytes bytes_;
  sorted_list list_{sorted_list::options{}};
  std::vector<std::uint32_t> list_values_;  // by number in the list
  bulk::sealed_filter filter_;
  const bulk::sealed_code& code_ = bulk::code_for(recipe_.block.layout());
};

sealed_values::sealed_values(const sealed_map_parameters& p, std::span<sealed_pair> pairs, const build_options& options)
    : body_(std::make_shared<const body>(p, pairs, options)) {}
std::optional<std::uint32_t> sealed_values::get(digest x) const noexcept { return body_->get(x); }
void sealed_values::get_chunk(const bulk::chunk& some, std::uint32_t* values, std::uint8_t* known) const noexcept {
  body_->get_chunk(some, values, known);
}
const sealed_map_parameters& sealed_values::params() const noexcept { return body_->params; }
std::uint64_t sealed_values::size() const noexcept { return body_->keys; }
std::uint64_t sealed_values::listed() const noexcept { return body_->listed(); }
std::uint64_t sealed_values::memory_bytes() const noexcept { return body_->memory_bytes(); }
std::span<const std::byte> sealed_values::bytes() const noexcept { return body_->bytes(); }

}  // namespace sluice::detail
