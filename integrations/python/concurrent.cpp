// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// ConcurrentFilter: one filter that many threads add to and ask at the same time. Bulk calls run without the GIL,
// beside each other; nobody waits. There is no lock that a fork could leave behind: the child has the bits that were
// set by then, which are all bits of the keys whose insertion had ended, and perhaps some of others, as a thread that
// asks at that moment.
//
// The library does not count the keys of a shared filter, because that would be the one word that all threads write.
// Here, every call adds what was new when it ends: the number is a Filter's, but for keys that two threads add at once,
// which may count twice.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "filters.hpp"
#include "parameters.hpp"
#include "slots.hpp"
#include "sluice/extend/contents.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/filter.hpp"
#include "sluice/plan.hpp"

namespace sluice_python {
namespace {

using sluice::key_kind;

class shared_filter : public bound {
public:
  shared_filter(const sluice::plan_candidate& c, const std::optional<key_kind>& kind)
      : filter_(std::make_shared<counted_filter>(c.params)),
        label_(sluice::saved_as::of_plan(c, kind.value_or(key_kind::bytes))),
        kind_(kind) {}
  shared_filter(const sluice::filter& f, const sluice::saved_as& label, const std::optional<key_kind>& kind,
                bool keys_are_estimated)
      : filter_(std::make_shared<counted_filter>(f)), label_(label), kind_(kind) {
    filter_->keys = f.keys_inserted();
    filter_->keys_are_estimated = keys_are_estimated;
  }

  [[nodiscard]] bool has(PyObject* object) const {
    std::string scratch;
    const one_key key = key_of(object, scratch);
    require(key.kind);
    return filter_->bits.may_contain(key.digest(hash()));
  }
  bool add(PyObject* object) {
    std::string scratch;
    const one_key key = key_of(object, scratch);
    settle(key.kind);
    const bool was_new = filter_->bits.insert(key.digest(hash()));
    if (was_new) {
      ++filter_->keys;
      warn_once();
    }
    return was_new;
  }
  [[nodiscard]] py::array_t<bool> contains(const py::object& keys, const std::optional<std::int64_t>& threads,
                                           const py::object& progress) const {
    const sluice::key_hasher hasher = hash();
    answered_keys asked(keys, hasher);
    if (asked.empty()) return asked.answers();
    require(asked.kind());
    const std::uint32_t several = threads_for(threads, asked.size());
    const auto held = filter_;  // whoever clears it meanwhile
    asked.in_steps(progress_teller(progress),
                   [&](const key_array& array, std::size_t first, std::span<std::uint8_t> out) {
                     look_up(std::as_const(held->bits), hasher, array, first, out, several);
                   });
    return asked.answers();
  }
  [[nodiscard]] py::array_t<bool> add_new(const py::object& keys, const std::optional<std::int64_t>& threads,
                                          const py::object& progress) {
    return add_by([&] {
      const sluice::key_hasher hasher = hash();
      answered_keys added(keys, hasher);
      const std::uint32_t several = threads_for(threads, added.size());
      if (added.empty()) return added.answers();
      const progress_teller tell(progress);
      settle(added.kind());
      const auto held = filter_;
      added.in_steps(tell, [&](const key_array& array, std::size_t first, std::span<std::uint8_t> out) {
        held->keys += insert_new(held->bits, hasher, array, first, out, several);
      });
      warn_once();
      return added.answers();
    });
  }
  std::uint64_t update(const py::object& keys, const std::optional<std::int64_t>& threads, const py::object& progress) {
    return add_by([&] {
      const progress_teller tell(progress);
      const sluice::key_hasher hasher = hash();
      std::uint64_t fresh = 0;
      for_all_keys(keys, hasher, [&](const key_array& array) {
        const std::uint32_t several = threads_for(threads, array.size());
        if (array.empty()) return;
        settle(array.kind());
        const auto held = filter_;
        in_steps(array.size(), tell, [&](std::size_t first, std::size_t count) {
          const std::uint64_t some = insert(held->bits, hasher, array, first, count, several);
          held->keys += some;
          fresh += some;
        });
      });
      warn_once();
      return fresh;
    });
  }
  void merge(keyed& other) {
    const sluice::filter_file theirs = other.copy();
    if (theirs.grows() || !theirs.writable()) {
      throw sluice::merge_error("a Filter can be merged into a ConcurrentFilter; load() a file, and no chain");
    }
    const std::optional<key_kind> kind = other.kind();
    if (kind == key_kind::u32) {
      throw sluice::merge_error("a filter of keys of kind u32 cannot be merged into a ConcurrentFilter");
    }
    add_by([&] {
      if (kind) settle(*kind);
      take_origin(theirs);
      const auto held = filter_;
      {
        const py::gil_scoped_release no_gil;
        held->bits.merge(sluice::extend::filter_of(theirs.contents().filters.front()));
        held->keys += theirs.keys_inserted();  // should there be no memory for the snapshot
        held->keys = held->bits.snapshot().keys_inserted();
      }
      return held->keys_are_estimated = true;
    });
  }
  /// Calls of other threads that are on their way go on with what was there.
  void clear() { filter_ = std::make_shared<counted_filter>(filter_->bits.params()); }
  [[nodiscard]] bool equals(const shared_filter& other) const {
    if (kind_ != other.kind_) return false;
    const auto ours = filter_;
    const auto theirs = other.filter_;
    const py::gil_scoped_release no_gil;
    return ours == theirs ||
           (ours->bits.params() == theirs->bits.params() && ours->bits.snapshot() == theirs->bits.snapshot());
  }
  /// A copy that is not shared.
  [[nodiscard]] std::unique_ptr<plain_filter> snapshot() const {
    const auto held = filter_;
    const std::uint64_t keys = held->keys;
    const sluice::saved_as label = label_;
    const bool kind_is_known = kind_.has_value();
    std::unique_ptr<plain_filter> copy;
    {
      const py::gil_scoped_release no_gil;
      copy = std::make_unique<plain_filter>(sluice::filter_file(held->bits.snapshot(keys), label), kind_is_known);
    }
    copy->set_keys_estimated(held->keys_are_estimated);
    return copy;
  }
  [[nodiscard]] std::uint64_t keys() const noexcept { return filter_->keys; }
  [[nodiscard]] const std::optional<key_kind>& kind() const noexcept { return kind_; }
  [[nodiscard]] std::uint64_t seed() const noexcept { return sluice::extend::seed_of(filter_->bits.params()); }
  [[nodiscard]] std::uint64_t size_bytes() const noexcept { return filter_->bits.size_bytes(); }

private:
  /// clear() makes another: calls that are on their way count what they add where they add it.
  struct counted_filter {
    explicit counted_filter(const sluice::parameters& p) : bits(p) {}
    explicit counted_filter(const sluice::filter& f) : bits(f) {}

