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
#include "key_array.hpp"
#include "made.hpp"
#include "one_key.hpp"
#include "sluice/file.hpp"
#include "turns.hpp"

namespace sluice_python {

/// kind=: None, "bytes", "int" (or "u64"), "u32". Throws call_error.
[[nodiscard]] std::optional<sluice::key_kind> kind_of(const py::object& kind);

class keyed : public bound {
public:
  keyed(sluice::filter_file f, bool kind_is_known)
      : file_(std::make_shared<sluice::filter_file>(std::move(f))),
        hash_(file_->seed()),
        kind_is_known_(kind_is_known),
        is_sealed_(sluice::is_sealed(file_->contents().filters.back().params)) {}

  [[nodiscard]] bool has(PyObject* key);
  bool add(PyObject* key);
  [[nodiscard]] py::array_t<bool> contains(const py::object& keys, const std::optional<std::int64_t>& threads,
                                           const py::object& progress);
  std::uint64_t update(const py::object& keys, const std::optional<std::int64_t>& threads, const py::object& progress);
  void merge(keyed& other);

  /// Throws parameter_error after close().
  void demand_open() const;
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
  /// The kind, if it is known.
  [[nodiscard]] std::optional<sluice::key_kind> kind() const;
  /// The filter as it is, for a copy of this.
  [[nodiscard]] sluice::filter_file copy() {
    return read([](const sluice::filter_file& f) { return f; });
  }
  /// A file names the kind of its keys. Throws call_error while it is not known.
  void demand_kind() const;

private:
  /// Before keys of this kind are looked up: throws key_error if the filter has others. Precondition: it is open.
  void demand(sluice::key_kind kind) const {
    if (kind_is_known_ && file_->keys() != kind) file_->demand_keys(kind);
  }
  /// Before keys of this kind are added. Throws parameter_error if the filter takes none.
  void settle(sluice::key_kind kind);

  std::shared_ptr<sluice::filter_file> file_;  // none: closed
  sluice::hasher hash_;
  bool kind_is_known_;
  bool is_sealed_;  // and takes no keys
  turns turns_;
};

}  // namespace sluice_python
