// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Keys from a file through a filter: one thread reads batches, any number works on them, one takes what came out, in
// the order of the input.
#pragma once

#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "frame/progress.hpp"
#include "keys/key_input.hpp"
#include "sluice/builders.hpp"
#include "sluice/extend/bulk.hpp"

namespace sluice_cli {

/// A batch, and room for what is made of it.
struct worked_batch {
  sluice_keys::key_batch keys;
  std::vector<sluice::digest> digests;
  std::vector<std::uint8_t> answers;
  std::vector<std::uint32_t> values;  ///< that a map has for the keys
  std::string output;
};

/// That all batches on their way may have together, where keys are so long: 32 batches of the usual longest key.
inline constexpr std::size_t most_batch_bytes = std::size_t{512} << 20;

inline void add_threads(CLI::App& app, std::uint32_t& threads) {
  app.add_option("--threads", threads, "0: as many as the machine has")
      ->capture_default_str()
      ->check(CLI::Range(0, 1024).description(""));
}

/// Reads all keys: work(batch) by any thread, then take(batch) by one at a time, in order. Throws what any of them
/// throws. Tells of its progress as `what`, unless that is empty.
template <class Work, class Take>
void for_all_keys(sluice_keys::key_input& input, std::uint32_t threads, const std::string& what, const Work& work,
                  const Take& take) {
  const std::uint32_t count = sluice::extend::threads_or_all(threads);
  // Every batch may be one key of the greatest length.
  const std::size_t room = std::max<std::size_t>(2, most_batch_bytes / std::max<std::size_t>(1, input.longest()));
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, std::max<std::size_t>(2, count));
  progress_line line;
  std::uint64_t done = 0;
  // Batches are used again, so that their memory is taken once.
  std::vector<std::unique_ptr<worked_batch>> all;
  std::vector<worked_batch*> idle;
  std::mutex idle_mutex;
  std::exception_ptr trouble;
  const auto read = [&](tbb::flow_control& flow) -> worked_batch* {
    worked_batch* batch = nullptr;
    {
      const std::lock_guard lock(idle_mutex);
      if (idle.empty()) idle.push_back(all.emplace_back(std::make_unique<worked_batch>()).get());
      batch = idle.back();
      idle.pop_back();
    }
    try {
      if (!input.next(batch->keys)) flow.stop();
    } catch (...) {
      // The keys before it are still to be taken: an error from a stage would drop them.
      trouble = std::current_exception();
      batch->keys.clear();
      flow.stop();
    }
    done += batch->keys.size();
    if (!what.empty()) line.tell(what, input.share_read(), done);
    return batch;
  };
  const auto worked = [&](worked_batch* batch) {
    work(*batch);
    return batch;
  };
  const auto taken = [&](worked_batch* batch) {
    take(*batch);
    const std::lock_guard lock(idle_mutex);
    idle.push_back(batch);
  };
  tbb::parallel_pipeline(std::min(2 * std::size_t{count} + 2, room),
                         tbb::make_filter<void, worked_batch*>(tbb::filter_mode::serial_in_order, read) &
                             tbb::make_filter<worked_batch*, worked_batch*>(tbb::filter_mode::parallel, worked) &
                             tbb::make_filter<worked_batch*, void>(tbb::filter_mode::serial_in_order, taken));
  if (trouble) std::rethrow_exception(trouble);
}

/// The same for insertions: digests are made by any thread, take(digests) is called in order. Returns the number of
/// keys.
template <class Take>
std::uint64_t for_all_digests(sluice_keys::key_input& input, std::uint32_t threads, const std::string& what,
                              std::uint64_t seed, const Take& take) {
  const sluice::hasher hash(seed);
  std::uint64_t keys = 0;
  for_all_keys(
      input, threads, what, [&](worked_batch& batch) { batch.keys.make_digests(hash, batch.digests); },
      [&](const worked_batch& batch) {
        keys += batch.digests.size();
        take(batch.digests);
      });
  return keys;
}

}  // namespace sluice_cli
