// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Filter, GrowingFilter, OpenedFilter; open and load.
#include "filters.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "describe.hpp"
#include "files.hpp"
#include "parameters.hpp"
#include "slots.hpp"
#include "sluice/extend/candidates.hpp"
#include "sluice/extend/contents.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/plan.hpp"

namespace sluice_python {
namespace {

using sluice::filter_file;
using sluice::key_kind;

/// What was in bytes, of the one form or of the other.
template <class Type>
std::unique_ptr<Type> from_bytes(const py::object& bytes) {
  auto made = read_bytes_of(
      bytes, [](std::span<const std::byte> all) { return std::make_unique<Type>(filter_file::load(all), true); });
  constexpr bool wants_chain = std::same_as<Type, growing>;
  if (made->file().grows() != wants_chain) {
    throw sluice::parameter_error(wants_chain ? "the bytes are one filter, not a chain that grows: Filter.from_bytes"
                                              : "the bytes are a chain that grows: GrowingFilter.from_bytes");
  }
  return made;
}

py::bytes to_bytes(keyed& f) {
  f.require_kind();
  return python_bytes(f.read([](const filter_file& file) { return file.verify(), sluice::to_bytes(file.contents()); }));
}

/// For pickles: the bytes, and whether the kind and the number of the keys were known.
template <class Type>
py::tuple state_of(Type& f) {
  const std::vector<std::byte> all = f.read([](const filter_file& file) { return sluice::to_bytes(file.contents()); });
  return py::make_tuple(python_bytes(all), f.kind().has_value(), !f.keys_are_estimated());
}
template <class Type>
std::unique_ptr<Type> from_state(const py::tuple& state) {
  auto made = from_bytes<Type>(state[0]);
  auto again = std::make_unique<Type>(made->copy(), py::cast<bool>(state[1]));
  again->set_keys_estimated(state.size() > 2 && !py::cast<bool>(state[2]));
  return again;
}

template <class Type>
std::unique_ptr<Type> copy_of(Type& f) {
  auto copy = std::make_unique<Type>(f.copy(), f.kind().has_value());
  copy->set_keys_estimated(f.keys_are_estimated());
  return copy;
}

template <class Class>
void define_values(Class& c) {
  using Type = typename Class::type;
  c.def("copy", &copy_of<Type>, "copy(self, /)\n--\n\nA filter of its own with the same keys.")
      .def("__copy__", &copy_of<Type>)
      .def("__deepcopy__", [](Type& f, const py::object& /*memo*/) { return copy_of(f); })
      .def(
          "__or__",
          [](Type& a, keyed& b) {
            auto both = copy_of(a);
            both->merge(b);
            return both;
          },
          py::is_operator())
      .def_static("from_bytes", &from_bytes<Type>, py::arg("data"),
                  "from_bytes(data)\n--\n\nThe filter whose bytes(f) these are, or the bytes of its file; verified.")
      .def(py::pickle(&state_of<Type>, &from_state<Type>));
}

constexpr const char* contains_doc = R"(contains(self, /, keys, *, threads=None, progress=None)
--

Which of many keys may be in the filter: an array of bool, one for each.

False is certain. True is so but for the false positive rate.

Args:
    keys: an array of integers of any width, of texts (S16, U16), of objects; a list; a Series; Arrow; any iterable.
    threads: None: one up to 1e5 keys, then all cores.
    progress: called with the share that is done, or a progress bar.

>>> import numpy as np, sluice
>>> f = sluice.Filter(keys=1000, fpr=1e-6)
>>> f.update(np.arange(0, 2000, 2))
1000
>>> f.contains(np.array([2, 3, 4]))
array([ True, False,  True])
)";

constexpr const char* update_doc = R"(update(self, /, keys, *, threads=None, progress=None)
--

Adds many keys; how many were new.

What contains() takes. If a key in a list or an array of objects cannot be one, nothing is added. Of other arrays some
keys may have been; of an iterator, those in the groups of 65,536 before it are. A filter that has more keys than it was
made for warns once: OverfullWarning.

>>> import sluice
>>> f = sluice.Filter(keys=100)
>>> f.update(["a", "b", "a"])
2
)";

constexpr const char* add_new_doc = R"(add_new(self, /, keys, *, threads=None, progress=None)
--

