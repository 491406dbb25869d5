// The builder of sealed filters: digests are counted, taken apart group by group, and every group is written by itself.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "builder/digest_ranges.hpp"
#include "builder/sealed_writer.hpp"
#include "sluice/builders.hpp"
#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/errors.hpp"

namespace sluice {

namespace {

/// Beside a list of more keys the filter would no longer be what it is made for. By chance a twentieth of a percent is
/// bumped; small filters may be unlucky.
constexpr std::uint64_t most_bumped(std::uint64_t keys) { return 64 + keys / 64; }

sealed_parameters checked(sealed_parameters p) {
  const bool to_be_sized = p.blocks == 0;
  if (to_be_sized) p.blocks = 1;
  p = std::get<sealed_parameters>(normalised(p));
  if (to_be_sized) p.blocks = 0;
  return p;
}

/// Writes the blocks of a sealed filter, some groups at a time, and gathers the bumped keys.
class sealed_work {
public:
  sealed_work(const sealed_parameters& p, const build_options& options, std::span<std::byte> bytes,
              std::uint64_t all_keys)
      : parameters_(p), options_(options), recipe_(make_recipe(p)), bytes_(bytes), all_keys_(all_keys) {}

  /// The groups whose keys these are. The digests are left in another order.
  void write(const digest_range& range) {
    const auto make_worker = [this] {
      return [this, writer = sealed_writer(recipe_, bytes_)](std::uint64_t group,
                                                             std::span<const digest> keys) mutable {
        const auto fingerprint = [r = parameters_.fingerprint_bits](std::uint32_t /*number*/, const sealed_key& key) {
          return key.fingerprint(r);
        };
        note(keys, writer.write(group, keys, fingerprint));
      };
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

  [[nodiscard]] const even_groups& groups() const noexcept { return recipe_.placement.groups(); }
  [[nodiscard]] std::uint64_t keys_written() const noexcept { return written_.load(); }
  /// When all is written.
  [[nodiscard]] sorted_list list() {
    std::sort(bumped_.begin(), bumped_.end());
    return sorted_list(bumped_);
  }

private:
  void note(std::span<const digest> keys, std::span<const std::uint32_t> bumped) {
    written_ += keys.size();
    if (bumped.empty()) return;
    const std::lock_guard lock(mutex_);
    if (bumped_.size() + bumped.size() > most_bumped(all_keys_)) refuse();
    for (const std::uint32_t number : bumped) bumped_.push_back(keys[number]);
  }
  [[noreturn]] void refuse() const {
    const std::uint64_t enough = sealed_blocks_for(all_keys_, parameters_);
    throw key_error("more than " + std::to_string(most_bumped(all_keys_)) + " of " + std::to_string(all_keys_) +
                    " keys find no place in the " + std::to_string(parameters_.blocks) +
                    " blocks of a sealed filter; " +
                    (parameters_.blocks < enough
                         ? "it needs " + std::to_string(enough) + " of them"
                         : "they were probably chosen by a party that knows the seed: build it with a random one"));
  }

  sealed_parameters parameters_;
  const build_options& options_;
  sealed_recipe recipe_;
  std::span<std::byte> bytes_;
  std::uint64_t all_keys_;
  std::uint64_t done_ = 0;
  std::uint64_t told_ = 0;
  std::atomic<std::uint64_t> written_ = 0;
  std::mutex mutex_;
  std::vector<digest> bumped_;
};

/// How many different digests there are; they are left in another order.
std::uint64_t count_different(std::span<digest> digests, std::uint32_t threads) {
  constexpr std::uint64_t in_a_range = 2048;
  const even_groups ranges(digests.size() / in_a_range + 1, 1);
  std::atomic<std::uint64_t> different = 0;
  const auto make_worker = [&] {
    return [&](std::uint64_t /*range*/, std::span<const digest> keys) { different += keys.size(); };
  };
  const auto finished = [](std::size_t /*keys*/) {};
  range_work(ranges, make_worker, finished).run({digests, 0, ranges.groups()}, threads);
  return different.load();
}

/// A filter whose bytes fill(work) writes.
template <class Fill>
filter made(const sealed_parameters& p, const build_options& options, std::uint64_t keys, const Fill& fill) {
  sorted_list list(sorted_list::options{});
  overflow_state bumped;
  return {p,
          [&](std::span<std::byte> bytes) {
            sealed_work work(p, options, bytes, keys);
            fill(work);
            list = work.list();
            bumped = list.state();
            return work.keys_written();
          },
          bumped};
}

}  // namespace

std::uint64_t sealed_blocks_for(std::uint64_t keys, sealed_parameters p) {
  p.blocks = 0;
  p = checked(p);
  constexpr std::uint64_t most_keys = std::uint64_t{1} << 59;
  if (keys > most_keys) throw parameter_error("a sealed filter has at most 2^59 keys");
  p.blocks = sealed_layout(p.block_bits, p.fingerprint_bits).blocks_for(keys);
  return std::get<sealed_parameters>(normalised(p)).blocks;
}

sealed_builder::sealed_builder(const sealed_parameters& p, digest_store digests)
    : parameters_(checked(p)), hash_(p.seed), digests_(std::move(digests)) {}

filter sealed_builder::build(const build_options& options) {
  sealed_parameters p = parameters_;
  std::uint64_t keys = digests_.size();
  if (p.blocks == 0) {
    keys = count_different(digests_.all(), threads_or_all(options.threads));
    p.blocks = sealed_blocks_for(keys, p);
  }
  return made(p, options, keys, [&](sealed_work& work) { work.write({digests_.all(), 0, work.groups().groups()}); });
}

filter detail::build_sealed_from(const sealed_parameters& p, const digest_source& source, const build_options& options,
                                 std::uint64_t digest_bytes) {
  sealed_parameters q = checked(p);
  std::uint64_t keys = 0;
  source([&](digest /*x*/) { ++keys; });
  if (q.blocks == 0) q.blocks = sealed_blocks_for(keys, q);
  return made(q, options, keys, [&](sealed_work& work) {
    const std::uint64_t groups = work.groups().groups();
    // Groups have equal shares of the keys, nearly.
    const std::uint64_t room = std::max<std::uint64_t>(1, digest_bytes / sizeof(digest));
    const std::uint64_t passes = std::min(groups, keys / room + 1);
    for (std::uint64_t pass = 0; pass < passes; ++pass) {
      const std::uint64_t from = groups * pass / passes;
      const std::uint64_t to = groups * (pass + 1) / passes;
      digest_store digests;
      source([&](digest x) {
        const std::uint64_t group = reduce(x.value, groups);
        if (group >= from && group < to) digests.push_back(x);
      });
      work.write({digests.all(), from, to});
    }
  });
}

}  // namespace sluice
