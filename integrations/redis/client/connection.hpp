// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// client/connection: one connection to a server. Commands are gathered, sent together, and their replies read in order.
// hiredis connects, and makes replies of bytes.
//
// Invariants: nothing lasts longer than the time it is given, however fast or slowly bytes come or go: a deadline is
// that of a whole reply, not of its next byte. A server that says nothing at all is given up sooner. No reply takes
// more than most_reply_bytes of the network, nor more than most_reply_elements objects. A connection whose I/O failed
// is never used again: what became of commands without a reply is not known. Not for several threads at once.
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
  std::string user = {};      ///< empty: the default one
  std::string password = {};  ///< empty: a user without one
};

using moment = std::chrono::steady_clock::time_point;

struct waiting_times {
  std::chrono::milliseconds connect{1000};  ///< also for each of the first replies, as a whole
  std::chrono::milliseconds silence{3000};  ///< without a byte, where one is waited for
};

/// A chunk of BF.SCANDUMP has 16 MiB, and nothing that a server says has more.
inline constexpr std::uint64_t most_reply_bytes = (std::uint64_t{16} << 20) + (std::uint64_t{64} << 10);
/// Of all arrays of a reply together. CLUSTER SLOTS has most: all slots apart, with three replicas each, are 400,000.
inline constexpr std::uint64_t most_reply_elements = std::uint64_t{1} << 20;

struct free_reply {
  void operator()(redisReply* r) const noexcept { freeReplyObject(r); }
};
using reply = std::unique_ptr<redisReply, free_reply>;

[[nodiscard]] inline std::string_view text_of(const redisReply& r) noexcept { return {r.str, r.len}; }
[[nodiscard]] inline bool is_error(const redisReply& r) noexcept { return r.type == REDIS_REPLY_ERROR; }

/// Bytes that went over the network, of all connections of a client.
struct traffic {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
};

class connection {
public:
  /// Connects, authenticates, and has heard an answer, all before that moment. Throws connection_error; server_error
  /// where the password is wrong.
  connection(endpoint to, const credentials& who, const waiting_times& times, traffic& counted, moment before);
  connection(const connection&) = delete;  // the reader knows where it is
  connection& operator=(const connection&) = delete;
  connection(connection&&) = delete;
  connection& operator=(connection&&) = delete;
  ~connection() = default;

  [[nodiscard]] const endpoint& peer() const noexcept { return peer_; }

  /// Gathers a command. Nothing is sent yet.
  void append(std::span<const std::string_view> words);
  /// Sends what was gathered. Throws connection_error.
  void flush(moment before);
  /// The next reply. Throws connection_error; server_error for one that is too large.
  [[nodiscard]] reply read(moment before) { return read(before, times_.silence); }
  /// The same, of a server that may say nothing for some time.
  [[nodiscard]] reply read(moment before, std::chrono::milliseconds silence);
  /// One command and its reply, which may be an error.
  [[nodiscard]] reply call(std::span<const std::string_view> words, moment before);

private:
  struct close {
    void operator()(redisContext* c) const noexcept { redisFree(c); }
  };
  [[noreturn]] void fail(const char* doing, const std::string& why) const;
  /// Until the socket is ready for these events of poll(), or until that moment. Throws after so long a silence.
  void await(short events, const char* doing, moment before, std::chrono::milliseconds silence);
  /// A complete reply of what has arrived; none: not yet.
  [[nodiscard]] reply take_reply();
  [[nodiscard]] static void* make_array(const redisReadTask* task, int elements);

  endpoint peer_;
  waiting_times times_;
  traffic& traffic_;
  std::unique_ptr<redisContext, close> context_;
  redisReplyObjectFunctions makers_{};  // of the reader: its own, but for arrays
  void* (*make_usual_array_)(const redisReadTask*, int) = nullptr;
  std::string gathered_;
  std::uint64_t begun_bytes_ = 0;  // that have arrived of the reply that is not complete
  std::uint64_t elements_ = 0;     // of its arrays
};

}  // namespace sluice::redis
