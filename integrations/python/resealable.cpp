// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// ResealableFilter: a sealed filter, and a growing one beside it for keys that come later.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bulk.hpp"
#include "filters.hpp"
#include "one_key.hpp"
#include "parameters.hpp"
#include "slots.hpp"
#include "sluice/builders.hpp"
#include "sluice/extend/contents.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/resealable_filter.hpp"
#include "watch.hpp"

namespace sluice_python {
namespace {

using sluice::key_kind;
using sluice::resealable_filter;

/// A sealed filter of these keys.
sluice::filter sealed_of(const sluice::sealed_parameters& p, std::vector<sluice::digest> digests,
                         const std::optional<std::int64_t>& threads, const progress_teller& progress) {
  sluice::build_options options;
  options.threads = threads_for(threads, digests.size());
  return watch(progress, [&](const auto& tell) {
    options.progress = tell;
    sluice::sealed_builder builder(p);
    builder.insert_bulk(digests);
    digests = {};
    return builder.build(options);
  });
}

class resealable : public bound {
public:
  resealable(resealable_filter f, const std::optional<key_kind>& kind)
      : filter_(std::move(f)), seed_(sluice::extend::seed_of(filter_.base().params())), kind_(kind) {}

  /// With the GIL let go, as one of the readers.
  template <class Body>
  auto read(const Body& body) {
    return turns_.read([&] { return body(std::as_const(filter_)); });
  }

  [[nodiscard]] bool has(PyObject* object) {
    std::string scratch;
    const one_key key = key_of(object, scratch);
    require(key.kind);
    const sluice::digest x = key.digest(hash());
    if (turns_.unwritten()) return filter_.may_contain(x);
    return read([&](const resealable_filter& f) { return f.may_contain(x); });
  }
  bool add(PyObject* object) {
    std::string scratch;
    const one_key key = key_of(object, scratch);
    settle(key.kind);
    const sluice::digest x = key.digest(hash());
    if (turns_.alone()) return filter_.insert(x);
    return turns_.write([&] { return filter_.insert(x); });
  }
  [[nodiscard]] py::array_t<bool> contains(const py::object& keys, const std::optional<std::int64_t>& threads,
                                           const py::object& progress) {
    answered_keys asked(keys, hash());
    const std::uint32_t several = threads_for(threads, asked.size());
    if (asked.empty()) return asked.answers();
    require(asked.kind());
    const progress_teller tell(progress);
    const turns::reading registered(turns_);
    asked.in_steps(tell, [&](const key_array& array, std::size_t first, std::span<std::uint8_t> out) {
      const auto lock = registered.lock();
      look_up(std::as_const(filter_), hash(), array, first, out, several);
    });
    return asked.answers();
  }
  std::uint64_t update(const py::object& keys, const std::optional<std::int64_t>& threads, const py::object& progress) {
    const progress_teller tell(progress);
    std::uint64_t fresh = 0;
    for_all_keys(keys, hash(), [&](const key_array& array) {
      const std::uint32_t several = threads_for(threads, array.size());
      if (array.empty()) return;
      add_of(array.kind(), [&] {
        const turns::writing registered(turns_);
        in_steps(array.size(), tell, [&](std::size_t first, std::size_t count) {
          const auto lock = registered.lock();
          fresh += insert(filter_, hash(), array, first, count, several);
        });
      });
    });
    return fresh;
  }
  [[nodiscard]] py::array_t<bool> add_new(const py::object& keys, const std::optional<std::int64_t>& threads,
                                          const py::object& progress) {
    answered_keys added(keys, hash());
    const std::uint32_t several = threads_for(threads, added.size());
    if (added.empty()) return added.answers();
    const progress_teller tell(progress);
    add_of(added.kind(), [&] {
      const turns::writing registered(turns_);
      added.in_steps(tell, [&](const key_array& array, std::size_t first, std::span<std::uint8_t> out) {
        const auto lock = registered.lock();
        insert_new(filter_, hash(), array, first, out, several);
      });
    });
    return added.answers();
  }

