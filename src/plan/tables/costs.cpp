// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Measures what lookups take: every scheme in the planner's design at some numbers of bits a key, asked one by one and
// in bulk, for keys that are there and keys that are not, in filters that a cache holds and in filters that none does.
//
// All filters of one number of bits take turns with the reference, which is the same in all contests, so that numbers
// of different contests can be divided by each other. Medians are kept, and only as multiples of the reference: times
// themselves are another machine's tomorrow. Each contest is held five times, and the median of those is kept: what
// disturbs a whole contest is not seen, nor which pages a filter happens to have: every contest has copies of its own.
// (On a virtual machine pages make up to a third of a time in memory.)
#include "costs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "plan/cost_row.hpp"
#include "plan/costs.hpp"
#include "plan/designs.hpp"
#include "sluice/builders.hpp"
#include "sluice/detail/block/ledger_layout.hpp"
#include "sluice/filter.hpp"
#include "sluice/parameters.hpp"
#include "timing/contest.hpp"

namespace sluice_tables {
namespace {

using sluice::detail::designs::cost_row;
using sluice::detail::designs::family;
using sluice::detail::designs::lookup_times;
using sluice::detail::designs::processor_costs;

constexpr std::uint32_t block_bits = 512;
constexpr double reference_bits = 16;
// Together they have gated designs of every number of steps. Of schemes without lanes a few points are enough: their
// times lie on a line.
constexpr std::array measured_bits = {8.0, 16.0, 24.0, 28.0, 32.0, 36.0, 44.0, 52.0, 64.0};
constexpr std::array measured_bits_without_lanes = {8.0, 16.0, 24.0, 32.0, 64.0};
constexpr std::uint64_t absent = std::uint64_t{1} << 60;  // above every key that is stored

/// Where filters lie, by their size.
struct place {
  const char* name;
  std::function<double(double)> keys;  ///< of a filter with so many bits a key
  std::uint64_t asked;                 ///< lookups of one run
  int repetitions;
};

struct timed_scheme {
  family which;
  const char* name;
  bool lanes;
};
constexpr std::array timed_schemes = {timed_scheme{family::blocked, "blocked", true},
                                      timed_scheme{family::blocked, "blocked", false},
                                      timed_scheme{family::gated, "gated", true},
                                      timed_scheme{family::bloom_2, "bloom_2", false},
                                      timed_scheme{family::alpha, "alpha", false},
                                      timed_scheme{family::two_choice, "two_choice", false},
                                      timed_scheme{family::single, "single", false},
                                      timed_scheme{family::mht, "mht", false},
                                      timed_scheme{family::sequential, "sequential", false},
                                      timed_scheme{family::classic, "classic", false}};

using shared_filter = std::shared_ptr<sluice::filter>;

shared_filter filled(const sluice::parameters& p, double keys) {
  auto f = std::make_shared<sluice::filter>(p);
  const auto n = static_cast<std::uint64_t>(keys);
  std::vector<std::uint64_t> some;
  for (std::uint64_t first = 0; first < n; first += some.size()) {
    some.resize(std::min<std::uint64_t>(n - first, 1'000'000));
    for (std::uint64_t i = 0; i < some.size(); ++i) some[i] = first + i;
    f->insert_bulk(some);
  }
  return f;
}

/// Keys to ask for, in an order that no cache could like: a few at a time, and others in the next turn, so that turns
/// are short beside those that the machine gives to somebody else, and lines of memory are not in a cache when they
/// are asked for again.
class questions {
public:
  questions(const place& where, double keys, std::uint64_t offset) : some_(where.asked) {
    const auto n = static_cast<std::uint64_t>(keys);
    asked_.resize(std::min(n, turns * some_) / some_ * some_);
    for (std::uint64_t i = 0; i < asked_.size(); ++i) asked_[i] = offset + i * 999'983 % n;
  }
  [[nodiscard]] std::span<const std::uint64_t> next() {
    const std::span<const std::uint64_t> some = std::span(asked_).subspan(at_, some_);
    at_ = (at_ + some_) % asked_.size();
    return some;
  }

private:
  static constexpr std::uint64_t turns = 20;
  std::size_t some_;
  std::size_t at_ = 0;
  std::vector<std::uint64_t> asked_;
};

std::optional<sluice::parameters> design(const timed_scheme& s, double bits, double keys) {
  auto p = sluice::detail::designs::design(s.which, block_bits, bits, keys);
  if (auto* const blocked = p ? std::get_if<sluice::blocked_parameters>(&*p) : nullptr) {
    blocked->positions = s.lanes ? sluice::position_rule::lanes : sluice::position_rule::uniform;
  }
  return p;
}

std::uint32_t hashes_of(const sluice::parameters& p) {
  return std::visit(
      [](const auto& q) -> std::uint32_t {
        if constexpr (requires { q.hashes; }) return q.hashes;
        return 0;
      },
      p);
}

/// A filter that is asked for keys of its own number.
struct asked_filter {
  shared_filter filter;
  double keys;
};

/// Nanoseconds of a lookup of each filter, asked in one form.
std::vector<double> contest_of(const std::vector<asked_filter>& filters, const place& where, bool bulk, bool hit) {
  std::vector<harness::contestant> contestants;
  std::vector<std::uint8_t> answers(where.asked);
  for (const asked_filter& a : filters) {
    auto keys = std::make_shared<questions>(where, a.keys, hit ? 0 : absent);
    const auto one_by_one = [f = a.filter, keys] {
      std::uint64_t found = 0;
      for (const std::uint64_t key : keys->next()) found += f->may_contain(key) ? 1U : 0U;
      harness::keep(found);
    };
    const auto at_once = [f = a.filter, keys, &answers] { f->may_contain_bulk(keys->next(), std::span(answers)); };
    contestants.push_back({"", {}, where.asked, bulk ? std::function<void()>(at_once) : one_by_one, {}});
  }
  std::vector<double> medians;
  for (const harness::result& r : harness::contest(contestants, where.repetitions)) medians.push_back(r.median);
  return medians;
}

/// What every filter but the first takes, in times of the first.
std::vector<lookup_times> measured(std::vector<asked_filter> filters, const place& where) {
  constexpr std::size_t contests = 5;
  constexpr std::array kinds = {&lookup_times::single_hit, &lookup_times::single_miss, &lookup_times::bulk_hit,
                                &lookup_times::bulk_miss};
  std::array<std::vector<lookup_times>, contests> ratios;
  for (std::vector<lookup_times>& of_contest : ratios) {
    // All copies are there before what they replace is given back: they have other pages.
    std::vector<shared_filter> copies;
    copies.reserve(filters.size());
    for (const asked_filter& a : filters) copies.push_back(std::make_shared<sluice::filter>(*a.filter));
    for (std::size_t i = 0; i < filters.size(); ++i) filters[i].filter = std::move(copies[i]);
    of_contest.resize(filters.size() - 1);
    for (const auto kind : kinds) {
      const bool bulk = kind == &lookup_times::bulk_hit || kind == &lookup_times::bulk_miss;
      const bool hit = kind == &lookup_times::single_hit || kind == &lookup_times::bulk_hit;
      const std::vector<double> times = contest_of(filters, where, bulk, hit);
      for (std::size_t i = 0; i < of_contest.size(); ++i) of_contest[i].*kind = times[i + 1] / times[0];
    }
  }
  std::vector<lookup_times> medians(filters.size() - 1);
  for (std::size_t i = 0; i < medians.size(); ++i) {
    for (const auto kind : kinds) {
      std::array<double, contests> found{};
      for (std::size_t c = 0; c < contests; ++c) found[c] = ratios[c][i].*kind;
      std::sort(found.begin(), found.end());
      medians[i].*kind = found[contests / 2];
    }
  }
  return medians;
}

struct measurement {
  timed_scheme what;
  std::uint32_t steps;
  std::array<lookup_times, 2> times;  ///< in cache, in memory
};

std::vector<measurement> measure_all(const std::array<place, 2>& places) {
  std::vector<measurement> all;
  for (std::size_t p = 0; p < places.size(); ++p) {
    const place& where = places[p];
    const double reference_keys = where.keys(reference_bits);
    const auto blocked = design(timed_schemes[0], reference_bits, reference_keys);
    if (!blocked) return {};  // there is one
    const shared_filter reference = filled(*blocked, reference_keys);
    std::size_t next = 0;  // the second place fills the rows of the first
    for (const double bits : measured_bits) {
      std::fprintf(stderr, "%s, %g bits a key\n", where.name, bits);
      const double keys = where.keys(bits);
      std::vector<asked_filter> filters = {{reference, reference_keys}};
      std::vector<std::pair<timed_scheme, std::uint32_t>> what;
      for (const timed_scheme& s : timed_schemes) {
        const auto& points = measured_bits_without_lanes;
        if (!s.lanes && std::find(points.begin(), points.end(), bits) == points.end()) continue;
        const auto params = design(s, bits, keys);
        if (!params) continue;
        filters.push_back({filled(*params, keys), keys});
        what.emplace_back(s, sluice::detail::designs::steps_of(hashes_of(*params), s.lanes));
      }
      const std::vector<lookup_times> times = measured(filters, where);
      for (std::size_t i = 0; i < what.size(); ++i) {
        if (p == 0) all.push_back({what[i].first, what[i].second, {}});
        all[next++].times[p] = times[i];
      }
    }
  }
  return all;
}

/// As compilers name it.
constexpr std::string_view processor =
#if defined(__x86_64__)
    "x86_64";
#elif defined(__aarch64__)
    "aarch64";
#else
    "another";
#endif

/// What follows the colon on the first line of /proc/cpuinfo that begins so; empty without one.
std::string line_of_cpuinfo(std::string_view what) {
  std::ifstream about("/proc/cpuinfo");
  for (std::string line; std::getline(about, line);) {
    if (line.starts_with(what)) return line.substr(std::min(line.size(), line.find(':') + 2));
  }
  return {};
}

/// The machine, as its kernel calls it.
std::string machine() {
  std::string model = line_of_cpuinfo("model name");
  if (!model.empty()) return model;
  constexpr std::array parts = {std::pair("0xd0c", "Neoverse N1"), std::pair("0xd40", "Neoverse V1"),
                                std::pair("0xd49", "Neoverse N2"), std::pair("0xd4f", "Neoverse V2")};
  const std::string part = line_of_cpuinfo("CPU part");
  for (const auto& [number, name] : parts) {
    if (part == number) return name;
  }
  return part.empty() ? "unknown" : "part " + part;
}

/// Rows of equal scheme and steps, which stand together, become their mean.
std::vector<measurement> one_for_each_number_of_steps(const std::vector<measurement>& all) {
  std::vector<measurement> rows;
  for (auto first = all.begin(); first != all.end();) {
    const auto last = std::find_if(first, all.end(), [&](const measurement& m) {
      return m.what.which != first->what.which || m.what.lanes != first->what.lanes || m.steps != first->steps;
    });
    measurement mean{first->what, first->steps, {}};
    for (std::size_t p = 0; p < mean.times.size(); ++p) {
      for (const auto field :
           {&lookup_times::single_hit, &lookup_times::single_miss, &lookup_times::bulk_hit, &lookup_times::bulk_miss}) {
        for (auto m = first; m != last; ++m) mean.times[p].*field += m->times[p].*field;
        mean.times[p].*field /= static_cast<double>(last - first);
      }
    }
    rows.push_back(mean);
    first = last;
  }
  return rows;
}

std::string text_of(const lookup_times& t) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "{%.2f, %.2f, %.2f, %.2f}", t.single_hit, t.single_miss, t.bulk_hit,
                t.bulk_miss);
  return text.data();
}

