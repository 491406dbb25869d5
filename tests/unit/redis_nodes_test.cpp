// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What a program that goes on after an error gets from the client of a Redis Cluster. Nodes are threads of the test.
#include <gtest/gtest.h>
#include <hiredis/hiredis.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "client/cluster.hpp"

namespace sluice::redis {
namespace {

/// Answers GET with the key, and CLUSTER SLOTS with what it was told.
class node {
public:
  node() {
    sockaddr_in here{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
    socklen_t size = sizeof here;
    auto* const address = reinterpret_cast<sockaddr*>(&here);
    EXPECT_EQ(::bind(listener_, address, size) | ::listen(listener_, 16) | ::getsockname(listener_, address, &size), 0);
    at_ = {"127.0.0.1", ntohs(here.sin_port)};
    acceptor_ = std::jthread([this] { accept_all(); });
  }
  node(const node&) = delete;
  node& operator=(const node&) = delete;
  node(node&&) = delete;
  node& operator=(node&&) = delete;
  ~node() {
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    for (const int link : links_) ::shutdown(link, SHUT_RDWR);
    servers_.clear();
    for (const int link : links_) ::close(link);
    ::close(listener_);
  }

  [[nodiscard]] const endpoint& at() const noexcept { return at_; }

  std::string slots;                    // before anybody asks
  std::atomic<bool> is_locked = false;  // wants a password

private:
  void accept_all() {
    for (;;) {
      const int link = ::accept(listener_, nullptr, nullptr);
      if (link < 0) return;
      links_.push_back(link);
      servers_.emplace_back([this, link] { serve(link); });
    }
  }

  void serve(int link) const {
    const std::unique_ptr<redisReader, decltype(&redisReaderFree)> reader(redisReaderCreate(), redisReaderFree);
    std::array<char, 4096> some{};
    for (;;) {
      void* asked = nullptr;
      ASSERT_EQ(redisReaderGetReply(reader.get(), &asked), REDIS_OK);
      if (asked == nullptr) {
        const ssize_t got = ::recv(link, some.data(), some.size(), 0);
        if (got <= 0) return;
        redisReaderFeed(reader.get(), some.data(), static_cast<std::size_t>(got));
        continue;
      }
      const std::string said = answer(*reply(static_cast<redisReply*>(asked)));
      ::send(link, said.data(), said.size(), MSG_NOSIGNAL);
    }
  }

  [[nodiscard]] std::string answer(const redisReply& words) const {
    const std::string_view what = text_of(*words.element[0]);
    if (is_locked) return "-NOAUTH Authentication required.\r\n";
    if (what == "CLUSTER") return slots;
    if (what == "GET") return "+" + std::string(text_of(*words.element[1])) + "\r\n";
    return "+PONG\r\n";
  }

  int listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
  endpoint at_;
  std::vector<int> links_;
  std::vector<std::jthread> servers_;
  std::jthread acceptor_;
};

std::string slots_of(const node& first, const node& second) {
  const auto range = [](const char* slots, const node& n) {
    return std::string("*3\r\n") + slots + "*2\r\n$9\r\n127.0.0.1\r\n:" + std::to_string(n.at().port) + "\r\n";
  };
  return "*2\r\n" + range(":0\r\n:8191\r\n", first) + range(":8192\r\n:16383\r\n", second);
}

TEST(nodes, answers_that_nobody_waited_for_are_not_given_to_the_next_request) {
  node one;
  node other;
  // Requests are sent in this order, so that the first has its own when the second refuses.
  node& first = one.at() < other.at() ? one : other;
  node& second = &first == &one ? other : one;
  first.slots = second.slots = slots_of(first, second);
  cluster nodes({.to = {first.at()}});
  const auto ask = [&](const std::vector<request>& all) {
    std::vector<std::string> answers(all.size());
    nodes.run(all, [&](std::size_t number, const redisReply& said, const endpoint& /*node*/) {
      answers[number] = text_of(said);
    });
    return answers;
  };
  second.is_locked = true;
  EXPECT_THROW(static_cast<void>(ask({{0, {"GET", "a"}}, {all_slots - 1, {"GET", "b"}}})), server_error);
  second.is_locked = false;
  EXPECT_EQ(ask({{0, {"GET", "c"}}, {all_slots - 1, {"GET", "d"}}}), (std::vector<std::string>{"c", "d"}));
}

}  // namespace
}  // namespace sluice::redis
