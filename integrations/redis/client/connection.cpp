#include "client/connection.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <utility>
#include <vector>

namespace sluice::redis {

namespace {

timeval timeval_of(std::chrono::milliseconds t) {
  return {.tv_sec = t.count() / 1000, .tv_usec = t.count() % 1000 * 1000};
}

/// Of a letter, a number and the end of the line.
std::uint64_t line_bytes(std::uint64_t number) noexcept {
  std::uint64_t bytes = 4;
  for (; number >= 10; number /= 10) ++bytes;
  return bytes;
}

/// Writing to a server that is gone must be an error, not the end of the program: while one of these lives, the signal
/// waits, and it is taken away if it came meanwhile. Of this thread alone.
class without_sigpipe {
public:
  without_sigpipe() {
    sigset_t waiting;
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    was_waiting_ = sigpending(&waiting) == 0 && sigismember(&waiting, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  without_sigpipe(const without_sigpipe&) = delete;
  without_sigpipe& operator=(const without_sigpipe&) = delete;
  without_sigpipe(without_sigpipe&&) = delete;
  without_sigpipe& operator=(without_sigpipe&&) = delete;
  ~without_sigpipe() {
    constexpr timespec at_once{.tv_sec = 0, .tv_nsec = 0};
    const int number = errno;  // of what was written
    if (!was_waiting_) static_cast<void>(sigtimedwait(&pipe_, nullptr, &at_once));
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = number;
  }

private:
  sigset_t pipe_{};
  sigset_t before_{};
  bool was_waiting_ = false;
};

std::uint64_t bytes_in(const redisReply& r) noexcept {
  constexpr std::uint64_t frame = 6;  // a letter, a short number and the ends of lines
  std::uint64_t sum = frame + r.len;
  for (std::size_t i = 0; r.type == REDIS_REPLY_ARRAY && i < r.elements; ++i) sum += bytes_in(*r.element[i]);
  return sum;
}

}  // namespace

connection::connection(endpoint to, const credentials& who, const waiting_times& times, traffic& counted)
    : peer_(std::move(to)),
      traffic_(counted),
      context_(redisConnectWithTimeout(peer_.host.c_str(), peer_.port, timeval_of(times.connect))) {
  if (!context_) throw connection_error("no memory for a connection to " + text_of(peer_));
  if (context_->err != 0) fail("connecting");
  set_patience(times.connect);
  static_cast<void>(redisEnableKeepAlive(context_.get()));
  if (!who.password.empty()) {
    std::vector<std::string_view> words = {"AUTH"};
    if (!who.user.empty()) words.emplace_back(who.user);
    words.emplace_back(who.password);
    const reply said = call(words);
    if (is_error(*said)) throw server_error(text_of(peer_) + " does not let us in: " + std::string(text_of(*said)));
  }
  // A server that was stopped accepts connections and never answers.
  constexpr std::array<std::string_view, 1> ping = {"PING"};
  const reply said = call(ping);
  if (is_error(*said) && text_of(*said).starts_with("NOAUTH")) {
    throw server_error(text_of(peer_) + " wants a password: set REDISCLI_AUTH, or give --password-file");
  }
  set_patience(times.reply);
}

void connection::fail(const char* doing) const {
  const bool timed_out = context_->err == REDIS_ERR_IO && (errno == EAGAIN || errno == EWOULDBLOCK);
  throw connection_error(text_of(peer_) + ": " + doing + ": " +
                         (timed_out ? std::string("no answer in time") : std::string(context_->errstr)));
}

void connection::append(std::span<const std::string_view> words) {
  std::vector<const char*> texts;
  std::vector<std::size_t> sizes;
  traffic_.sent += line_bytes(words.size());
  for (const std::string_view word : words) {
    texts.push_back(word.data());
    sizes.push_back(word.size());
    traffic_.sent += line_bytes(word.size()) + word.size() + 2;
  }
  if (redisAppendCommandArgv(context_.get(), static_cast<int>(words.size()), texts.data(), sizes.data()) != REDIS_OK) {
    fail("writing");
  }
}

void connection::flush() {
  const without_sigpipe quiet;
  int done = 0;
  while (done == 0) {
    if (redisBufferWrite(context_.get(), &done) != REDIS_OK) fail("writing");
  }
}

reply connection::read() {
  void* taken = nullptr;
  if (redisGetReply(context_.get(), &taken) != REDIS_OK || taken == nullptr) fail("reading");
  reply r(static_cast<redisReply*>(taken));
  traffic_.received += bytes_in(*r);
  return r;
}

reply connection::call(std::span<const std::string_view> words) {
  append(words);
  flush();
  return read();
}

void connection::set_patience(std::chrono::milliseconds most) {
  if (redisSetTimeout(context_.get(), timeval_of(most)) != REDIS_OK) fail("setting a time");
}

}  // namespace sluice::redis