std::array<place, 2> both_places() {
  constexpr double bits_in_cache = 1.6e6;      // 200 kB: 100,000 keys at 16 bits each
  constexpr double bits_in_memory = 0x1.0p29;  // 64 MiB
  return {place{"in cache", [](double bits) { return std::floor(bits_in_cache / bits); }, 20'000, 41},
          place{"in memory", [](double bits) { return std::floor(bits_in_memory / bits); }, 50'000, 11}};
}

shared_filter sealed_of(std::uint32_t r, double keys) {
  sluice::sealed_builder builder({.block_bits = block_bits, .fingerprint_bits = r});
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(keys); ++i) builder.insert(i);
  return std::make_shared<sluice::filter>(builder.build());
}

/// Filters whose designs follow from one number. `rows` come without times; make(number, keys) is filled.
template <class BitsPerKey, class Make>
std::vector<measurement> measure_numbers(const std::array<place, 2>& places, std::vector<measurement> rows,
                                         const BitsPerKey& bits_per_key, const Make& make) {
  for (std::size_t p = 0; p < places.size(); ++p) {
    std::fprintf(stderr, "%s, %s\n", places[p].name, rows.front().what.name);
    const double reference_keys = places[p].keys(reference_bits);
    const auto blocked = design(timed_schemes[0], reference_bits, reference_keys);
    if (!blocked) return {};  // there is one
    std::vector<asked_filter> filters = {{filled(*blocked, reference_keys), reference_keys}};
    for (const measurement& row : rows) {
      const double keys = places[p].keys(bits_per_key(row.steps));
      filters.push_back({make(row.steps, keys), keys});
    }
    const std::vector<lookup_times> times = measured(filters, places[p]);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].times[p] = times[i];
  }
  return rows;
}

/// Fingerprints of whole bytes take least; all others much the same. (Of one bit it would take a build of half a
/// billion keys.)
std::vector<measurement> measure_sealed(const std::array<place, 2>& places) {
  constexpr std::array lengths = {4U, 8U, 12U, 16U, 20U, 24U, 28U, 32U};
  std::vector<measurement> rows;
  rows.reserve(lengths.size());
  for (const std::uint32_t r : lengths) {
    rows.push_back({{family::sealed, "sealed", r % 8 == 0}, r, {}});
  }
  return measure_numbers(places, rows, [](std::uint32_t r) { return 1.1 * r; }, sealed_of);
}

std::vector<measurement> measure_ledgers(const std::array<place, 2>& places) {
  std::vector<measurement> rows;
  rows.reserve(sluice::detail::ledger_layout::all_remainders.size());
  for (const std::uint32_t rho : sluice::detail::ledger_layout::all_remainders) {
    rows.push_back({{family::ledger, "ledger", false}, rho, {}});
  }
  const auto bits_per_key = [](std::uint32_t rho) {
    return block_bits / (0.88 * sluice::detail::ledger_layout(rho).slots);
  };
  const auto make = [&](std::uint32_t rho, double keys) {
    const auto blocks = sluice::blocks_for(static_cast<std::uint64_t>(keys), bits_per_key(rho));
    return filled(sluice::ledger_parameters{.blocks = blocks, .remainder_bits = rho}, keys);
  };
  return measure_numbers(places, rows, bits_per_key, make);
}

const char* name_of(family which) {
  if (which == family::sealed) return "sealed";
  if (which == family::ledger) return "ledger";
  for (const timed_scheme& s : timed_schemes) {
    if (s.which == which) return s.name;
  }
  return "";  // nothing else has rows
}

void print_rows(std::string_view of, std::span<const cost_row> rows) {
  std::printf("inline constexpr cost_row rows_of_%.*s[] = {\n", static_cast<int>(of.size()), of.data());
  for (const cost_row& r : rows) {
    std::printf("    {family::%s, %s, %u, %s, %s},\n", name_of(r.which), r.lanes ? "true" : "false", r.steps,
                text_of(r.in_cache).c_str(), text_of(r.in_memory).c_str());
  }
  std::puts("};");
}

}  // namespace

