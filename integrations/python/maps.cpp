// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// SealedMap: values of keys that are all known. It does not change, so that any number of threads may ask it.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bulk.hpp"
#include "files.hpp"
#include "filters.hpp"
#include "made.hpp"
#include "one_key.hpp"
#include "parameters.hpp"
#include "slots.hpp"
#include "sluice/extend/bulk.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/sealed_map.hpp"
#include "watch.hpp"

namespace sluice_python {
namespace {

using sluice::key_kind;
using map_of_numbers = sluice::sealed_map<std::uint32_t>;

class sealed_numbers : public bound {
public:
  explicit sealed_numbers(map_of_numbers map) : map_(std::move(map)) {}

  [[nodiscard]] std::optional<std::uint32_t> get(PyObject* object) const {
    std::string scratch;
    const one_key key = key_of(object, scratch);
    require_kind(key.kind);
    return map_.get(key.digest(map_.hash()));
  }
  [[nodiscard]] bool has(PyObject* object) const { return get(object).has_value(); }

  [[nodiscard]] py::tuple lookup(const py::object& keys, const std::optional<std::int64_t>& threads,
                                 const py::object& progress) const {
    const auto array = all_keys_in(keys, map_.hash());
    const std::uint32_t several = threads_for(threads, array->size());
    py::array_t<std::uint32_t> values(static_cast<py::ssize_t>(array->size()));
    py::array_t<bool> known(static_cast<py::ssize_t>(array->size()));
    if (!array->empty()) require_kind(array->kind());
    auto* const to = values.mutable_data();
    auto* const is_known = reinterpret_cast<std::uint8_t*>(known.mutable_data());
    in_steps(array->size(), progress_teller(progress), [&](std::size_t first, std::size_t count) {
      std::vector<sluice::digest> digests(std::min(count, sluice::extend::digests_at_once));
      for (std::size_t done = 0; done < count;) {
        const std::span<sluice::digest> some = std::span(digests).first(std::min(digests.size(), count - done));
        digests_of(*array, map_.hash(), first + done, some, several);
        map_.get_bulk(some, std::span(to + first + done, some.size()), std::span(is_known + first + done, some.size()),
                      several);
        done += some.size();
      }
    });
    return py::make_tuple(values, known);
  }

  [[nodiscard]] const map_of_numbers& map() const noexcept { return map_; }
  /// None of a map without keys, which takes any.
  [[nodiscard]] const std::optional<key_kind>& kind() const noexcept { return map_.kind(); }

private:
  void require_kind(key_kind given) const {
    if (kind()) sluice::extend::require_kind("the map", *kind(), given);
  }

