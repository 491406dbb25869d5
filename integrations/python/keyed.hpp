// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What Filter, GrowingFilter and OpenedFilter are: a sluice::filter_file, with the kind of its keys, which may not be
// known before the first one comes, and the order of calls that run at once.
//
// Invariants: every key is of the one kind. After add or update returned, the key is found.
// Cost: that of the filter; a single lookup takes some 30 ns beside it.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "bulk.hpp"
#include "keys_in.hpp"
#include "made.hpp"
#include "one_key.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/file.hpp"
#include "turns.hpp"

namespace sluice_python {

/// kind=: None, "bytes", "int" (or "u64"), "u32". Throws call_error.
[[nodiscard]] std::optional<sluice::key_kind> kind_of(const py::object& kind);

/// Of keys that were hashed before others could write. Throws parameter_error where a union has given the filter a rule
/// for its keys since: under their old hashes they would never be found. Needs no GIL, but the lock.
void require_same_rule(const sluice::filter_file& f, const sluice::key_hasher& hash);

class keyed : public bound {
public:
  keyed(sluice::filter_file f, bool kind_is_known)
      : file_(std::make_shared<sluice::filter_file>(std::move(f))),
        kind_is_known_(kind_is_known),
        is_sealed_(sluice::extend::is_sealed(file_->contents().filters.back().params)) {}

  [[nodiscard]] bool has(PyObject* key);
  bool add(PyObject* key);
  [[nodiscard]] py::array_t<bool> contains(const py::object& keys, const std::optional<std::int64_t>& threads,
                                           const py::object& progress);
  std::uint64_t update(const py::object& keys, const std::optional<std::int64_t>& threads, const py::object& progress);
  [[nodiscard]] py::array_t<bool> add_new(const py::object& keys, const std::optional<std::int64_t>& threads,
                                          const py::object& progress);
  /// Takes a key out again, once; false: nothing was like it. Throws parameter_error where the filter is not erasable.
  bool discard(PyObject* key);
  /// Many; how many were in.
  std::uint64_t discard_all(const py::object& keys, const py::object& progress);
  /// How often a key seems to be in.
  [[nodiscard]] std::uint64_t count_of(PyObject* key);
  [[nodiscard]] py::array_t<std::uint64_t> counts(const py::object& keys, const py::object& progress);
  void merge(keyed& other);
  /// Folds the filter (filter::fold): fold(file) does it, and says how often.
  template <class Fold>
  std::uint32_t fold_by(const Fold& fold) {
    sluice::filter_file& f = file();
    const auto held = file_;
    return turns_.write([&] { return fold(f); });
  }
  /// Forgets all keys; the kind stays. Throws parameter_error for a sealed filter, file_error for what is read-only.
  void clear();
  /// Both have the same answer for every key. What is closed equals itself.
  [[nodiscard]] bool equals(keyed& other);

  /// Throws parameter_error after close().
  void require_open() const;
  [[nodiscard]] sluice::filter_file& file() const;
  [[nodiscard]] bool is_closed() const noexcept { return file_ == nullptr; }
  void close() noexcept { file_.reset(); }
  /// With the GIL let go, as one of the readers.
  template <class Body>
  auto read(const Body& body) {
    sluice::filter_file& f = file();
    const auto held = file_;  // whoever closes meanwhile
    return turns_.read([&] { return body(std::as_const(f)); });
  }
  /// Of its keys, as it is now: a union may give the filter a rule for them.
  [[nodiscard]] sluice::key_hasher hash() {
    const auto of = [](const sluice::filter_file& f) { return f.hash(); };
    return turns_.unwritten() ? of(file()) : read(of);
  }
  /// The kind, if it is known.
  [[nodiscard]] std::optional<sluice::key_kind> kind() const;
  /// The filter as it is, for a copy of this.
  [[nodiscard]] sluice::filter_file copy() {
    return read([](const sluice::filter_file& f) { return f; });
  }
  /// A file names the kind of its keys. Throws call_error while it is not known.
  void require_kind() const;
  /// Is the number of its keys an estimate, because it was united with another? (A file does not say.)
  [[nodiscard]] bool keys_are_estimated() const noexcept { return keys_are_estimated_; }
  void set_keys_estimated(bool estimated) noexcept { keys_are_estimated_ = estimated; }

private:
  /// Before keys of this kind are looked up in our file: throws key_error if it has others.
  void require(const sluice::filter_file& f, sluice::key_kind kind) const {
    if (kind_is_known_ && f.kind() != kind) f.require_keys(kind);
  }
  /// Our file, for calls that run Python code, which may close the filter. Throws parameter_error after close().
  [[nodiscard]] std::shared_ptr<sluice::filter_file> held_file() const {
    require_open();
    return file_;
  }
  /// Before keys of this kind are added. Throws parameter_error if the filter takes none.
  void settle(sluice::key_kind kind);
  /// Calls add(), which adds keys of this kind. If it throws, and no key came in, the kind is as unknown as it was.
  template <class Add>
  void add_of(sluice::key_kind kind, const Add& add) {
    const bool was_known = kind_is_known_;
    settle(kind);
    try {
      add();
    } catch (...) {
      if (file_ && turns_.alone() && file_->keys_inserted() == 0) kind_is_known_ = was_known;
      throw;
    }
  }
  /// Throws parameter_error.
  void require_erasable() const;
  /// After keys were added. Throws where warnings are errors; then the keys are in the filter.
  void warn_once() {
    // Whoever writes at this moment will come here, too.
    if (warned_ || file_ == nullptr || file_->planned_keys() == 0 || !turns_.unwritten()) return;
    if (const std::uint64_t keys = file_->keys_inserted(); keys > file_->planned_keys()) {
      warned_ = true;
      warn_overfull(keys, file_->planned_keys());
    }
  }

  std::shared_ptr<sluice::filter_file> file_;  // none: closed
  bool kind_is_known_;
  bool is_sealed_;  // and takes no keys
  bool keys_are_estimated_ = false;
  bool warned_ = false;
  turns turns_;
};

}  // namespace sluice_python
