// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Who may touch a filter: many readers, or one writer, among calls that run without the GIL and calls that hold it.
//
// A call without the GIL registers itself while it still has it, and takes the lock after it was let go. A call that
// holds the GIL and finds nobody registered needs no lock: nobody can begin before it ends. So single lookups cost one
// comparison, and a lookup beside an update in another thread waits for a step of it instead of reading half a key.
// Invariants: the lock is never held while its holder waits for the GIL, runs Python code or forks. Whoever has the
// lock, or waits for it, is registered.
//
// fork() leaves the child one thread, the one that forked, and memory as the others left it: locks that nobody will
// give back, calls that will never end, and whatever a writer had half done (a chain between two links, a list that is
// moving), which is worse than a few bits too many. So before a fork (turns.cpp, by pthread_atfork) every lock that a
// registered writer may have is taken, shared: what the child gets is whole steps. In the child, the turns of all
// registered calls are made anew, and those of other threads are forgotten. Calls of the thread that forked, from a
// progress function or a handler of signals, stay registered, and go on in both.
// - Python forks with the GIL. So nobody registers or ends while the locks are taken, and no call that holds the GIL is
//   in the midst of a change.
// - The thread that forks waits for locks with the GIL. By the first invariant their holders come to an end without it:
//   after a step of an update (2 million keys), or a union; and it holds none itself. They may start threads and take
//   memory meanwhile: fork stops the allocator only after this. Readers change nothing and may take long (save), but
//   share the lock: nobody waits for them, unless the system's locks let a waiting writer go first (glibc's do not).
// - A fork without the GIL leaves a child that cannot use Python, and nothing is done about it.
#pragma once

#include <pybind11/pybind11.h>

#include <mutex>
#include <shared_mutex>
#include <thread>

namespace sluice_python {

namespace py = pybind11;

class turns {
public:
  turns() = default;
  turns(const turns&) = delete;
  turns& operator=(const turns&) = delete;
  turns(turns&&) = delete;
  turns& operator=(turns&&) = delete;
  ~turns() = default;

  /// Nobody writes: a reader with the GIL may go on. And nobody reads without it: a writer with the GIL may go on.
  [[nodiscard]] bool unwritten() const noexcept { return writers_ == 0; }
  [[nodiscard]] bool alone() const noexcept { return writers_ == 0 && readers_ == 0; }

  /// A call that is on its way, from here to the end of the scope: made and destroyed with the GIL, by one thread. All
  /// of them are in one list, which a fork goes over.
  class registered {
  public:
    registered(const registered&) = delete;
    registered& operator=(const registered&) = delete;
    registered(registered&&) = delete;
    registered& operator=(registered&&) = delete;

  protected:
    registered(turns& t, bool writes) noexcept;
    ~registered() { leave(), --count(); }
    [[nodiscard]] std::shared_mutex& mutex() const noexcept { return turns_.mutex_; }

  private:
    friend class turns;
    void leave() noexcept;
    [[nodiscard]] int& count() const noexcept { return writes_ ? turns_.writers_ : turns_.readers_; }

    turns& turns_;
    bool writes_;
    std::thread::id thread_ = std::this_thread::get_id();
    registered* before_ = nullptr;
    registered* after_;
  };

  class reading : public registered {
  public:
    explicit reading(turns& t) noexcept : registered(t, false) {}
    /// Taken without the GIL.
    [[nodiscard]] std::shared_lock<std::shared_mutex> lock() const { return std::shared_lock(mutex()); }
    /// To be taken together with another.
    [[nodiscard]] std::shared_lock<std::shared_mutex> deferred() const { return {mutex(), std::defer_lock}; }
  };
  class writing : public registered {
  public:
    explicit writing(turns& t) noexcept : registered(t, true) {}
    [[nodiscard]] std::unique_lock<std::shared_mutex> lock() const { return std::unique_lock(mutex()); }
    [[nodiscard]] std::unique_lock<std::shared_mutex> deferred() const { return {mutex(), std::defer_lock}; }
  };

  /// Calls body() without the GIL, as one of the readers; and as the only writer.
  template <class Body>
  auto read(const Body& body) {
    const reading call(*this);
    const py::gil_scoped_release no_gil;
    const auto lock = call.lock();
    return body();
  }
  template <class Body>
  auto write(const Body& body) {
    const writing call(*this);
    const py::gil_scoped_release no_gil;
    const auto lock = call.lock();
    return body();
  }

  /// From here on children of fork() can use filters that other threads were using. Once, when the module is loaded.
  /// Throws std::bad_alloc.
  static void survive_forks();

private:
  static void before_fork() noexcept;
  static void after_fork_in_parent() noexcept;
  static void after_fork_in_child() noexcept;

  static registered* first_;  // this and the counts are touched with the GIL only
  int readers_ = 0;
  int writers_ = 0;
  bool taken_for_fork_ = false;
  std::shared_mutex mutex_;
};

}  // namespace sluice_python
