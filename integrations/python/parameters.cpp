// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "parameters.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "errors.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/hash.hpp"

namespace sluice_python {
namespace {

template <class Value>
py::object object_of(const Value& value) {
  if constexpr (std::is_enum_v<Value>) {
    return py::str(std::string(sluice::extend::word_of(value)));
  } else {
    return py::cast(value);
  }
}

template <class Value>
void read(const char* name, const py::handle& from, Value& value) {
  if constexpr (std::is_enum_v<Value>) {
    const std::string word = py::str(from);
    constexpr auto& words = sluice::extend::words_of<Value>;
    if (const auto found = std::find(words.begin(), words.end(), word); found != words.end()) {
      value = static_cast<Value>(found - words.begin());
      return;
    }
    std::string known;
    for (const std::string_view one : words) known += (known.empty() ? "" : ", ") + std::string(one);
    throw sluice::parameter_error(std::string(name) + " is one of " + known + ", not '" + word + "'");
  } else {
    try {
      value = py::cast<Value>(from);
    } catch (const py::cast_error&) {
      throw sluice::parameter_error(std::string(name) + " cannot be " + std::string(py::repr(from)));
    }
  }
}

template <std::size_t... Which>
sluice::parameters empty_of(sluice::scheme which, std::index_sequence<Which...> /*all*/) {
  sluice::parameters p;
  const auto try_one = [&]<class One>(std::type_identity<One>) {
    if (One::which == which) p = One{};
  };
  (try_one(std::type_identity<std::variant_alternative_t<Which, sluice::parameters>>{}), ...);
  return p;
}

sluice::scheme scheme_from(const py::handle& name) {
  const std::string word = py::str(name);
  std::string known;
  for (const sluice::scheme_traits& one : sluice::extend::all_scheme_traits) {
    if (one.name == word) return one.which;
    known += (known.empty() ? "" : ", ") + std::string(one.name);
  }
  throw sluice::parameter_error("there is no scheme '" + word + "'; there are " + known);
}

std::uint64_t whole_from(const char* name, const py::handle& value) {
  const double number = number_from(name, value);
  if (!(number >= 0 && number < 0x1.0p63) || std::trunc(number) != number) {
    throw sluice::parameter_error(std::string(name) + " is a whole number that is not negative, not " +
                                  std::string(py::str(value)));
  }
  return static_cast<std::uint64_t>(number);
}
std::uint32_t small_from(const char* name, const py::handle& value) {
  const std::uint64_t number = whole_from(name, value);
  if (number > 0xffff'ffffU) throw sluice::parameter_error(std::string(name) + " is too large");
  return static_cast<std::uint32_t>(number);
}

bool truth_from(const char* name, const py::handle& value) {
  if (!PyBool_Check(value.ptr())) {
    throw call_error("TypeError", std::string(name) + " is True or False", sluice::error_code::bad_parameter);
  }
  return value.ptr() == Py_True;
}

}  // namespace

py::dict dict_of(const sluice::parameters& p) {
  py::dict d;
  d["scheme"] = std::string(sluice::extend::scheme_name(p));
  const auto put = [&](const char* name, const auto& value) { d[name] = object_of(value); };
  std::visit([&](const auto& q) { sluice::extend::for_each_member(put, q); }, p);
  return d;
}

sluice::parameters parameters_of(const py::dict& d) {
  if (!d.contains("scheme")) throw sluice::parameter_error("parameters name their scheme: {'scheme': 'gated', ...}");
  sluice::parameters p =
      empty_of(scheme_from(d["scheme"]), std::make_index_sequence<std::variant_size_v<sluice::parameters>>());
  std::size_t known = 1;
  const auto set = [&](const char* name, auto& member) {
    if (!d.contains(name)) return;
    read(name, d[name], member);
    ++known;
  };
  std::visit([&](auto& q) { sluice::extend::for_each_member(set, q); }, p);
  if (known == d.size()) return p;
  const py::dict ours = dict_of(p);
  for (const auto& [name, value] : d) {
    if (!ours.contains(name)) {
      throw sluice::parameter_error("a " + std::string(sluice::extend::scheme_name(p)) + " filter has no parameter '" +
                                    std::string(py::str(name)) + "'");
    }
  }
  return p;
}

double number_from(const char* name, const py::handle& value) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (number != -1 || PyErr_Occurred() == nullptr) return number;
  const bool too_large = PyErr_ExceptionMatches(PyExc_OverflowError) != 0;
  PyErr_Clear();
  if (too_large) throw sluice::parameter_error(std::string(name) + " is too large");
  const bool many = PySequence_Check(value.ptr()) != 0 && !PyUnicode_Check(value.ptr());
  throw call_error("TypeError",
                   std::string(name) + " is a number, not " + type_name(value) +
                       (many ? ": the number of keys first, the keys themselves with update()" : ""),
                   sluice::error_code::bad_parameter);
}

std::uint64_t seed_from(const py::handle& seed) {
  if (PyUnicode_Check(seed.ptr()) && std::string(py::str(seed)) == "random") return sluice::random_seed();
  const std::uint64_t number = PyLong_Check(seed.ptr()) ? PyLong_AsUnsignedLongLong(seed.ptr()) : ~std::uint64_t{0};
  if (!PyLong_Check(seed.ptr()) || PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw sluice::parameter_error("seed is an int from 0 to 2**64 - 1, or 'random', not " +
                                  std::string(py::repr(seed)));
  }
  return number;
}

py::object take(const py::kwargs& kwargs, const char* name) {
  if (!kwargs.contains(name)) return py::none();
  const py::object value = kwargs[name];
  if (PyDict_DelItemString(kwargs.ptr(), name) != 0) throw_python_error();
  return value;
}

void require_nothing_left(const char* function, const py::kwargs& kwargs) {
  for (const auto& [name, value] : kwargs) {
    throw py::type_error(std::string(function) + "() has no argument '" + std::string(py::str(name)) + "'");
  }
}

sluice::plan_request request_from(const py::args& args, const py::kwargs& kwargs) {
  const char* const positional[] = {"keys", "fpr"};
  if (args.size() > std::size(positional)) throw py::type_error("positional arguments are keys and fpr");
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (kwargs.contains(positional[i])) throw py::type_error(std::string(positional[i]) + " is given twice");
    kwargs[positional[i]] = args[i];
  }
  sluice::plan_request q;
  const auto if_given = [&](const char* name, const auto& use) {
    const py::object value = take(kwargs, name);
    if (!value.is_none()) use(value);
  };
  const auto number = [&](const char* name, auto& member) {
    if_given(name, [&](const py::object& value) { member = number_from(name, value); });
  };
  const auto small = [&](const char* name, auto& member) {
    if_given(name, [&](const py::object& value) { member = small_from(name, value); });
  };
  const auto truth = [&](const char* name, bool& member) {
    if_given(name, [&](const py::object& value) { member = truth_from(name, value); });
  };
  number("keys", q.keys);
  if_given("keys_at_most", [&](const py::object& keys) {
    if (q.keys) throw sluice::parameter_error("give keys or keys_at_most, not both");
    q.keys = number_from("keys_at_most", keys);
    q.keys_at_most = true;
  });
  number("fpr", q.fpr);
  if_given("memory", [&](const py::object& bytes) { q.memory_bits = 8 * number_from("memory", bytes); });
  if_given("bits_per_key", [&](const py::object& bits) {
    if (q.memory_bits) throw sluice::parameter_error("give memory or bits_per_key, not both");
    if (!q.keys) throw sluice::parameter_error("bits_per_key needs keys, the number of them");
    q.memory_bits = *q.keys * number_from("bits_per_key", bits);
  });
  if (q.keys && !q.fpr && !q.memory_bits) q.fpr = sluice::plan_request::usual_fpr;
  number("hit_ratio", q.hit_ratio);
  small("max_blocks", q.max_blocks);
  number("mean_cost_limit", q.mean_cost_limit);
  number("accesses_hit", q.accesses_hit);
  number("accesses_miss", q.accesses_miss);
  number("second_line_cost", q.second_line_cost);
  small("block_bits", q.block_bits);
  number("overload", q.overload);
  truth("no_list", q.no_list);
  truth("concurrent", q.concurrent);
  truth("mergeable", q.mergeable);
  truth("erasable", q.erase);
  if_given("shards", [&](const py::object& shards) { q.shards = whole_from("shards", shards); });
  truth("all_keys_known", q.all_keys_known);
  if_given("by", [&](const py::object& by) {
    const std::string word = py::str(by);
    const auto& words = sluice::extend::plan_by_words;
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end()) throw sluice::parameter_error("by is balanced, lines, bits or time, not '" + word + "'");
    q.by = static_cast<sluice::plan_by>(found - words.begin());
  });
  if_given("scheme", [&](const py::object& names) {
    if (PyUnicode_Check(names.ptr())) {
      q.among = {scheme_from(names)};
    } else {
      for (const py::handle name : names) q.among.push_back(scheme_from(name));
    }
  });
  if_given("seed", [&](const py::object& seed) { q.seed = seed_from(seed); });
  return q;
}

}  // namespace sluice_python