  map_of_numbers map_;
};

/// Whole numbers from 0 to 2^32 - 1, in whatever an array can be made of.
std::vector<std::uint32_t> numbers_in(const py::object& values) {
  const py::array array = py::array::ensure(values);
  const char kind = array ? array.dtype().kind() : 'O';
  if (array && array.ndim() == 1 && array.size() == 0) return {};
  if (PyErr_Occurred() != nullptr) PyErr_Clear();
  if (!array || array.ndim() != 1 || (kind != 'i' && kind != 'u' && kind != 'b')) {
    refuse_type("values are an array or a list of whole numbers from 0 to 2**32 - 1");
  }
  const auto outside = [](const py::object& number) {
    return PyObject_RichCompareBool(number.ptr(), py::int_(0).ptr(), Py_LT) == 1 ||
           PyObject_RichCompareBool(number.ptr(), py::int_(0xffff'ffffU).ptr(), Py_GT) == 1;
  };
  for (const char* const end : {"min", "max"}) {
    if (const py::object extreme = array.attr(end)(); outside(extreme)) {
      throw sluice::parameter_error("values are from 0 to 2**32 - 1, and " + std::string(py::str(extreme)) +
                                    " is among them");
    }
  }
  const auto numbers = py::array_t < std::uint32_t, py::array::c_style | py::array::forcecast > (array);
  return {numbers.data(), numbers.data() + numbers.size()};
}

std::uint32_t bits_from(const char* name, const py::object& value) {
  if (value.is_none()) return 0;
  const double number = number_from(name, value);
  if (!(number >= 0 && number <= 1024) || std::trunc(number) != number) {
    throw sluice::parameter_error(std::string(name) + " is a number of bits, not " + std::string(py::str(value)));
  }
  return static_cast<std::uint32_t>(number);
}

std::unique_ptr<sealed_numbers> build_map(const py::object& keys, const py::object& values,
                                          const py::object& value_bits, const py::object& check_bits,
                                          const py::object& block_bits, const py::object& seed,
                                          const py::object& kind_wanted, const std::optional<std::int64_t>& threads,
                                          const py::object& progress) {
  const std::optional<key_kind> wanted = kind_of(kind_wanted);
  if (wanted == key_kind::u32) throw sluice::parameter_error("kind of a map is 'bytes' or 'int'");
  const sluice::sealed_map_parameters p{.value_bits = bits_from("value_bits", value_bits),
                                        .check_bits = bits_from("check_bits", check_bits),
                                        .block_bits = bits_from("block_bits", block_bits),
                                        .seed = seed_from(seed)};
  key_kind kind = wanted.value_or(key_kind::bytes);
  bool any = wanted.has_value();
  const std::vector<std::uint32_t> numbers = numbers_in(values);
  const std::vector<sluice::digest> digests = digests_of_all(keys, sluice::key_hasher(p.seed), threads, kind, any);
  if (digests.size() != numbers.size()) {
    throw sluice::parameter_error("every key has a value: there are " + std::to_string(digests.size()) + " keys and " +
                                  std::to_string(numbers.size()) + " values");
  }
  sluice::build_options options;
  options.threads = threads_for(threads, digests.size());
  map_of_numbers map = watch(progress_teller(progress), [&](const auto& tell) {
    options.progress = tell;
    return map_of_numbers::build(digests, numbers, p, options);
  });
  if (any) map.set_kind(kind);
  return std::make_unique<sealed_numbers>(std::move(map));
}

/// Throws where a file could not say what the keys are.
void require_known_kind(const sealed_numbers& self) {
  if (self.kind()) return;
  throw sluice::parameter_error(
      "the map has no keys, and a file names their kind: make it with kind='bytes' or kind='int'");
}

std::unique_ptr<sealed_numbers> map_from_bytes(const py::object& bytes) {
  return read_bytes_of(bytes, [](std::span<const std::byte> all) {
    return std::make_unique<sealed_numbers>(map_of_numbers::load(all));
  });
}

py::bytes bytes_of_map(const sealed_numbers& self) {
  require_known_kind(self);
  return python_bytes([&] {
    const py::gil_scoped_release no_gil;
    return self.map().verify(), self.map().to_bytes();
  }());
}

/// For pickles: the bytes, or of a map without keys and kind how it is made.
py::tuple state_of_map(const sealed_numbers& self) {
  if (self.kind()) return py::make_tuple(bytes_of_map(self));
  const sluice::sealed_map_parameters& p = self.map().params();
  return py::make_tuple(p.value_bits, p.check_bits, p.block_bits, p.seed);
}
std::unique_ptr<sealed_numbers> map_from_state(const py::tuple& state) {
  if (state.size() == 1) return map_from_bytes(state[0]);
  if (state.size() != 4) throw sluice::parameter_error("this is not the state of a SealedMap");
  const std::vector<sluice::digest> none;
  return std::make_unique<sealed_numbers>(map_of_numbers::build(none, std::vector<std::uint32_t>{},
                                                                {.value_bits = state[0].cast<std::uint32_t>(),
                                                                 .check_bits = state[1].cast<std::uint32_t>(),
                                                                 .block_bits = state[2].cast<std::uint32_t>(),
                                                                 .seed = state[3].cast<std::uint64_t>()}));
}

/// Opens, or loads, the map of a file.
template <map_of_numbers (*Read)(const std::string&)>
std::unique_ptr<sealed_numbers> from_file(const py::object& path) {
  const std::string name = path_from(path);
  const py::gil_scoped_release no_gil;
  return std::make_unique<sealed_numbers>(Read(name));
}

}  // namespace

void bind_maps(py::module_& m) {
  py::class_<sealed_numbers> type(m, "SealedMap", contains_setup<sealed_numbers>(),
                                  R"(Values of keys that are all known, in little more memory than the values take.

The keys are not kept. A key of the map always gets its value; an absent one gets none, but with probability
2**-check_bits some value.

Args:
    keys: an array, a list or another iterable; the same pair may come again.
    values: a whole number from 0 to 2**32 - 1 for each key.
    value_bits: of a value; as many as the largest needs unless given.
    check_bits: 0 unless given: then every absent key gets some value, but for what values of less than 8 bits leave.
    seed, kind: as of Filter.
    threads, progress: as of build_static(). The map does not depend on threads.

>>> import sluice
>>> shard = sluice.SealedMap(["weir", "lock", "sluice"], [3, 1, 2], check_bits=24)
>>> shard["lock"], shard.get("dam"), "dam" in shard, len(shard)
(1, None, False, 3)
)");
  type.def(py::init(&build_map), py::arg("keys"), py::arg("values"), py::kw_only(), py::arg("value_bits") = py::none(),
           py::arg("check_bits") = 0, py::arg("block_bits") = sluice::sealed_map_parameters{}.block_bits,
           py::arg("seed") = 0, py::arg("kind") = py::none(), py::arg("threads") = py::none(),
           py::arg("progress") = py::none(),
           "__init__(self, /, keys, values, *, value_bits=None, check_bits=0, block_bits=512, seed=0, kind=None, "
           "threads=None, progress=None)\n--\n\nBuilds the map.")
      .def(
          "get",
          [](const sealed_numbers& self, const py::object& key, const py::object& fallback) {
            const std::optional<std::uint32_t> found = self.get(key.ptr());
            return found ? py::object(py::int_(*found)) : fallback;
          },
          py::arg("key"), py::arg("default") = py::none(), py::pos_only(),
          "get(self, key, default=None, /)\n--\n\nThe value of a key, or the default.")
      .def(
          "__getitem__",
          [](const sealed_numbers& self, const py::object& key) {
            if (const std::optional<std::uint32_t> found = self.get(key.ptr())) return *found;
            PyErr_SetObject(PyExc_KeyError, key.ptr());
            throw_python_error();
          },
          py::arg("key"))
      .def("lookup", &sealed_numbers::lookup, py::arg("keys"), py::kw_only(), py::arg("threads") = py::none(),
           py::arg("progress") = py::none(), R"(lookup(self, /, keys, *, threads=None, progress=None)
--

The values of many keys: an array of them, 0 where there is none, and an array of bool that says where there is.

>>> import numpy as np, sluice
>>> squares = sluice.SealedMap(np.arange(1000), np.arange(1000) ** 2, check_bits=12)
>>> values, known = squares.lookup(np.array([3, 7, -1]))
>>> values[:2], bool(known[0])
(array([ 9, 49], dtype=uint32), True)
)")
      .def_static("open", &from_file<&map_of_numbers::map>, py::arg("path"), R"(open(path)
--

The map of a file, where it lies: only what lookups touch is read.

>>> import sluice, tempfile, pathlib
>>> path = pathlib.Path(tempfile.mkdtemp()) / "shards.sluice"
>>> sluice.SealedMap(["weir", "lock"], [3, 1], check_bits=24).save(path)
>>> sluice.SealedMap.open(path)["weir"]
3
)")
      .def_static("load", &from_file<static_cast<map_of_numbers (*)(const std::string&)>(&map_of_numbers::load)>,
                  py::arg("path"), "load(path)\n--\n\nReads the map of a file into memory, verified.")
      .def_static("from_bytes", &map_from_bytes, py::arg("data"),
                  "from_bytes(data)\n--\n\nThe map whose bytes(m) these are, or the bytes of its file; verified.")
      .def("__bytes__", &bytes_of_map)
      .def(py::pickle(&state_of_map, &map_from_state))
      .def("__reduce__", &reduced<sealed_numbers>)
      .def(
          "save",
          [](const sealed_numbers& self, const py::object& path, bool replace) {
            const std::string name = path_from(path);
            require_known_kind(self);
            const py::gil_scoped_release no_gil;
            self.map().save(name, replace ? sluice::existing::replace : sluice::existing::refuse);
          },
          py::arg("path"), py::kw_only(), py::arg("replace") = true,
          "save(self, /, path, *, replace=True)\n--\n\n"
          "Writes the map into a file, as a whole or not at all. open and load read it, and `sluice query --values`.")
      .def(
          "verify",
          [](const sealed_numbers& self) {
            const py::gil_scoped_release no_gil;
            self.map().verify();
          },
          "verify(self, /)\n--\n\nReads the whole file of an opened map and compares its checksums; sluice.Error if "
          "one "
          "is wrong.")
      .def("__len__", [](const sealed_numbers& self) { return self.map().size(); })
      .def(
          "info",
          [](const sealed_numbers& self) {
            const map_of_numbers& map = self.map();
            py::dict d;
            d["keys"] = map.size();
            d["value_bits"] = map.params().value_bits;
            d["check_bits"] = map.params().check_bits;
            d["block_bits"] = map.params().block_bits;
            d["listed"] = map.listed();
            d["memory"] = map.memory_bytes();
            d["memory_bits_per_key"] =
                map.size() == 0
                    ? py::object(py::none())
                    : py::float_(8 * static_cast<double>(map.memory_bytes()) / static_cast<double>(map.size()));
            d["kind"] = self.kind() ? py::object(py::str(std::string(sluice::name_of(*self.kind())))) : py::none();
            d["seed"] = map.params().seed;
            return d;
          },
          "info(self, /)\n--\n\nWhat the map is, as a dictionary: keys, memory, bits of values and checks, keys in its "
          "list.")
      .def_property_readonly(
          "kind",
          [](const sealed_numbers& self) {
            return self.kind() ? std::optional(std::string(sluice::name_of(*self.kind()))) : std::nullopt;
          },
          "'bytes' or 'u64'; None of a map without keys.")
      .def_property_readonly(
          "seed", [](const sealed_numbers& self) { return self.map().params().seed; }, "Of the hash.")
      .def_property_readonly(
          "nbytes", [](const sealed_numbers& self) { return self.map().memory_bytes(); }, "Bytes of blocks and list.");
  // It does not have its keys. By __getitem__ alone, Python would ask for 0, 1, 2 and so on, which may never end.
  type.attr("__iter__") = py::none();
  type.attr("__reversed__") = py::none();
}

}  // namespace sluice_python