    sluice::concurrent_filter bits;
    std::atomic<std::uint64_t> keys = 0;
    bool keys_are_estimated = false;
    bool warned = false;
  };

  /// Calls add(), which adds many keys, from before they are hashed. If it throws, and no key came in, what was said of
  /// the keys meanwhile is forgotten.
  template <class Add>
  std::invoke_result_t<const Add&> add_by(const Add& add) {
    const auto said = std::pair(label_, kind_);
    ++adding_;
    try {
      const auto result = add();
      --adding_;
      return result;
    } catch (...) {
      if (--adding_ == 0 && filter_->keys == 0) std::tie(label_, kind_) = said;
      throw;
    }
  }
  /// Before their keys come in. Throws merge_error where theirs are not hashed as ours are.
  void take_origin(const sluice::filter_file& theirs) {
    const bool any = filter_->keys != 0 || adding_ != 1;  // others that are adding may have hashed theirs
    sluice::extend::require_same_keys({label_.origin, any}, {theirs.origin(), theirs.keys_inserted() != 0});
    if (!label_.origin) label_.origin = theirs.origin();
  }

  [[nodiscard]] sluice::key_hasher hash() const { return sluice::key_hasher(seed(), label_.origin); }
  void require(key_kind kind) const {
    if (kind_) sluice::extend::require_kind("the filter", *kind_, kind);
  }
  void settle(key_kind kind) {
    if (!kind_) kind_ = kind, label_.kind = kind;
    require(kind);
  }
  void warn_once() {
    const std::uint64_t keys = filter_->keys;
    if (filter_->warned || label_.planned_keys == 0 || keys <= label_.planned_keys) return;
    filter_->warned = true;
    warn_overfull(keys, label_.planned_keys);
  }