Adds many keys and says of each whether it was new: an array of bool, one for each.

What add() would have said of each, in their order: True is certain, and of equal keys that are not there the first
alone is new. A new key is taken for a known one as often as the false positive rate says. What contains() takes, and
any other iterable as a whole. If it ends with an exception, some keys may have been added, and nobody knows which.

>>> import numpy as np, sluice
>>> seen = sluice.Filter(keys=1000, fpr=1e-6)
>>> seen.add_new(np.array([3, 5, 3, 7]))
array([ True,  True, False,  True])
>>> seen.add_new([7, 8])
array([False,  True])
)";

constexpr const char* remove_doc = R"(remove(self, key, /)
--

Takes a key out of an erasable filter again, once. KeyError if nothing was like it.

A key is kept as often as it was added, and must be removed as often. Remove only keys that were added: the filter
cannot tell a key from another that looks like it, and would take that one.

>>> import sluice
>>> f = sluice.Filter(keys=100, erasable=True)
>>> f.update(["a", "b", "b"])
3
>>> f.remove("a"), f.remove("b")
(None, None)
>>> "a" in f, "b" in f, len(f)
(False, True, 1)
)";

constexpr const char* difference_update_doc = R"(difference_update(self, /, keys, *, progress=None)
--

Takes many keys out of an erasable filter, each once; how many were in. What update() takes; `f -= keys` is the same.

>>> import numpy as np, sluice
>>> f = sluice.Filter(keys=1000, erasable=True)
>>> _ = f.update(np.arange(1000))
>>> f.difference_update(np.arange(0, 1000, 2))
500
>>> f -= [1, 3]
>>> len(f)
498
)";

constexpr const char* count_doc = R"(count(self, key, /)
--

How often a key seems to be in: never less than it was added and not removed. Filters that are not erasable keep a key
once.

>>> import sluice
>>> f = sluice.GrowingFilter(erasable=True)
>>> f.update(["a", "b", "b"])
3
>>> f.count("a"), f.count("b"), f.count("c")
(1, 2, 0)
)";

constexpr const char* clear_doc = R"(clear(self, /)
--

Forgets all keys. The kind of the keys stays; a chain has one filter again.

>>> import sluice
>>> f = sluice.Filter(keys=100)
>>> f.add("a"), f.clear(), "a" in f
(True, None, False)
)";

constexpr const char* init_doc =
    "__init__(self, /, keys=None, fpr=None, *, memory=None, bits_per_key=None, hit_ratio=0.5, scheme=None, seed=0, "
    "kind=None, by='balanced', max_blocks=2, mean_cost_limit=1.25, accesses_hit=None, accesses_miss=None, "
    "second_line_cost=0.5, block_bits=512, overload=1, no_list=False, concurrent=False, mergeable=False, shards=0, "
    "erasable=False, keys_at_most=None)"
    "\n--\n\nPlans the filter and makes it.";

constexpr const char* filter_doc = R"(A filter: it answers whether it has seen a key. False is certain.

Args:
    keys: how many keys will come.
    fpr: the false positive rate with that many; 0.001 if nothing is said.
    memory: or the bytes that it may take.
    bits_per_key: or the bits for each key.
    hit_ratio: share of lookups whose key is there; 0.5 unless given.
    scheme: one of the library's schemes, or several to choose from; all unless given.
    seed: of the hash; 'random' where untrusted people choose keys. Filters that are to be united need the same.
    kind: of the keys: 'bytes' (str, too), 'int' or 'u32'; otherwise the first key says it.
    erasable: keys can be removed again; they are kept as often as they are added.
    keys_at_most: in place of keys: so many or fewer. When all are in, fold_to() makes the filter as small as they need.

Further arguments are those of plan().

>>> import sluice
>>> f = sluice.Filter(keys=1_000_000, fpr=1e-6)
>>> f.add("sluice"), "sluice" in f, "weir" in f
(True, True, False)
)";

constexpr const char* fold_doc = R"(fold(self, /, times=1)
--

Halves the filter so often. It has every key that it had, and a higher rate.

For blocked, gated, bloom-g and classic filters; ValueError where it cannot be folded so often.
)";

constexpr const char* fold_to_doc = R"(fold_to(self, /, fpr=None)
--

