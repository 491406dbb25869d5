// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// An interrupt that loses nothing: for commands that print while they read, perhaps for ever, and whose last words
// matter. While an interrupt_watch lives, SIGINT, SIGTERM and SIGHUP wait until the piece of work that is being done is
// done; then `finish` is called, and the program ends as the signal ends it. Reading may wait for input meanwhile. A
// second signal does not wait.
//
// The signals are blocked in all threads and taken by one of its own: make the watch before other threads. What is
// ignored (by nohup, say) stays ignored.
#pragma once

#include <csignal>
#include <ctime>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "frame/message.hpp"

namespace sluice_cli {

class interrupt_watch {
public:
  explicit interrupt_watch(std::function<void()> finish) : finish_(std::move(finish)) {
    sigset_t watched;
    sigemptyset(&watched);
    sigaddset(&watched, end_of_watch);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
      struct sigaction now{};
      if (sigaction(number, nullptr, &now) != 0 || now.sa_handler != SIG_IGN) sigaddset(&watched, number);
    }
    pthread_sigmask(SIG_BLOCK, &watched, &before_);  // and so for the threads that are made from now on
    thread_ = std::thread([this, watched] { watch(watched); });
  }
  interrupt_watch(const interrupt_watch&) = delete;
  interrupt_watch& operator=(const interrupt_watch&) = delete;
  interrupt_watch(interrupt_watch&&) = delete;
  interrupt_watch& operator=(interrupt_watch&&) = delete;
  ~interrupt_watch() {
    pthread_kill(thread_.native_handle(), end_of_watch);
    thread_.join();
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);  // what came meanwhile acts now
  }

  /// To be held while a piece of work is done that must not be cut in two.
  [[nodiscard]] std::unique_lock<std::mutex> work() { return std::unique_lock(mutex_); }

private:
  static constexpr int end_of_watch = SIGUSR1;  // sent to the thread alone

  void watch(const sigset_t& watched) {
    int number = 0;
    if (sigwait(&watched, &number) != 0 || number == end_of_watch) return;
    while (!mutex_.try_lock()) {  // for good: no work begins any more
      constexpr timespec moment{.tv_sec = 0, .tv_nsec = 20'000'000};
      const int another = sigtimedwait(&watched, nullptr, &moment);
      if (another == end_of_watch) return;  // it was the last piece, and what follows is done by others
      if (another > 0) end_as(another);
    }
    try {
      finish_();
    } catch (const std::exception& e) {
      say("{}", e.what());
    }
    end_as(number);
  }
  static void end_as(int number) {
    std::signal(number, SIG_DFL);
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
    std::raise(number);
  }

  std::function<void()> finish_;
  std::mutex mutex_;
  sigset_t before_{};
  std::thread thread_;
};

}  // namespace sluice_cli
