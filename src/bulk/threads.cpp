// Threads for bulk calls: see sluice/detail/bulk/threads.hpp.
#include "sluice/detail/bulk/threads.hpp"

#include <algorithm>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace sluice::detail {

std::uint32_t threads_or_all(std::uint32_t threads) noexcept {
  return threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
}

void bulk::in_parts(std::size_t count, std::uint32_t threads, part_work work) {
  const std::size_t chunks = (count + chunk_keys - 1) / chunk_keys;
  const std::size_t parts = std::min<std::size_t>(threads_or_all(threads), chunks);
  if (parts <= 1) {
    if (count != 0) work.call(work.context, 0, count);
    return;
  }
  std::vector<std::exception_ptr> failures(parts);
  const auto run = [&](std::size_t part) noexcept {
    const std::size_t first = chunks * part / parts * chunk_keys;
    const std::size_t end = std::min(count, chunks * (part + 1) / parts * chunk_keys);
    try {
      work.call(work.context, first, end - first);
    } catch (...) {
      failures[part] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    others.reserve(parts - 1);
    std::size_t begun = 1;
    try {
      for (; begun < parts; ++begun) others.emplace_back(run, begun);
    } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch)
      // No further thread: its parts are left to this one.
    }
    run(0);
    for (; begun < parts; ++begun) run(begun);
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace sluice::detail
