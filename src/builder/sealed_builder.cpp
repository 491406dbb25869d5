// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The builder of sealed filters: digests are counted, taken apart group by group, and every group is written by itself.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "builder/digest_ranges.hpp"
#include "builder/sealed_work.hpp"
#include "sluice/builders.hpp"
#include "sluice/detail/derive.hpp"
#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/errors.hpp"

namespace sluice {

namespace {

sealed_parameters check_shape_of(sealed_parameters p) {
  const bool to_be_sized = p.blocks == 0;
  if (to_be_sized) p.blocks = 1;
  p = std::get<sealed_parameters>(detail::normalised(p));
  if (to_be_sized) p.blocks = 0;
  return p;
}

/// What the columns of a filter's keys give.
struct fingerprints {
  std::uint32_t bits;
  [[nodiscard]] std::uint32_t operator()(digest /*x*/, const detail::sealed_key& key) const noexcept {
    return key.fingerprint(bits);
  }
};
using filter_work = detail::sealed_work<digest, fingerprints>;

/// A filter whose bytes fill(work) writes.
template <class Fill>
filter make_filter(const sealed_parameters& p, const build_options& options, std::uint64_t keys, const Fill& fill) {
  detail::sorted_list list(detail::sorted_list::options{});
  overflow_state bumped;
  return {p,
          [&](std::span<std::byte> bytes) {
            filter_work work(p, fingerprints{p.fingerprint_bits}, options, bytes, keys);
            fill(work);
            list = detail::sorted_list(work.bumped());
            bumped = list.state();
            return work.keys_written();
          },
          bumped};
}

}  // namespace

std::uint64_t sealed_builder::blocks_for(std::uint64_t keys, sealed_parameters p) {
  p.blocks = 0;
  p = check_shape_of(p);
  constexpr std::uint64_t most_keys = std::uint64_t{1} << 59;
  if (keys > most_keys) throw parameter_error("a sealed filter has at most 2^59 keys");
  p.blocks = detail::sealed_layout(p.block_bits, p.fingerprint_bits).blocks_for(keys);
  return std::get<sealed_parameters>(detail::normalised(p)).blocks;
}

sealed_builder::sealed_builder(const sealed_parameters& p, digest_store digests)
    : all_keys_builder(check_shape_of(p), std::move(digests)) {}

filter sealed_builder::build(const build_options& options) {
  sealed_parameters p = parameters_;
  std::uint64_t keys = digests_.size();
  if (p.blocks == 0) {
    keys = detail::count_different<digest>(digests_.all(), detail::threads_or_all(options.threads));
    p.blocks = sealed_builder::blocks_for(keys, p);
  }
  return make_filter(p, options, keys,
                     [&](filter_work& work) { work.write({digests_.all(), 0, work.groups().groups()}); });
}

filter detail::build_from_source(const sealed_parameters& p, const digest_source& source, const build_options& options,
                                 std::uint64_t digest_bytes) {
  sealed_parameters q = check_shape_of(p);
  std::uint64_t keys = 0;
  source([&](digest /*x*/) { ++keys; });
  if (q.blocks == 0) q.blocks = sealed_builder::blocks_for(keys, q);
  return make_filter(q, options, keys, [&](filter_work& work) {
    const std::uint64_t groups = work.groups().groups();
    in_passes(
        source, keys, digest_bytes, groups, [&](digest x) { return reduce(x.value, groups); },
        [&](const digest_range& range) { work.write(range); });
  });
}

filter filter::of_all_keys(const parameters& p, digest_store digests, const build_options& options) {
  if (const auto* const sealed = std::get_if<sealed_parameters>(&p)) {
    return sealed_builder(*sealed, std::move(digests)).build(options);
  }
  if (!detail::is_static(p)) {
    throw parameter_error("a " + std::string(detail::scheme_name(p)) +
                          " filter takes keys as they come: it has no builder");
  }
  return static_builder(std::get<gated_parameters>(p), std::move(digests)).build(options);
}

}  // namespace sluice