  /// Sealed anew from all keys. Others may ask it while that takes place.
  void reseal(const py::object& keys, const std::optional<std::int64_t>& threads, const progress_teller& progress) {
    key_kind kind = kind_.value_or(key_kind::bytes);
    bool any = kind_.has_value();
    // Before the keys are read, which lets others run: what they add may not be among them.
    auto [params, keys_before] =
        read([](const resealable_filter& f) { return std::pair(f.base().params(), f.keys_inserted()); });
    std::vector<sluice::digest> digests = digests_of_all(keys, hash(), threads, kind, any);
    auto p = std::get<sluice::sealed_parameters>(params);
    p.blocks = 0;  // as many as the keys need
    sluice::filter all = sealed_of(p, std::move(digests), threads, progress);
    turns_.write([&] {
      if (filter_.keys_inserted() != keys_before) {
        throw sluice::parameter_error("keys were added while the filter was sealed again, which would lose them");
      }
      filter_.reseal(std::move(all));
    });
    if (any) kind_ = kind;
  }

  [[nodiscard]] const std::optional<key_kind>& kind() const noexcept { return kind_; }
  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }
  [[nodiscard]] bool equals(resealable& other) {
    if (&other == this) return true;
    if (kind_ != other.kind_) return false;
    const turns::reading registered(turns_);
    const turns::reading registered_other(other.turns_);
    const py::gil_scoped_release no_gil;
    auto lock = registered.deferred();
    auto lock_other = registered_other.deferred();
    std::lock(lock, lock_other);
    return filter_.base() == other.filter_.base() && filter_.later().params() == other.filter_.later().params() &&
           std::ranges::equal(filter_.later().chain(), other.filter_.later().chain(),
                              [](const sluice::growing_filter::link& a, const sluice::growing_filter::link& b) {
                                return a.capacity == b.capacity && a.filter == b.filter;
                              });
  }

private:
  [[nodiscard]] sluice::key_hasher hash() const noexcept { return sluice::key_hasher(seed()); }
  void require(key_kind kind) const {
    if (kind_) sluice::extend::require_kind("the filter", *kind_, kind);
  }
  void settle(key_kind kind) {
    if (!kind_) kind_ = kind;
    require(kind);
  }
  /// Calls add(), which adds keys of this kind. If it throws, and no key came in, the kind is as unknown as it was.
  template <class Add>
  void add_of(key_kind kind, const Add& add) {
    const std::optional<key_kind> before = kind_;
    settle(kind);
    try {
      add();
    } catch (...) {
      if (turns_.alone() && filter_.keys_inserted() == 0) kind_ = before;
      throw;
    }
  }