void print_costs() {
  harness::pin_to_core(0);
  const std::array places = both_places();
  std::vector<measurement> all = measure_all(places);
  std::stable_sort(all.begin(), all.end(), [](const measurement& a, const measurement& b) {
    return std::tuple(a.what.which, !a.what.lanes, a.steps) < std::tuple(b.what.which, !b.what.lanes, b.steps);
  });
  std::vector<measurement> rows = one_for_each_number_of_steps(all);
  for (const measurement& m : measure_sealed(places)) rows.push_back(m);
  for (const measurement& m : measure_ledgers(places)) rows.push_back(m);
  std::vector<cost_row> here;
  here.reserve(rows.size());
  for (const measurement& m : rows) here.push_back({m.what.which, m.what.lanes, m.steps, m.times[0], m.times[1]});

  // The other processor's stay as they are.
  const std::string name = machine();
  std::vector<processor_costs> costs(std::begin(sluice::detail::designs::costs),
                                     std::end(sluice::detail::designs::costs));
  const auto mine = std::find_if(costs.begin(), costs.end(), [](const auto& c) { return c.processor == processor; });
  if (mine == costs.end()) {
    costs.push_back({processor, name, here});
  } else {
    *mine = {processor, name, here};
  }

  std::puts(
      "// plan/costs: what a lookup takes by scheme and number of steps (four positions in lanes, otherwise one;\n"
      "// of sealed filters: by the bits of a fingerprint, whole bytes or not), in times of blocked at 16 bits a\n"
      "// key asked in the same form and place, for each processor that was measured. Blocks of 512 bits; in\n"
      "// cache: filters of 200 kB; in memory: filters of 64 MiB that take turns. `./dev tables costs` measures\n"
      "// those of the processor it runs on; do not edit.\n"
      "#pragma once\n\n#include \"plan/cost_row.hpp\"\n\nnamespace sluice::detail::designs {\n\n"
      "// clang-format off\n"
      "// scheme, lanes, steps, in cache {single hit, single miss, bulk hit, bulk miss}, in memory {...}");
  for (const processor_costs& c : costs) print_rows(c.processor, c.rows);
  std::puts("\ninline constexpr processor_costs costs[] = {");
  for (const processor_costs& c : costs) {
    const std::string of(c.processor);
    std::printf("    {\"%s\", \"%s\", rows_of_%s},\n", of.c_str(), std::string(c.machine).c_str(), of.c_str());
  }
  std::puts("};\n// clang-format on\n\n}  // namespace sluice::detail::designs");
}

}  // namespace sluice_tables