Halves the filter as often as its rate stays at most fpr, or that of its plan; says how often that was.

>>> import numpy as np, sluice
>>> f = sluice.Filter(keys_at_most=1_000_000, fpr=0.001)
>>> _ = f.update(np.arange(30_000))
>>> before = f.nbytes
>>> f.fold_to(), f.nbytes < before / 20, bool(f.contains(np.arange(30_000)).all())
(5, True, True)
)";

constexpr const char* cost_doc =
    R"(cost(keys, fpr=0.001, *, first_keys=32768, factor=None, block_bits=512, erasable=False)
--

What a chain costs while it grows to so many keys, before there is one: bits a key in memory and in a file, where the
newest filter is folded, and links, of which the lookup of an absent key reads a line each.

>>> import sluice
>>> cost = sluice.GrowingFilter.cost(1e6, 0.001)
>>> {name: round(bits) for name, bits in cost["bits_in_file"].items()}
{'best': 20, 'mean': 23, 'worst': 30, 'in_the_end': 22}
>>> cost["links"]["worst"]
5.0
)";

/// A dictionary of dictionaries.
py::dict cost_of(double keys, const sluice::growth& how) {
  std::vector<sluice::extend::planned_link> links;
  sluice::extend::plan_links(sluice::extend::with_factor(how), keys, links);
  const sluice::extend::chain_cost cost = sluice::extend::cost_of_chain(links, keys);
  const auto range = [](const sluice::extend::chain_cost::range& r) {
    py::dict d;
    d["best"] = r.best;
    d["mean"] = r.mean;
    d["worst"] = r.worst;
    d["in_the_end"] = r.in_the_end;
    return d;
  };
  py::dict d;
  d["bits_in_memory"] = range(cost.bits_in_memory);
  d["bits_in_file"] = range(cost.bits_in_file);
  d["links"] = range(cost.links);
  return d;
}

constexpr const char* fold_last_link_doc = R"(fold_last_link(self, /, room=0)
--

Halves the newest filter of the chain as often as it has room for its keys, and for `room` times the keys of the chain.

Worth it before the chain is saved: that filter may have the memory of all others, and few keys. Says how often it was
halved; 0 of an erasable chain.
)";

/// One filter in place of the chain.
std::unique_ptr<plain_filter> compact(growing& f, const py::object& keys, const std::optional<std::int64_t>& threads,
                                      bool all) {
  const std::optional<key_kind> known = f.kind();
  key_kind kind = known.value_or(key_kind::bytes);
  bool any = known.has_value();
  const sluice::key_hasher hash = f.hash();
  const std::vector<sluice::digest> digests = digests_of_all(keys, hash, threads, kind, any);
  return f.read([&](const filter_file& file) {
    require_same_rule(file, hash);
    const sluice::growing_filter chain = sluice::extend::growing_filter_of(file.contents());
    sluice::filter one = chain.compact(digests, all);
    const sluice::saved_as label{.kind = known.value_or(kind),
                                 .planned_keys = std::max(one.keys_inserted(), chain.keys_inserted()),
                                 .planned_fpr = chain.params().fpr,
                                 .origin = file.origin()};
    return std::make_unique<plain_filter>(filter_file(std::move(one), label), any);
  });
}

constexpr const char* compact_doc = R"(compact(self, /, keys, *, threads=None, all=False)
--

One Filter in place of the chain, from the same keys offered again, in any order and however often.

It has the rate of the chain, a fraction of its memory, and asks one filter for a key. ValueError if fewer keys are
offered than the chain counted: a filter of those would lose others. A chain that was merged may count keys twice:
all=True says that these are all, and nothing is compared.

>>> import numpy as np, sluice
>>> chain = sluice.GrowingFilter(fpr=0.001)
>>> _ = chain.update(np.arange(40_000))
>>> one = chain.compact(np.arange(40_000))
>>> bool(one.contains(np.arange(40_000)).all()), one.nbytes < chain.nbytes / 2
(True, True)
)";

}  // namespace

