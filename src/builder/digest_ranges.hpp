// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// builder/digest_ranges: digests of all keys, taken apart group by group, by several threads and in place.
//
// Ranges of groups are ranges of digests (builder/digest_groups.hpp). They are halved (std::partition) until they are
// small, and handed to the threads that work on them, group by group. Which thread does what depends on chance; what is
// done does not.
//
// Cost: no memory beside the digests; some 100 ns a key and thread.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "builder/digest_groups.hpp"
#include "bulk/helpers.hpp"
#include "sluice/detail/placement/groups.hpp"
#include "sluice/hash.hpp"

namespace sluice::detail {

/// Works on a range with several threads. make_worker() is called in each thread and returns what is called as
/// worker(number of the group, its digests); finished(digests) is called after each small range with how many it had,
/// by one thread at a time. Groups is block_groups or even_groups. The first exception of any of them ends everything
/// and is thrown here.
template <class Groups, class MakeWorker, class Finished, class Entry = digest>
class range_work {
public:
  range_work(const Groups& groups, const MakeWorker& make_worker, const Finished& finished)
      : groups_(groups), make_worker_(make_worker), finished_(finished) {}

  void run(const range_of<Entry>& all, std::uint32_t threads) {
    waiting_.push_back(all);
    unfinished_ = 1;
    const std::uint64_t most = (all.end_group - all.first_group) / (small / 2);  // ranges are not smaller
    std::vector<std::jthread> helpers =
        bulk::begin_helpers(std::min<std::uint64_t>(threads - 1, most), [this](std::size_t /*number*/) { work(); });
    work();
    helpers.clear();  // joins
    if (failure_) std::rethrow_exception(failure_);
  }

private:
  static constexpr std::uint64_t small = 16;  // groups

  void work() noexcept {
    try {
      auto worker = make_worker_();
      range_of<Entry> range{};
      while (take(range)) {
        while (range.end_group - range.first_group > small) range = lower_half(range);
        for_each_group(groups_, range, worker);
        finish(range.digests.size());
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      waiting_.clear();
      changed_.notify_all();
    }
  }

  /// False when nothing is left, or something has failed.
  [[nodiscard]] bool take(range_of<Entry>& range) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !waiting_.empty() || unfinished_ == 0 || failure_; });
    if (waiting_.empty() || failure_) return false;
    range = waiting_.back();
    waiting_.pop_back();
    return true;
  }
  void finish(std::size_t digests) {
    const std::lock_guard lock(mutex_);
    --unfinished_;
    finished_(digests);
    if (unfinished_ == 0) changed_.notify_all();
  }

  /// Leaves the upper half to anybody.
  [[nodiscard]] range_of<Entry> lower_half(const range_of<Entry>& range) {
    const std::uint64_t middle = range.first_group + (range.end_group - range.first_group) / 2;
    const std::uint64_t block = middle * groups_.group_blocks();
    const auto split = std::partition(range.digests.begin(), range.digests.end(),
                                      [&](const Entry& x) { return groups_.first(digest_of(x)) < block; });
    const auto below = static_cast<std::size_t>(split - range.digests.begin());
    const std::lock_guard lock(mutex_);
    waiting_.push_back({range.digests.subspan(below), middle, range.end_group});
    ++unfinished_;
    changed_.notify_one();
    return {range.digests.first(below), range.first_group, middle};
  }

  const Groups& groups_;
  const MakeWorker& make_worker_;
  const Finished& finished_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<range_of<Entry>> waiting_;
  std::size_t unfinished_ = 0;  // ranges, waiting or in hand
  std::exception_ptr failure_;
};

/// The digests of a source that is read as often as it takes to hold no more than so many bytes of them: calls
/// write(range) for some groups after the other. group_of(digest) is the number of its group.
template <class Source, class GroupOf, class Write>
void in_passes(const Source& source, std::uint64_t keys, std::uint64_t digest_bytes, std::uint64_t groups,
               const GroupOf& group_of, const Write& write) {
  // Groups have equal shares of the keys, nearly.
  const std::uint64_t room = std::max<std::uint64_t>(1, digest_bytes / sizeof(digest));
  const std::uint64_t passes = std::min(groups, keys / room + 1);
  for (std::uint64_t pass = 0; pass < passes; ++pass) {
    const std::uint64_t from = groups * pass / passes;
    const std::uint64_t to = groups * (pass + 1) / passes;
    digest_store digests;
    source([&](digest x) {
      const std::uint64_t group = group_of(x);
      if (group >= from && group < to) digests.push_back(x);
    });
    write(digest_range{digests.all(), from, to});
  }
}

}  // namespace sluice::detail
