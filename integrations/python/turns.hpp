// Who may touch a filter: many readers, or one writer, among calls that run without the GIL and calls that hold it.
//
// A call without the GIL registers itself while it still has it, and takes the lock after it was let go. A call that
// holds the GIL and finds nobody registered needs no lock: nobody can begin before it ends. So single lookups cost one
// comparison, and a lookup beside an update in another thread waits for a step of it instead of reading half a key.
// Invariant: the lock is never held while its holder waits for the GIL.
#pragma once

#include <pybind11/pybind11.h>

#include <mutex>
#include <shared_mutex>

namespace sluice_python {

namespace py = pybind11;

class turns {
public:
  /// Nobody writes: a reader with the GIL may go on. And nobody reads without it: a writer with the GIL may go on.
  [[nodiscard]] bool unwritten() const noexcept { return writers_ == 0; }
  [[nodiscard]] bool alone() const noexcept { return writers_ == 0 && readers_ == 0; }

  /// Registered with the GIL, from here to the end of the scope.
  class reading {
  public:
    explicit reading(turns& t) : turns_(t) { ++turns_.readers_; }
    reading(const reading&) = delete;
    reading& operator=(const reading&) = delete;
    reading(reading&&) = delete;
    reading& operator=(reading&&) = delete;
    ~reading() { --turns_.readers_; }
    /// Taken without the GIL.
    [[nodiscard]] std::shared_lock<std::shared_mutex> lock() const { return std::shared_lock(turns_.mutex_); }
    /// To be taken together with another.
    [[nodiscard]] std::shared_lock<std::shared_mutex> deferred() const { return {turns_.mutex_, std::defer_lock}; }

  private:
    turns& turns_;
  };
  class writing {
  public:
    explicit writing(turns& t) : turns_(t) { ++turns_.writers_; }
    writing(const writing&) = delete;
    writing& operator=(const writing&) = delete;
    writing(writing&&) = delete;
    writing& operator=(writing&&) = delete;
    ~writing() { --turns_.writers_; }
    [[nodiscard]] std::unique_lock<std::shared_mutex> lock() const { return std::unique_lock(turns_.mutex_); }
    [[nodiscard]] std::unique_lock<std::shared_mutex> deferred() const { return {turns_.mutex_, std::defer_lock}; }

  private:
    turns& turns_;
  };

  /// Calls body() without the GIL, as one of the readers; and as the only writer.
  template <class Body>
  auto read(const Body& body) {
    const reading registered(*this);
    const py::gil_scoped_release no_gil;
    const auto lock = registered.lock();
    return body();
  }
  template <class Body>
  auto write(const Body& body) {
    const writing registered(*this);
    const py::gil_scoped_release no_gil;
    const auto lock = registered.lock();
    return body();
  }

private:
  int readers_ = 0;  // of the three, these two are touched with the GIL only
  int writers_ = 0;
  std::shared_mutex mutex_;
};

}  // namespace sluice_python