  resealable_filter filter_;
  std::uint64_t seed_;
  std::optional<key_kind> kind_;  // touched with the GIL only
  turns turns_;
};

/// Half of the wanted rate is the sealed filter's, half that of the one that grows.
std::unique_ptr<resealable> build_resealable(const py::object& keys, const py::object& fpr_wanted,
                                             const py::object& seed, const py::object& kind_wanted,
                                             const std::optional<std::int64_t>& threads, const py::object& progress) {
  const std::optional<key_kind> wanted = kind_of(kind_wanted);
  if (wanted == key_kind::u32) throw sluice::parameter_error("kind of a resealable filter is 'bytes' or 'int'");
  const double fpr = number_from("fpr", fpr_wanted);
  if (!(fpr >= 2 * sluice::growth::least_fpr && fpr < 1)) {
    throw sluice::parameter_error("fpr of a resealable filter is from 2e-9 to below 1, not " +
                                  std::string(py::str(fpr_wanted)));
  }
  const auto bits = static_cast<std::uint32_t>(std::clamp(std::ceil(std::log2(2 / fpr)), 1.0, 32.0));
  const sluice::sealed_parameters p{.fingerprint_bits = bits, .seed = seed_from(seed)};
  const progress_teller tell(progress);
  key_kind kind = wanted.value_or(key_kind::bytes);
  bool any = wanted.has_value();
  std::vector<sluice::digest> digests = digests_of_all(keys, sluice::key_hasher(p.seed), threads, kind, any);
  sluice::filter base = sealed_of(p, std::move(digests), threads, tell);
  const py::gil_scoped_release no_gil;
  return std::make_unique<resealable>(
      resealable_filter(std::move(base), sluice::growing_filter({.fpr = fpr / 2, .seed = p.seed})),
      any ? std::optional(kind) : std::nullopt);
}

/// Its two filters.
py::tuple parts_of(resealable& f) {
  const key_kind kind = f.kind().value_or(key_kind::bytes);
  const bool known = f.kind().has_value();
  auto [base, later] = f.read([&](const resealable_filter& now) {
    return std::pair(std::make_unique<plain_filter>(sluice::filter_file(now.base(), sluice::saved_as{kind}), known),
                     std::make_unique<growing>(sluice::filter_file(now.later(), kind), known));
  });
  return py::make_tuple(py::cast(std::move(base)), py::cast(std::move(later)));
}

std::unique_ptr<resealable> from_parts(plain_filter& base, growing& later) {
  if (base.kind() && later.kind()) sluice::extend::require_kind("the base", *base.kind(), *later.kind());
  const std::optional<key_kind> kind = base.kind() ? base.kind() : later.kind();
  const sluice::filter_file sealed = base.copy();
  const sluice::filter_file grown = later.copy();
  for (const sluice::filter_file* one : {&sealed, &grown}) {
    if (!one->origin() || !one->origin()->has_rule()) continue;
    throw sluice::parameter_error("keys of a ResealableFilter follow no rule, and those of a part were made by " +
                                  sluice::extend::text_of(*one->origin()));
  }
  const py::gil_scoped_release no_gil;
  return std::make_unique<resealable>(resealable_filter(sluice::extend::filter_of(sealed.contents().filters.front()),
                                                        sluice::extend::growing_filter_of(grown.contents())),
                                      kind);
}

py::dict info_of(resealable& f) {
  struct numbers {
    std::uint64_t keys, later_keys, memory, links;
    double fpr;
  };
  const numbers n = f.read([](const resealable_filter& now) {
    const sluice::statistics base = now.base().stats();
    std::vector<sluice::statistics> all = now.later().stats();
    std::uint64_t memory = base.filter_bytes + base.overflow_bytes;
    for (const sluice::statistics& s : all) memory += s.filter_bytes + s.overflow_bytes;
    all.push_back(base);
    return numbers{now.keys_inserted(), now.later().keys_inserted(), memory, now.later().links(),
                   sluice::extend::fpr_of_any(all)};
  });
  py::dict d;
  d["scheme"] = "resealable";
  d["keys"] = n.keys;
  d["later_keys"] = n.later_keys;
  d["links"] = n.links;
  d["fpr"] = n.fpr;
  d["memory"] = n.memory;
  d["kind"] = f.kind() ? py::object(py::str(std::string(sluice::name_of(*f.kind())))) : py::none();
  d["seed"] = f.seed();
  return d;
}

std::unique_ptr<resealable> copy_of_resealable(resealable& f) {
  return std::make_unique<resealable>(f.read([](const resealable_filter& now) { return now; }), f.kind());
}

}  // namespace

