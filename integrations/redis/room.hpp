// room: how large a key may become. On a primary, what the server's maxmemory says, or the argument max-bytes where it
// says nothing; a replica and a server that reads its own files take what they are given.
// Cost: only large filters ask the server.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "module_api.hpp"
#include "settings.hpp"
#include "sluice/errors.hpp"

namespace sluice::redis {

class room {
public:
  explicit room(context* ctx) noexcept : ctx_(ctx) {}

  /// Of a whole key, in bytes. Throws memory_error with both numbers.
  void demand(std::uint64_t bytes) const {
    if (bytes <= always_allowed) return;
    const std::uint64_t most = limit();
    if (bytes <= most) return;
    throw memory_error("the filter would have " + std::to_string(bytes) + " bytes, and " + std::to_string(most) +
                       " are the most");
  }

  /// In bytes.
  [[nodiscard]] std::uint64_t limit() const {
    constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
    if (ctx_ == nullptr) return none;
    if ((get_context_flags(ctx_) & (context_flags::replicated | context_flags::loading)) != 0) return none;
    server_info* const info = get_server_info(ctx_, "memory");
    int missing = ok;
    const std::uint64_t most = info != nullptr ? server_info_number(info, "maxmemory", &missing) : 0;
    if (info != nullptr) free_server_info(ctx_, info);
    return missing != ok || most == 0 ? current_settings().max_bytes : most;
  }

private:
  static constexpr std::uint64_t always_allowed = 65'536;

  context* ctx_;
};

}  // namespace sluice::redis
