// static_builder: the gated filter for people who have all their keys. It decides for every class of every block whether its keys stay or
// are spilled (builder/gate_search.hpp), and comes to half the false positives of the filter that takes keys as they come.
//
//   sluice::static_builder b(sluice::gated_parameters{.blocks = sluice::blocks_for(n, 24), .hashes = 16, .trace = 4, .second_hashes = 13});
//   b.insert_bulk(keys);
//   sluice::filter f = b.build({.threads = 2});
//
//   sluice::filter g = sluice::build_static(parameters, [&](auto&& take) { for (...) take(key); });     keys that do not fit into memory
//
// What comes out is a sluice::filter with is_static set: lookups, later insertions and unions are those of placement/gated.hpp. The same
// keys, in any order and however often, give the same bytes, whatever the number of threads.
// Cost: 8 bytes a key beside the filter, and some 200 bytes a key of the group in hand for each thread; about a microsecond a key.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "sluice/builder/digest_ranges.hpp"
#include "sluice/builder/digest_store.hpp"
#include "sluice/builder/gate_search.hpp"
#include "sluice/builder/options.hpp"
#include "sluice/filter.hpp"

namespace sluice {

namespace detail {

/// The parameters of a static filter: its gates are static, and h and the margin, which play no part, may be left out.
[[nodiscard]] inline gated_parameters static_parameters(gated_parameters p) {
  p.is_static = true;
  if (p.threshold == 0) p.threshold = p.block_bits / 2;  // for insertions into a union
  return std::get<gated_parameters>(normalised(p));
}

/// Writes the blocks of a static filter, some groups at a time.
class static_writer {
public:
  static_writer(const gated_parameters& p, const build_options& options, std::span<std::byte> bytes,
                std::uint64_t all_keys)
      : parameters_(p), options_(options), recipe_(make_recipe(p)), bytes_(bytes), all_keys_(all_keys) {}

  /// The groups whose keys these are. The digests are left in another order.
  void write(const digest_range& range) {
    const auto make_worker = [this] {
      return [this, search = gate_search(parameters_, groups(), options_)](
                 std::uint64_t group, std::span<const digest> keys) mutable { write_group(search, group, keys); };
    };
    const auto finished = [this](std::size_t keys) {
      done_ += keys;
      if (options_.progress && all_keys_ != 0 && done_ * 200 / all_keys_ != told_) {
        told_ = done_ * 200 / all_keys_;
        options_.progress(static_cast<double>(done_) / static_cast<double>(all_keys_));
      }
    };
    range_work(groups(), make_worker, finished).run(range, threads_or_all(options_.threads));
  }

  [[nodiscard]] const block_groups& groups() const noexcept { return recipe_.placement.groups(); }
  [[nodiscard]] std::uint64_t group_count() const noexcept { return groups().blocks() / groups().group_blocks(); }
  /// Different ones.
  [[nodiscard]] std::uint64_t keys_written() const noexcept { return written_.load(); }

private:
  void write_group(gate_search& search, std::uint64_t group, std::span<const digest> keys) {
    const std::uint64_t base = group * groups().group_blocks();
    const std::span<const std::uint8_t> closed = search.decide(base, keys);
    const auto blocks = recipe_.blocks(bytes_.data());
    const std::uint32_t classes = recipe_.block.gates();
    for (std::size_t c = 0; c < closed.size(); ++c) {
      if (closed[c] != 0) recipe_.block.close_gate(blocks[base + c / classes], static_cast<std::uint32_t>(c % classes));
    }
    // Now that the gates stand, the keys obey them as any later one will.
    for (const digest x : keys) recipe_.placement.put(blocks, x);
    written_ += keys.size();
  }

  using recipe_type = gated_recipe<dynamic, dynamic, dynamic, dynamic, dynamic>;

  gated_parameters parameters_;
  const build_options& options_;
  recipe_type recipe_;
  std::span<std::byte> bytes_;
  std::uint64_t all_keys_;
  std::uint64_t done_ = 0;
  std::uint64_t told_ = 0;
  std::atomic<std::uint64_t> written_ = 0;
};

}  // namespace detail

class static_builder {
public:
  /// Throws parameter_error for parameters that describe no filter. is_static is set, h and the margin may be left out.
  explicit static_builder(const gated_parameters& p) : static_builder(p, {}) {}
  /// Of keys whose digests are at hand, made under the seed of the parameters.
  static_builder(const gated_parameters& p, digest_store digests)
      : parameters_(detail::static_parameters(p)), hash_(p.seed), digests_(std::move(digests)) {}

  /// Remembers the key. The same key may come again.
  void insert(const key auto& k) { digests_.push_back(hash_(k)); }
  template <bulk_keys Keys>
  void insert_bulk(const Keys& keys) {
    digests_.reserve_more(std::ranges::size(keys));
    for (const auto& k : keys) insert(k);
  }
  template <std::input_iterator Keys, std::sentinel_for<Keys> End>
  void insert(Keys first, const End& last) {
    for (; first != last; ++first) insert(*first);
  }

  /// Keys as they came, the same ones again included.
  [[nodiscard]] std::uint64_t size() const noexcept { return digests_.size(); }
  [[nodiscard]] const gated_parameters& params() const noexcept { return parameters_; }

  /// The keys stay, in another order, so that a filter can be built again with more keys or other options.
  [[nodiscard]] filter build(const build_options& options = {}) {
    return {parameters_, [&](std::span<std::byte> bytes) {
              detail::static_writer writer(parameters_, options, bytes, digests_.size());
              writer.write({digests_.all(), 0, writer.group_count()});
              return writer.keys_written();
            }};
  }

private:
  gated_parameters parameters_;
  hasher hash_;
  digest_store digests_;
};

/// From a source that can be read again: source(take) calls take(key) for every key, each time the same ones. Where the digests of all keys need
/// more than digest_bytes, the source is read several times, for some groups each time.
template <class Source>
[[nodiscard]] filter build_static(const gated_parameters& p, const Source& source, const build_options& options = {},
                                  std::uint64_t digest_bytes = std::numeric_limits<std::uint64_t>::max()) {
  const gated_parameters q = detail::static_parameters(p);
  const hasher hash(q.seed);
  std::uint64_t keys = 0;
  source([&](const auto& /*k*/) { ++keys; });
  return {q, [&](std::span<std::byte> bytes) {
            detail::static_writer writer(q, options, bytes, keys);
            const std::uint64_t groups = writer.group_count();
            // Groups have equal shares of the keys, nearly.
            const std::uint64_t room = std::max<std::uint64_t>(1, digest_bytes / sizeof(digest));
            const std::uint64_t passes = std::min(groups, keys / room + 1);
            for (std::uint64_t pass = 0; pass < passes; ++pass) {
              const std::uint64_t from = groups * pass / passes;
              const std::uint64_t to = groups * (pass + 1) / passes;
              digest_store digests;
              source([&](const auto& k) {
                const digest x = hash(k);
                const std::uint64_t group = writer.groups().first(x) / writer.groups().group_blocks();
                if (group >= from && group < to) digests.push_back(x);
              });
              writer.write({digests.all(), from, to});
            }
            return writer.keys_written();
          }};
}

}  // namespace sluice
