// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// room: how much memory a command may take. On a primary a key has at most what the server's maxmemory says, or the
// argument max-bytes where it says nothing; and what is new must fit into what is left of maxmemory, because the server
// itself looks only before a command. A server that evicts keys keeps itself full: there, a command may also take an
// eighth of maxmemory, which the next command makes the server free again. A replica, and a server that reads its own
// files, take what they are given.
// Cost: only commands that want more than 64 KiB ask the server, some tens of microseconds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "module_api.hpp"
#include "settings.hpp"
#include "sluice/errors.hpp"

namespace sluice::redis {

/// There is too little left of maxmemory now; there may be more later. The sentence begins as the server's own.
class out_of_memory : public memory_error {
public:
  using memory_error::memory_error;
};

/// In bytes.
struct memory_wish {
  std::uint64_t more = 0;   ///< that the command takes
  std::uint64_t whole = 0;  ///< that the key has afterwards
};

struct memory_limits {
  std::uint64_t key = std::numeric_limits<std::uint64_t>::max();   ///< of a whole key
  std::uint64_t more = std::numeric_limits<std::uint64_t>::max();  ///< of what is new
};

class room {
public:
  explicit room(context* ctx) noexcept : ctx_(ctx) {}

  /// Throws memory_error or out_of_memory, with both numbers.
  void require(const memory_wish& wish) const {
    if (std::max(wish.more, wish.whole) <= always_allowed) return;
    const memory_limits most = limits();
    if (wish.whole > most.key) {
      throw memory_error("the filter would have " + std::to_string(wish.whole) + " bytes, and " +
                         std::to_string(most.key) + " are the most");
    }
    if (wish.more > most.more) {
      throw out_of_memory("OOM the filter needs " + std::to_string(wish.more) + " bytes more, and " +
                          std::to_string(most.more) + " are left of maxmemory");
    }
  }

  /// What the server allows now.
  [[nodiscard]] memory_limits limits() const {
    if (ctx_ == nullptr) return {};
    constexpr int obeys = context_flags::replicated | context_flags::loading | context_flags::replica;
    if ((get_context_flags(ctx_) & obeys) != 0) return {};
    server_info* const info = get_server_info(ctx_, "memory");
    if (info == nullptr) return {.key = current_settings().max_bytes};
    const auto number = [&](const char* field) {
      int missing = ok;
      const std::uint64_t value = server_info_number(info, field, &missing);
      return missing == ok ? value : 0;
    };
    const std::uint64_t most = number("maxmemory");
    // What waits for replicas and the log is used, but not counted against maxmemory.
    const std::uint64_t all = number("used_memory");
    const std::uint64_t used = all - std::min(all, number("mem_not_counted_for_evict"));
    const char* const policy = server_info_word(info, "maxmemory_policy");
    const bool evicts = policy != nullptr && std::string_view(policy) != "noeviction";
    free_server_info(ctx_, info);
    if (most == 0) return {.key = current_settings().max_bytes};
    const std::uint64_t left = most - std::min(most, used);
    return {.key = most, .more = evicts ? std::max(left, most / 8) : left};
  }

private:
  static constexpr std::uint64_t always_allowed = 65'536;

  context* ctx_;
};

}  // namespace sluice::redis
