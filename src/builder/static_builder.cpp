// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The writer of static filters: groups of blocks, by several threads.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "builder/digest_ranges.hpp"
#include "builder/static_group.hpp"
#include "sluice/builders.hpp"
#include "sluice/detail/recipe/recipes.hpp"

namespace sluice {

namespace {

/// Writes the blocks of a static filter, some groups at a time.
class static_writer {
public:
  static_writer(const gated_parameters& p, const build_options& options, std::span<std::byte> bytes,
                std::uint64_t all_keys)
      : parameters_(p), options_(options), recipe_(detail::make_recipe(p)), bytes_(bytes), all_keys_(all_keys) {}

  /// The groups whose keys these are. The digests are left in another order.
  void write(const detail::digest_range& range) {
    const auto make_worker = [this] {
      return [this, writer = detail::static_group_writer(parameters_, options_)](std::uint64_t group,
                                                                                 std::span<const digest> keys) mutable {
        writer.write(bytes_.data(), group, keys);
        written_ += keys.size();
      };
    };
    const auto finished = [this](std::size_t keys) {
      done_ += keys;
      if (options_.progress && all_keys_ != 0 && done_ * 200 / all_keys_ != told_) {
        told_ = done_ * 200 / all_keys_;
        options_.progress(static_cast<double>(done_) / static_cast<double>(all_keys_));
      }
    };
    detail::range_work(groups(), make_worker, finished).run(range, detail::threads_or_all(options_.threads));
  }

  [[nodiscard]] const detail::block_groups& groups() const noexcept { return recipe_.placement.groups(); }
  [[nodiscard]] std::uint64_t group_count() const noexcept { return groups().blocks() / groups().group_blocks(); }
  /// Different ones.
  [[nodiscard]] std::uint64_t keys_written() const noexcept { return written_.load(); }

private:
  using recipe_type =
      detail::gated_recipe<detail::dynamic, detail::dynamic, detail::dynamic, detail::dynamic, detail::dynamic>;

  gated_parameters parameters_;
  const build_options& options_;
  recipe_type recipe_;
  std::span<std::byte> bytes_;
  std::uint64_t all_keys_;
  std::uint64_t done_ = 0;
  std::uint64_t told_ = 0;
  std::atomic<std::uint64_t> written_ = 0;
};

}  // namespace

static_builder::static_builder(const gated_parameters& p, digest_store digests)
    : all_keys_builder(detail::static_parameters(p), std::move(digests)) {}

filter static_builder::build(const build_options& options) {
  return {parameters_, [&](std::span<std::byte> bytes) {
            static_writer writer(parameters_, options, bytes, digests_.size());
            writer.write({digests_.all(), 0, writer.group_count()});
            return writer.keys_written();
          }};
}

filter detail::build_from_source(const gated_parameters& p, const digest_source& source, const build_options& options,
                                 std::uint64_t digest_bytes) {
  const gated_parameters q = static_parameters(p);
  std::uint64_t keys = 0;
  source([&](digest /*x*/) { ++keys; });
  return {q, [&](std::span<std::byte> bytes) {
            static_writer writer(q, options, bytes, keys);
            const block_groups& groups = writer.groups();
            in_passes(
                source, keys, digest_bytes, writer.group_count(),
                [&](digest x) { return groups.first(x) / groups.group_blocks(); },
                [&](const digest_range& range) { writer.write(range); });
            return writer.keys_written();
          }};
}

}  // namespace sluice
