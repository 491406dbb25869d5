// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "client/connection.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

namespace sluice::redis {

namespace {

using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

/// From now on, and never less than one: a wait of none may be one without end.
milliseconds left_until(moment before) {
  return std::max(milliseconds(1), std::chrono::duration_cast<milliseconds>(before - clock::now()));
}

timeval timeval_of(milliseconds t) { return {.tv_sec = t.count() / 1000, .tv_usec = t.count() % 1000 * 1000}; }

/// A letter, a number and the end of the line.
void append_line(std::string& to, char letter, std::size_t number) {
  to += letter;
  to += std::to_string(number);
  to += "\r\n";
}

std::string sentence_of(int number) { return std::generic_category().message(number); }

}  // namespace

connection::connection(endpoint to, const credentials& who, const waiting_times& times, traffic& counted, moment before)
    : peer_(std::move(to)),
      times_(times),
      traffic_(counted),
      context_(redisConnectWithTimeout(peer_.host.c_str(), peer_.port,
                                       timeval_of(std::min(times.connect, left_until(before))))) {
  if (!context_) throw connection_error("no memory for a connection to " + text_of(peer_));
  if (context_->err != 0) fail("connecting", context_->errstr);
  makers_ = *context_->reader->fn;
  make_usual_array_ = std::exchange(makers_.createArray, make_array);
  context_->reader->fn = &makers_;
  context_->reader->privdata = this;
  static_cast<void>(redisEnableKeepAlive(context_.get()));
  // In the place of its first answer a server may say why it closes the connection again: it has too many, or takes
  // none from there.
  const auto call_first = [&](std::span<const std::string_view> words) {
    reply said = call(words, std::min(before, clock::now() + times.connect));
    for (const std::string_view away : {"DENIED", "ERR max number of clients"}) {
      if (is_error(*said) && text_of(*said).starts_with(away)) fail("connecting", std::string(text_of(*said)));
    }
    return said;
  };
  if (!who.user.empty() || !who.password.empty()) {
    std::vector<std::string_view> words = {"AUTH"};
    if (!who.user.empty()) words.emplace_back(who.user);
    words.emplace_back(who.password);
    const reply said = call_first(words);
    if (is_error(*said)) throw server_error(text_of(peer_) + " does not let us in: " + std::string(text_of(*said)));
  }
  // A server that was stopped accepts connections and never answers.
  constexpr std::array<std::string_view, 1> ping = {"PING"};
  const reply said = call_first(ping);
  if (is_error(*said) && text_of(*said).starts_with("NOAUTH")) {
    throw server_error(text_of(peer_) + " wants a password: set REDISCLI_AUTH, or give --password-file");
  }
}

void connection::fail(const char* doing, const std::string& why) const {
  throw connection_error(text_of(peer_) + ": " + doing + ": " + why);
}

void connection::await(short events, const char* doing, moment before, milliseconds silence) {
  const moment until = std::min(before, clock::now() + silence);
  for (;;) {
    pollfd socket{.fd = context_->fd, .events = events, .revents = 0};
    const int ready = ::poll(&socket, 1, static_cast<int>(std::min(left_until(until), milliseconds(60'000)).count()));
    if (ready > 0) return;  // also where the connection broke: the call that follows says how
    if (ready < 0 && errno != EINTR) fail(doing, sentence_of(errno));
    if (clock::now() >= before) return;
    if (clock::now() >= until) fail(doing, "no answer in time");
  }
}

void connection::append(std::span<const std::string_view> words) {
  append_line(gathered_, '*', words.size());
  for (const std::string_view word : words) {
    append_line(gathered_, '$', word.size());
    gathered_ += word;
    gathered_ += "\r\n";
  }
}

void connection::flush(moment before) {
  std::string_view rest = gathered_;
  while (!rest.empty()) {
    // Without SIGPIPE: a server that is gone is an error, not the end of the program.
    const ssize_t sent = ::send(context_->fd, rest.data(), rest.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(sent));
      traffic_.sent += static_cast<std::uint64_t>(sent);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      await(POLLOUT, "writing", before, times_.silence);
    } else if (errno != EINTR) {
      fail("writing", sentence_of(errno));
    }
    if (clock::now() >= before && !rest.empty()) fail("writing", "it did not take everything in time");
  }
  gathered_.clear();
}

void* connection::make_array(const redisReadTask* task, int elements) {
  auto& self = *static_cast<connection*>(task->privdata);
  self.elements_ += static_cast<std::uint64_t>(elements);
  return self.elements_ > most_reply_elements ? nullptr : self.make_usual_array_(task, elements);
}

reply connection::take_reply() {
  void* taken = nullptr;
  redisReader* const reader = context_->reader;
  if (redisReaderGetReply(reader, &taken) != REDIS_OK) {
    if (elements_ <= most_reply_elements) fail("reading", reader->errstr);
  } else if (taken != nullptr) {
    begun_bytes_ = reader->len - reader->pos;
    elements_ = 0;
    return reply(static_cast<redisReply*>(taken));
  } else if (begun_bytes_ <= most_reply_bytes) {
    return nullptr;
  }
  throw server_error(text_of(peer_) + ": a reply that is larger than any of a server of ours");
}

reply connection::read(moment before, milliseconds silence) {
  std::array<char, std::size_t{1} << 16> some;
  for (;;) {
    if (reply r = take_reply()) return r;
    if (clock::now() >= before) fail("reading", "no answer in time");
    const ssize_t got = ::recv(context_->fd, some.data(), some.size(), MSG_DONTWAIT);
    if (got > 0) {
      traffic_.received += static_cast<std::uint64_t>(got);
      begun_bytes_ += static_cast<std::uint64_t>(got);
      if (redisReaderFeed(context_->reader, some.data(), static_cast<std::size_t>(got)) != REDIS_OK) {
        fail("reading", context_->reader->errstr);
      }
    } else if (got == 0) {
      fail("reading", "the server closed the connection");
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      await(POLLIN, "reading", before, silence);
    } else if (errno != EINTR) {
      fail("reading", sentence_of(errno));
    }
  }
}

reply connection::call(std::span<const std::string_view> words, moment before) {
  append(words);
  flush(before);
  return read(before);
}

}  // namespace sluice::redis