  // Touched with the GIL only, but for the bits and their number.
  std::shared_ptr<counted_filter> filter_;
  sluice::saved_as label_;
  std::optional<key_kind> kind_;
  int adding_ = 0;  // calls of add_by
};

void require_shareable(const std::optional<key_kind>& kind) {
  if (kind == key_kind::u32) throw sluice::parameter_error("kind of a shared filter is 'bytes' or 'int'");
}

}  // namespace

void bind_concurrent(py::module_& m) {
  py::class_<shared_filter> shared(m, "ConcurrentFilter", contains_setup<shared_filter>(),
                                   R"(A filter that many threads add to and ask at the same time, without waiting.

Arguments are those of Filter. len() counts keys that were new when they came, as of a Filter; one that two threads add
at the same moment may count twice.

>>> import numpy as np, sluice, threading
>>> f = sluice.ConcurrentFilter(keys=100_000, fpr=1e-4)
>>> halves = np.split(np.arange(100_000), 2)
>>> threads = [threading.Thread(target=f.update, args=[half]) for half in halves]
>>> for t in threads: t.start()
>>> for t in threads: t.join()
>>> bool(f.contains(np.arange(100_000)).all())
True
)");
  define_add<shared_filter>(shared);
  shared
      .def(py::init([](const py::args& args, const py::kwargs& kwargs) {
             const std::optional<key_kind> kind = kind_of(take(kwargs, "kind"));
             sluice::plan_request q = request_from(args, kwargs);
             require_nothing_left("ConcurrentFilter", kwargs);
             if (q.all_keys_known) throw sluice::parameter_error("threads fill a filter whose keys come as they come");
             require_shareable(kind);
             q.concurrent = true;
             const py::gil_scoped_release no_gil;
             return std::make_unique<shared_filter>(sluice::best_plan(q), kind);
           }),
           "__init__(self, /, keys=None, fpr=None, *, memory=None, bits_per_key=None, hit_ratio=0.5, scheme=None, "
           "seed=0, "
           "kind=None, **wanted)\n--\n\nPlans the filter and makes it.")
      .def("contains", &shared_filter::contains, py::arg("keys"), py::kw_only(), py::arg("threads") = py::none(),
           py::arg("progress") = py::none(),
           "contains(self, /, keys, *, threads=None, progress=None)\n--\n\n"
           "Which of many keys may be in the filter: as Filter.contains.")
      .def("update", &shared_filter::update, py::arg("keys"), py::kw_only(), py::arg("threads") = py::none(),
           py::arg("progress") = py::none(),
           "update(self, /, keys, *, threads=None, progress=None)\n--\n\n"
           "Adds many keys: as Filter.update. A key that two threads add at once may count twice.")
      .def("add_new", &shared_filter::add_new, py::arg("keys"), py::kw_only(), py::arg("threads") = py::none(),
           py::arg("progress") = py::none(),
           "add_new(self, /, keys, *, threads=None, progress=None)\n--\n\n"
           "Adds many keys and says of each whether it was new: as Filter.add_new. Of equal keys in one call one is "
           "new,\n"
           "whatever threads= is. A key that two calls add at the same moment may be new in both; in one of them it "
           "is,\n"
           "but for the false positive rate.")
      .def("clear", &shared_filter::clear,
           "clear(self, /)\n--\n\n"
           "Forgets all keys, those too that other threads are adding at this moment.")
      .def("__eq__", &shared_filter::equals, py::is_operator())
      .def("snapshot", &shared_filter::snapshot,
           "snapshot(self, /)\n--\n\n"
           "A Filter with the same keys, which is not shared: to be saved, copied, or asked for its info().")
      .def(
          "__ior__",
          [](const py::object& self, keyed& other) {
            py::cast<shared_filter&>(self).merge(other);
            return self;
          },
          py::is_operator())
      .def("__len__", &shared_filter::keys)
      .def("__reduce__",
           [](const shared_filter& f) {
             return py::make_tuple(py::module_::import("sluice._restore").attr("shared"),
                                   py::make_tuple(py::cast(f.snapshot())));
           })
      .def_property_readonly(
          "kind",
          [](const shared_filter& f) {
            return f.kind() ? std::optional(std::string(sluice::name_of(*f.kind()))) : std::nullopt;
          },
          "'bytes' or 'u64'; None before the first key.")
      .def_property_readonly("seed", &shared_filter::seed, "Of the hash.")
      .def_property_readonly("nbytes", &shared_filter::size_bytes, "Bytes of its blocks.");
  m.def("_shared_from", [](plain_filter& f) {
    const sluice::filter_file copy = f.copy();
    require_shareable(f.kind());
    return std::make_unique<shared_filter>(
        sluice::extend::filter_of(copy.contents().filters.front()),
        sluice::saved_as{copy.kind(), copy.planned_keys(), copy.planned_fpr(), copy.origin()}, f.kind(),
        f.keys_are_estimated());
  });
}

}  // namespace sluice_python
