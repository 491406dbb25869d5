// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Long work that knows nothing of Python: it runs in a thread of its own, without the GIL, while the thread that called
// looks after signals (Ctrl-C) and progress. Python runs its signal handlers in the main thread alone, and builders
// tell their progress in any: hence the second thread.
//
// A handler or the progress may fork. The child does not have that thread: there the call ends with an error, and what
// the thread was working with is left as it is.
#pragma once

#include <pybind11/pybind11.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

#include "bulk.hpp"
#include "errors.hpp"

namespace sluice_python {

/// Calls work(tell) and returns what it returns. `tell(share)` is to be called now and then, by any thread; when the
/// work is to end early, it throws. Throws what the work, a signal handler or the progress throws.
template <class Work>
auto watch(const progress_teller& progress, const Work& work) {
  struct stopped : std::exception {};
  std::atomic<double> share = 0;
  std::atomic<bool> stop = false;
  const auto tell = [&](double done) {
    if (stop) throw stopped();
    share = done;
  };
  using Result = std::invoke_result_t<const Work&, decltype(tell)>;
  std::optional<Result> result;
  std::exception_ptr failure;
  std::mutex mutex;
  std::condition_variable changed;
  bool ended = false;
  std::exception_ptr interrupted;
  {
    const pid_t process = ::getpid();
    auto worker = std::make_unique<std::jthread>([&] {
      try {
        result.emplace(work(tell));
      } catch (...) {
        failure = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      ended = true;
      changed.notify_all();
    });
    const auto wait = [&](bool forever) {
      const py::gil_scoped_release no_gil;
      std::unique_lock lock(mutex);
      if (forever) {
        changed.wait(lock, [&] { return ended; });
      } else {
        changed.wait_for(lock, std::chrono::milliseconds(50), [&] { return ended; });
      }
      return ended;
    };
    double told = 0;
    while (!wait(interrupted != nullptr)) {
      try {
        if (PyErr_CheckSignals() != 0) throw_python_error();
        if (const double now = share; now > told && now < 1) progress(told = now);
      } catch (...) {
        interrupted = std::current_exception();
        stop = true;
      }
      if (::getpid() == process) continue;
      static_cast<void>(worker.release());  // nobody can join it here
      if (interrupted) std::rethrow_exception(interrupted);
      throw sluice::error("the process was forked during the call, and the thread that did its work is in the parent");
    }
    const py::gil_scoped_release no_gil;
    worker->join();
  }
  if (interrupted) std::rethrow_exception(interrupted);
  if (failure) std::rethrow_exception(failure);
  progress(1);
  return std::move(*result);
}

}  // namespace sluice_python
