// client/connection: one connection to a server, on hiredis. Commands are gathered, sent together, and their replies
// read in order.
//
// Invariants: nothing waits longer than the time it is given. A connection whose I/O failed is never used again: what
// became of commands without a reply is not known. Not for several threads at once.
#pragma once

#include <hiredis/hiredis.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "client/slots.hpp"
#include "sluice/errors.hpp"

namespace sluice::redis {

/// The network failed, or time ran out: the same may do on another connection, later.
class connection_error : public error {
public:
  using error::error;
};
/// A server refused a command, and will refuse it again.
class server_error : public error {
public:
  using error::error;
};

struct credentials {
  std::string user = {};  ///< empty: the default one
  std::string password = {};
};

struct waiting_times {
  std::chrono::milliseconds connect{1000};  ///< also for the first reply
  std::chrono::milliseconds reply{3000};
};

struct free_reply {
  void operator()(redisReply* r) const noexcept { freeReplyObject(r); }
};
using reply = std::unique_ptr<redisReply, free_reply>;

[[nodiscard]] inline std::string_view text_of(const redisReply& r) noexcept { return {r.str, r.len}; }
[[nodiscard]] inline bool is_error(const redisReply& r) noexcept { return r.type == REDIS_REPLY_ERROR; }

/// Bytes that went over the network, of all connections of a client.
struct traffic {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;  ///< of strings and integers: about
};

class connection {
public:
  /// Connects, authenticates, and has heard an answer. Throws connection_error; server_error where the password is
  /// wrong.
  connection(endpoint to, const credentials& who, const waiting_times& times, traffic& counted);

  [[nodiscard]] const endpoint& peer() const noexcept { return peer_; }

  /// Gathers a command. Nothing is sent yet.
  void append(std::span<const std::string_view> words);
  /// Sends what was gathered. Throws connection_error.
  void flush();
  /// The next reply. Throws connection_error.
  [[nodiscard]] reply read();
  /// One command and its reply, which may be an error.
  [[nodiscard]] reply call(std::span<const std::string_view> words);
  /// The most that read() waits, from now on.
  void set_patience(std::chrono::milliseconds most);

private:
  struct close {
    void operator()(redisContext* c) const noexcept { redisFree(c); }
  };
  [[noreturn]] void fail(const char* doing) const;

  endpoint peer_;
  traffic& traffic_;
  std::unique_ptr<redisContext, close> context_;
};

}  // namespace sluice::redis
