// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "describe.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>

#include "parameters.hpp"
#include "sluice/extend/names.hpp"

namespace sluice_python {
namespace {

template <class T>
py::object array_of(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}
const char* word_of(sluice::load_unit unit) { return unit == sluice::load_unit::keys ? "keys" : "bits"; }

/// 0 says that something is not known.
template <class T>
py::object or_none(T value) {
  return value == T{} ? py::object(py::none()) : py::cast(value);
}

}  // namespace

description describe(const sluice::filter_file& f) {
  description d{.contents = f.contents(),
                .stats = f.stats(),
                .keys = f.keys_inserted(),
                .planned_keys = f.planned_keys(),
                .planned_fpr = f.planned_fpr(),
                .file_bytes = f.size_bytes(),
                .writable = f.writable()};
  for (sluice::stored_filter& one : d.contents.filters)
    one.blocks = {}, one.overflowed = {};  // others may write to them
  return d;
}

py::dict dict_of(const sluice::statistics& s) {
  py::dict d;
  d["keys"] = s.keys_inserted;
  d["keys_from_fill"] = s.keys_from_fill;
  d["fpr"] = s.fpr_from_fill;
  d["blocks_per_miss"] = s.blocks_per_miss_from_fill;
  d["blocks"] = s.blocks;
  d["bits_set"] = s.bits_set;
  d["usable_bits"] = s.usable_bits;
  d["bits_per_key"] = s.bits_per_key;
  d["memory_bits_per_key"] = s.memory_bits_per_key;
  d["memory"] = s.filter_bytes + s.overflow_bytes;
  if (s.ledger) {
    d["fill"] = s.ledger->fill;
    d["guests"] = s.ledger->guests;
    d["closed_gates"] = s.ledger->closed_gates;
  }
  d["overflow_keys"] = s.overflow_keys;
  d["forced_keys"] = s.forced_keys;
  d["accesses_insert"] = s.accesses.per_insert;
  d["accesses_hit"] = s.accesses.per_hit;
  d["accesses_miss"] = s.accesses.per_miss;
  d["load_unit"] = word_of(s.histogram_unit);
  d["load_histogram"] = array_of(s.load_histogram);
  return d;
}

py::dict dict_of(const description& d) {
  py::dict out;
  const bool grows = d.contents.grows.has_value();
  out["scheme"] =
      grows ? std::string("growing") : std::string(sluice::extend::scheme_name(d.contents.filters.front().params));
  out["keys"] = d.keys;
  out["planned_keys"] = or_none(d.planned_keys);
  out["planned_fpr"] = or_none(d.planned_fpr);
  out["overfull"] = d.planned_keys != 0 && d.keys > d.planned_keys;
  out["fpr"] = sluice::extend::fpr_of_any(d.stats);
  std::uint64_t memory = 0;
  for (const sluice::statistics& s : d.stats) memory += s.filter_bytes + s.overflow_bytes;
  out["memory"] = memory;
  out["memory_bits_per_key"] = or_none(d.keys == 0 ? 0 : 8 * static_cast<double>(memory) / static_cast<double>(d.keys));
  out["file_bytes"] = d.file_bytes;
  out["writable"] = d.writable;
  py::list filters;
  for (std::size_t i = 0; i < d.stats.size(); ++i) {
    py::dict one = dict_of(d.stats[i]);
    one["parameters"] = dict_of(d.contents.filters[i].params);
    one["planned_keys"] = or_none(d.contents.filters[i].planned_keys);
    one["planned_fpr"] = or_none(d.contents.filters[i].planned_fpr);
    filters.append(one);
  }
  out["filters"] = filters;
  return out;
}

py::dict dict_of(const sluice::theory::prediction& p) {
  py::dict d;
  d["fpr"] = p.fpr_exact;
  d["fpr_usual"] = p.fpr_usual;
  d["accesses_insert"] = p.accesses_insert;
  d["accesses_hit"] = p.accesses_hit;
  d["accesses_miss"] = p.accesses_miss;
  d["overflow_fraction"] = p.overflow_fraction;
  d["refused_fraction"] = p.refused_fraction;
  d["load_unit"] = word_of(p.unit);
  d["loads"] = array_of(p.loads);
  return d;
}

py::dict dict_of(const sluice::plan_candidate& c) {
  py::dict d;
  d["parameters"] = dict_of(c.params);
  d["design"] = c.design;
  d["predicted"] = dict_of(c.predicted);
  d["keys"] = c.keys;
  d["bits_per_key"] = c.bits_per_key;
  d["memory_bits_per_key"] = c.memory_bits_per_key;
  d["memory"] = c.memory_bytes;
  d["mean_cost"] = c.mean_cost;
  d["time"] = c.time;
  d["fpr_overfull"] = c.fpr_overfull;
  d["broken_limit"] = c.broken_limit;
  d["why"] = c.why;
  return d;
}

py::dict dict_of(const sluice::simulation& s) {
  py::dict d = dict_of(s.stats);
  d["lookups_absent"] = s.lookups_absent;
  d["false_positives"] = s.false_positives;
  d["refused_keys"] = s.refused_keys;
  return d;
}

}  // namespace sluice_python