void bind_resealable(py::module_& m) {
  py::class_<resealable> type(m, "ResealableFilter", contains_setup<resealable>(),
                              R"(A sealed filter that takes further keys.

Most keys are sealed: a tenth more than log2(1/fpr) bits each, one cache line for a lookup. Keys that come later go into
a GrowingFilter beside them, and both are asked as one. When they have become many, reseal() makes one sealed filter of
all keys, which have to be given again.

Args:
    keys: an array, a list or another iterable; the same key may come again.
    fpr: of both together: half of it for each.
    seed, kind: as of Filter.
    threads, progress: as of build_static().

>>> import numpy as np, sluice
>>> f = sluice.ResealableFilter(np.arange(10_000), fpr=1e-4)
>>> f.add(20_000), 20_000 in f, f.later_share < 0.001
(True, True, True)
>>> f.reseal(np.append(np.arange(10_000), 20_000))
>>> 20_000 in f, f.later_share, len(f)
(True, 0.0, 10001)
)");
  define_add<resealable>(type);
  type.def(py::init(&build_resealable), py::arg("keys"), py::arg("fpr") = sluice::plan_request::usual_fpr,
           py::kw_only(), py::arg("seed") = 0, py::arg("kind") = py::none(), py::arg("threads") = py::none(),
           py::arg("progress") = py::none(),
           "__init__(self, /, keys, fpr=0.001, *, seed=0, kind=None, threads=None, progress=None)\n--\n\nSeals the "
           "keys.")
      .def("contains", &resealable::contains, py::arg("keys"), py::kw_only(), py::arg("threads") = py::none(),
           py::arg("progress") = py::none(),
           "contains(self, /, keys, *, threads=None, progress=None)\n--\n\n"
           "Which of many keys may be in the filter: as Filter.contains.")
      .def("update", &resealable::update, py::arg("keys"), py::kw_only(), py::arg("threads") = py::none(),
           py::arg("progress") = py::none(),
           "update(self, /, keys, *, threads=None, progress=None)\n--\n\nAdds many keys: as Filter.update.")
      .def("add_new", &resealable::add_new, py::arg("keys"), py::kw_only(), py::arg("threads") = py::none(),
           py::arg("progress") = py::none(),
           "add_new(self, /, keys, *, threads=None, progress=None)\n--\n\n"
           "Adds many keys and says of each whether it was new: as Filter.add_new.")
      .def(
          "reseal",
          [](resealable& f, const py::object& keys, const std::optional<std::int64_t>& threads,
             const py::object& progress) { f.reseal(keys, threads, progress_teller(progress)); },
          py::arg("keys"), py::kw_only(), py::arg("threads") = py::none(), py::arg("progress") = py::none(),
          "reseal(self, /, keys, *, threads=None, progress=None)\n--\n\n"
          "One sealed filter of these keys: all that are here, in any order and however often, and any others. "
          "ValueError,\n"
          "and nothing is changed, if they are fewer than the filter holds: it would lose some.")
      .def("parts", &parts_of,
           "parts(self, /)\n--\n\nCopies of its two filters, a sealed Filter and a GrowingFilter, to be saved each for "
           "itself.")
      .def_static("from_parts", &from_parts, py::arg("base"), py::arg("later"),
                  "from_parts(base, later)\n--\n\nThe filter whose parts() these are, as they were or as load() gave "
                  "them.")
      .def("copy", &copy_of_resealable, "copy(self, /)\n--\n\nA filter of its own with the same keys.")
      .def("__copy__", &copy_of_resealable)
      .def("__deepcopy__", [](resealable& f, const py::object& /*memo*/) { return copy_of_resealable(f); })
      .def("__reduce__",
           [](resealable& f) {
             return py::make_tuple(py::module_::import("sluice._restore").attr("resealable"), parts_of(f));
           })
      .def("__eq__", &resealable::equals, py::is_operator())
      .def("__len__",
           [](resealable& f) { return f.read([](const resealable_filter& now) { return now.keys_inserted(); }); })
      .def("info", &info_of, "info(self, /)\n--\n\nWhat the filter is and how full, as a dictionary.")
      .def_property_readonly(
          "later_share",
          [](resealable& f) { return f.read([](const resealable_filter& now) { return now.later_share(); }); },
          "The share of keys that came later: what reseal() would move.")
      .def_property_readonly(
          "kind",
          [](const resealable& f) {
            return f.kind() ? std::optional(std::string(sluice::name_of(*f.kind()))) : std::nullopt;
          },
          "'bytes' or 'u64'; None before the first key.")
      .def_property_readonly("seed", &resealable::seed, "Of the hash.")
      .def_property_readonly(
          "nbytes",
          [](resealable& f) {
            return f.read(
                [](const resealable_filter& now) { return now.base().bytes().size() + now.later().size_bytes(); });
          },
          "Bytes of its blocks.");
}

}  // namespace sluice_python