void bind_filters(py::module_& m) {
  py::class_<keyed> any(m, "AnyFilter", contains_setup<keyed>(),
                        "AnyFilter()\n--\n\nWhat every filter can do: Filter, GrowingFilter and OpenedFilter.");
  define_add<keyed>(any);
  any.def("contains", &keyed::contains, py::arg("keys"), py::kw_only(), py::arg("threads") = py::none(),
          py::arg("progress") = py::none(), contains_doc)
      .def("update", &keyed::update, py::arg("keys"), py::kw_only(), py::arg("threads") = py::none(),
           py::arg("progress") = py::none(), update_doc)
      .def("add_new", &keyed::add_new, py::arg("keys"), py::kw_only(), py::arg("threads") = py::none(),
           py::arg("progress") = py::none(), add_new_doc)
      .def(
          "remove",
          [](keyed& f, const py::object& key) {
            if (!f.discard(key.ptr())) throw py::key_error(std::string(py::repr(key)));
          },
          py::arg("key"), py::pos_only(), remove_doc)
      .def(
          "discard", [](keyed& f, const py::object& key) { return f.discard(key.ptr()); }, py::arg("key"),
          py::pos_only(),
          "discard(self, key, /)\n--\n\nAs remove(), but says whether the key was in: False if nothing was like it.")
      .def("difference_update", &keyed::discard_all, py::arg("keys"), py::kw_only(), py::arg("progress") = py::none(),
           difference_update_doc)
      .def(
          "__isub__",
          [](const py::object& self, const py::object& keys) {
            static_cast<void>(py::cast<keyed&>(self).discard_all(keys, py::none()));
            return self;
          },
          py::is_operator())
      .def(
          "count", [](keyed& f, const py::object& key) { return f.count_of(key.ptr()); }, py::arg("key"),
          py::pos_only(), count_doc)
      .def("counts", &keyed::counts, py::arg("keys"), py::kw_only(), py::arg("progress") = py::none(),
           "counts(self, /, keys, *, progress=None)\n--\n\ncount() of many keys: an array of uint64.")
      .def("clear", &keyed::clear, clear_doc)
      .def("__eq__", &keyed::equals, py::is_operator())
      .def(
          "__ior__",
          [](const py::object& self, keyed& other) {
            py::cast<keyed&>(self).merge(other);
            return self;
          },
          py::is_operator())
      .def("__len__", [](keyed& f) { return f.read([](const filter_file& file) { return file.keys_inserted(); }); })
      .def("__bytes__", &to_bytes)
      .def("__reduce__", &reduced<keyed>)
      .def(
          "save",
          [](keyed& f, const py::object& path, bool replace) {
            const std::string name = path_from(path);
            f.require_kind();
            f.read([&](const filter_file& file) {
              file.save(name, replace ? sluice::existing::replace : sluice::existing::refuse);
              return 0;
            });
          },
          py::arg("path"), py::kw_only(), py::arg("replace") = true,
          "save(self, /, path, *, replace=True)\n--\n\n"
          "Writes the filter into a file, as a whole or not at all. The command line reads it, and load and open.")
      .def(
          "info",
          [](keyed& f) {
            const description d = f.read([](const filter_file& file) { return describe(file); });
            py::dict out = dict_of(d);
            const auto kind = f.kind();
            out["kind"] = kind ? py::object(py::str(std::string(sluice::name_of(*kind)))) : py::none();
            out["seed"] = f.file().seed();
            out["keys_are_estimated"] = f.keys_are_estimated();
            return out;
          },
          "info(self, /)\n--\n\n"
          "What the filter is and how full, as a dictionary: keys, fpr (from its bits), memory, parameters, loads.")
      .def_property_readonly(
          "kind",
          [](const keyed& f) {
            const auto kind = f.kind();
            return kind ? std::optional(std::string(sluice::name_of(*kind))) : std::nullopt;
          },
          "'bytes', 'u64' or 'u32'; None before the first key.")
      .def_property_readonly(
          "key_origin",
          [](keyed& f) {
            const auto origin = f.read([](const filter_file& file) { return file.origin(); });
            return origin ? std::optional(sluice::extend::text_of(*origin)) : std::nullopt;
          },
          "How the keys of its file were made, as options of the command: '--input kmers:31 --canonical'; None where "
          "it is not said. Keys that are added and looked up become canonical k-mers where it says so.")
      .def_property_readonly(
          "seed", [](const keyed& f) { return f.file().seed(); }, "Of the hash.")
      .def_property_readonly(
          "nbytes", [](keyed& f) { return f.read([](const filter_file& file) { return file.size_bytes(); }); },
          "Bytes of its file.");

  py::class_<plain_filter, keyed> plain(m, "Filter", filter_doc);
  plain.def(py::init([](const py::args& args, const py::kwargs& kwargs) {
              const std::optional<key_kind> kind = kind_of(take(kwargs, "kind"));
              const sluice::plan_request q = request_from(args, kwargs);
              require_nothing_left("Filter", kwargs);
              if (q.all_keys_known)
                throw sluice::parameter_error("a filter made from all its keys is one of build_static()");
              const sluice::plan_candidate c = [&] {
                const py::gil_scoped_release no_gil;
                return sluice::best_plan(q);
              }();
              return std::make_unique<plain_filter>(
                  filter_file(sluice::filter(c.params), sluice::saved_as::of_plan(c, kind.value_or(key_kind::bytes))),
                  kind.has_value());
            }),
            init_doc);
  define_values(plain);
  plain
      .def(
          "fold",
          [](plain_filter& f, std::uint32_t times) {
            f.fold_by([&](filter_file& file) { return file.fold(times), times; });
          },
          py::arg("times") = 1, fold_doc)
      .def(
          "fold_to",
          [](plain_filter& f, const std::optional<double>& fpr) {
            return f.fold_by([&](filter_file& file) { return file.fold_to(fpr); });
          },
          py::arg("fpr") = py::none(), fold_to_doc);
  plain.def_static(
      "from_parameters",
      [](const py::dict& parameters, double planned_keys, double planned_fpr, const py::object& kind_wanted) {
        const std::optional<key_kind> kind = kind_of(kind_wanted);
        if (!(planned_keys >= 0 && planned_keys < 0x1.0p63)) {
          throw sluice::parameter_error("planned_keys is a number of keys");
        }
        const sluice::parameters p = parameters_of(parameters);
        if (sluice::needs_all_keys(p)) {
          throw sluice::parameter_error(
              "these are the parameters of a filter that is made from all its keys at once: build_static() makes it, "
              "and plan() without all_keys_known has others");
        }
        return std::make_unique<plain_filter>(
            filter_file(sluice::filter(p),
                        {kind.value_or(key_kind::bytes), static_cast<std::uint64_t>(planned_keys), planned_fpr}),
            kind.has_value());
      },
      py::arg("parameters"), py::kw_only(), py::arg("planned_keys") = 0.0, py::arg("planned_fpr") = 0.0,
      py::arg("kind") = py::none(),
      "from_parameters(parameters, *, planned_keys=0, planned_fpr=0, kind=None)\n--\n\n"
      "A filter of exactly these parameters: those of a plan, of info(), or your own.");

  py::class_<growing, keyed> chain(m, "GrowingFilter",
                                   R"(A filter for keys whose number nobody knows: a chain of filters.

The false positive rate holds at any number of keys.

Args:
    fpr: of the whole chain.
    first_keys: that the first filter of the chain holds.
    factor: how many times more each later one holds; 2 unless it is given, of an erasable chain 4.
    seed, kind, erasable: as of Filter; an erasable chain has a factor that is a power of two.

>>> import numpy as np, sluice
>>> f = sluice.GrowingFilter(fpr=0.001)
>>> f.update(np.arange(100_000)) > 99_800
True
>>> f.links
3
)");
  chain.def(
      py::init([](double fpr, std::uint64_t first_keys, std::optional<std::uint32_t> factor, std::uint32_t block_bits,
                  const py::object& seed, const py::object& kind_wanted, bool erasable) {
        const std::optional<key_kind> kind = kind_of(kind_wanted);
        return std::make_unique<growing>(filter_file(sluice::growing_filter({.fpr = fpr,
                                                                             .first_keys = first_keys,
                                                                             .factor = factor.value_or(0),
                                                                             .block_bits = block_bits,
                                                                             .seed = seed_from(seed),
                                                                             .erasable = erasable}),
                                                     kind.value_or(key_kind::bytes)),
                                         kind.has_value());
      }),
      py::arg("fpr") = sluice::plan_request::usual_fpr, py::kw_only(),
      py::arg("first_keys") = sluice::growth{}.first_keys, py::arg("factor") = py::none(),
      py::arg("block_bits") = sluice::growth{}.block_bits, py::arg("seed") = 0, py::arg("kind") = py::none(),
      py::arg("erasable") = false,
      "__init__(self, /, fpr=0.001, *, first_keys=32768, factor=None, block_bits=512, seed=0, kind=None, "
      "erasable=False)\n--\n\n"
      "Makes the first filter of the chain.");
  define_values(chain);
  chain.def_static(
      "cost",
      [](double keys, double fpr, std::uint64_t first_keys, std::optional<std::uint32_t> factor,
         std::uint32_t block_bits, bool erasable) {
        return cost_of(keys, {.fpr = fpr,
                              .first_keys = first_keys,
                              .factor = factor.value_or(0),
                              .block_bits = block_bits,
                              .erasable = erasable});
      },
      py::arg("keys"), py::arg("fpr") = sluice::plan_request::usual_fpr, py::kw_only(),
      py::arg("first_keys") = sluice::growth{}.first_keys, py::arg("factor") = py::none(),
      py::arg("block_bits") = sluice::growth{}.block_bits, py::arg("erasable") = false, cost_doc);
  chain.def("compact", &compact, py::arg("keys"), py::kw_only(), py::arg("threads") = py::none(),
            py::arg("all") = false, compact_doc);
  chain.def(
      "fold_last_link",
      [](growing& f, double room) { return f.fold_by([&](filter_file& file) { return file.fold_last_link(room); }); },
      py::arg("room") = 0.0, fold_last_link_doc);
  chain.def_property_readonly(
      "links",
      [](growing& f) { return f.read([](const filter_file& file) { return file.contents().filters.size(); }); },
      "Filters in the chain.");

  py::class_<opened_filter, keyed> opened(m, "OpenedFilter",
                                          "A file that is read where it lies: see open(). Nothing can be added to it.");
  const auto open = [](const py::object& path) {
    const std::string name = path_from(path);
    const py::gil_scoped_release no_gil;
    return std::make_unique<opened_filter>(filter_file::map(name), true);
  };
  opened.def(py::init(open), py::arg("path"), "__init__(self, /, path)\n--\n\nOpens the file, as open() does.")
      .def("close", &opened_filter::close, "close(self, /)\n--\n\nLets the file go; nothing can be asked afterwards.")
      .def_property_readonly("closed", &opened_filter::is_closed)
      .def(
          "verify", [](opened_filter& f) { f.read([](const filter_file& file) { return file.verify(), 0; }); },
          "verify(self, /)\n--\n\nReads the whole file and compares its checksums; sluice.Error if one is wrong.")
      .def("__enter__", [](const py::object& self) { return py::cast<opened_filter&>(self).require_open(), self; })
      .def("__exit__", [](opened_filter& f, const py::args& /*error*/) { f.close(); })
      .def("__reduce__", [](const py::object& self) {
        auto& f = py::cast<opened_filter&>(self);
        return py::make_tuple(py::module_::import("sluice._restore").attr("opened"),
                              py::make_tuple(to_bytes(f), f.file().grows()));
      });

  m.def("open", open, py::arg("path"), R"(open(path)
--

Opens a filter file where it lies: only what lookups touch is read.

>>> import sluice, tempfile, pathlib
>>> path = pathlib.Path(tempfile.mkdtemp()) / "words.sluice"
>>> f = sluice.Filter(keys=100)
>>> f.update(["a", "b"])
2
>>> f.save(path)
>>> with sluice.open(path) as words:
...     "a" in words
True
)");
  m.def(
      "load",
      [](const py::object& path) -> py::object {
        const std::string name = path_from(path);
        filter_file f = [&] {
          const py::gil_scoped_release no_gil;
          return filter_file::load(name);
        }();
        if (f.grows()) return py::cast(std::make_unique<growing>(std::move(f), true));
        return py::cast(std::make_unique<plain_filter>(std::move(f), true));
      },
      py::arg("path"),
      "load(path)\n--\n\n"
      "Reads a filter file into memory, verified: a Filter or a GrowingFilter, which can be added to.");
}

}  // namespace sluice_python
