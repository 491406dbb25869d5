// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// sluice bench: what filters do on this machine. Every scheme at its best parameters for the keys and the bits asked
// for, beside the blocked filter and the floor (one random line, one bit of it); rates and reads as measured and as
// predicted, times of the filters that `sluice build` makes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "frame/arguments.hpp"
#include "frame/output.hpp"
#include "frame/progress.hpp"
#include "report.hpp"
#include "scheme_options.hpp"
#include "sluice/builders.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/simulate.hpp"
#include "sluice/theory.hpp"
#include "timing/contest.hpp"
#include "timing/floor.hpp"

namespace sluice_cli {
namespace {

struct bench_options {
  std::vector<std::string> schemes = {"blocked", "gated", "bloom-g", "alpha", "classic"};
  double keys = 1e6;
  double bits_per_key = 16;
  std::uint32_t block_bits = 512;
  int repetitions = 5;
  std::optional<int> core = std::nullopt;
  bool json = false;
};

constexpr std::uint64_t absent = std::uint64_t{1} << 60;  // above every key that is stored
constexpr std::uint64_t most_asked = 1'000'000;

/// Keys to ask for: in no order that the filter or a cache could like.
std::vector<std::uint64_t> questions(std::uint64_t keys, std::uint64_t offset) {
  std::vector<std::uint64_t> asked(std::min(keys, most_asked));
  for (std::uint64_t i = 0; i < asked.size(); ++i) asked[i] = offset + i * 999'983 % keys;
  return asked;
}

/// The rows of one table: a contestant for each scheme and the floor.
struct table {
  const char* name;
  std::vector<harness::contestant> contestants = {};
};

/// What does not depend on time, and the number of its contestant in each table, if it has one there.
struct scheme_row {
  std::string name;
  ordered_json json;
  std::vector<std::optional<std::size_t>> entered = {};
};

sluice::filter sealed_of(const sluice::sealed_parameters& p, const std::vector<std::uint64_t>& keys) {
  sluice::sealed_builder all(p);
  all.insert_bulk(keys);
  return all.build({.threads = 1});  // on one core, as others are filled
}

sluice::filter filter_of(const sluice::parameters& p, const std::vector<std::uint64_t>& keys) {
  if (const auto* const sealed = std::get_if<sluice::sealed_parameters>(&p)) return sealed_of(*sealed, keys);
  sluice::filter f(p);
  f.insert_bulk(keys);
  return f;
}

struct counted_rate {
  double fpr;
  std::uint64_t asked;
};

/// Of real lookups of absent keys: enough for three digits, or twenty million.
counted_rate count_false_positives(const sluice::filter& f) {
  constexpr std::uint64_t enough = 100'000;
  constexpr std::uint64_t most = 20'000'000;
  std::vector<std::uint64_t> keys(most_asked);
  std::vector<std::uint8_t> answers(keys.size());
  std::uint64_t asked = 0;
  std::uint64_t found = 0;
  for (; asked < most && found < enough; asked += keys.size()) {
    for (std::uint64_t i = 0; i < keys.size(); ++i) keys[i] = 2 * absent + asked + i;
    f.may_contain_bulk(keys, answers);
    found += static_cast<std::uint64_t>(std::count(answers.begin(), answers.end(), std::uint8_t{1}));
  }
  return {static_cast<double>(found) / static_cast<double>(asked), asked};
}

/// Blocks read to insert a key, of a filter of the same kind that has as many keys, or a hundred thousand. None: it
/// takes no keys.
std::optional<double> reads_to_insert(const scheme_options& asked, double keys) {
  const double some = std::min(keys, 1e5);
  const sluice::parameters p = choose(asked, some).params;
  if (sluice::extend::is_sealed(p)) return std::nullopt;
  return sluice::simulate(p, {.keys = static_cast<std::uint64_t>(some)}).stats.accesses.per_insert;
}

scheme_row describe(const sluice::filter& f, const scheme_options& asked, double keys) {
  const auto n = static_cast<std::uint64_t>(keys);
  const sluice::statistics s = sluice::simulate(f, {.keys = n, .hits = 100'000, .misses = 100'000}).stats;
  const auto expected = sluice::theory::predict(f.params(), keys);
  ordered_json j;
  j["scheme"] = asked.scheme;
  const counted_rate counted = count_false_positives(f);
  j["memory_bits_per_key"] = s.memory_bits_per_key;
  const double least = -std::log2(s.fpr_from_fill);  // what any filter of this rate needs
  j["least_bits_per_key"] = least;
  j["times_least_bits"] = s.memory_bits_per_key / least;
  j["fpr"] = expected.fpr_exact;
  j["fpr_predicted"] = expected.fpr_exact;  // the same, beside the other predictions
  j["fpr_from_fill"] = s.fpr_from_fill;
  j["fpr_counted"] = counted.fpr;
  j["fpr_counted_of"] = counted.asked;
  const std::optional<double> inserted = reads_to_insert(asked, keys);
  j["accesses_insert"] = inserted ? ordered_json(*inserted) : ordered_json(nullptr);
  j["accesses_insert_predicted"] = inserted ? ordered_json(expected.accesses_insert) : ordered_json(nullptr);
  j["accesses_hit"] = s.accesses.per_hit.value_or(0);
  j["accesses_hit_predicted"] = expected.accesses_hit;
  j["accesses_miss"] = s.accesses.per_miss.value_or(0);
  j["accesses_miss_predicted"] = expected.accesses_miss;
  return {asked.scheme, j};
}

/// Null: it is another one.
const sluice::sealed_parameters* sealed_in(const sluice::filter& f) {
  return std::get_if<sluice::sealed_parameters>(&f.params());
}
const sluice::sealed_parameters* sealed_in(const harness::floor_filter& /*f*/) { return nullptr; }

int run(const bench_options& o) {
  if (!(o.keys >= 1000 && o.keys <= 1e10)) throw sluice::parameter_error("--keys is from 1000 to 1e10");
  if (o.repetitions < 1) throw sluice::parameter_error("--repetitions is at least 1");
  std::vector<std::string> names = o.schemes;
  std::erase(names, "blocked");
  names.insert(names.begin(), "blocked");  // what the others are compared with
  const auto n = static_cast<std::uint64_t>(o.keys);
  std::vector<std::uint64_t> stored(n);
  for (std::uint64_t i = 0; i < n; ++i) stored[i] = i;
  const auto hits = questions(n, 0);
  // A small filter is asked again and again, so that a run takes long enough to be timed, and the filter is where a
  // program that asks nothing else would have it.
  const std::uint64_t rounds = std::max<std::uint64_t>(1, 2 * most_asked / hits.size());
  const auto misses = questions(n, absent);
  std::vector<std::uint8_t> answers(hits.size());
  const bool pinned = harness::pin_to_core(o.core.value_or(0));
  if (o.core && !pinned) {
    throw sluice::parameter_error(fmt::format("--core {}: there is no such core, or it may not be used", *o.core));
  }

  const bool some_erase = std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return sluice::traits_of(sluice::extend::scheme_from_name(name).value()).erases_keys;
  });
  std::vector<table> tables = {{"insert_bulk"}, {"insert"},    {"hit"},   {"hit_bulk"},
                               {"miss"},        {"miss_bulk"}, {"erase"}, {"erase_bulk"}};
  std::vector<scheme_row> rows;
  progress_line line;
  // Returns the numbers of the contestants, in the order of the tables.
  const auto enter = [&](const std::string& name, auto f) {
    std::vector<std::optional<std::size_t>> entered(tables.size());
    const auto add = [&](std::size_t number, std::uint64_t operations, std::function<void()> body,
                         std::function<void()> before) {
      entered[number] = tables[number].contestants.size();
      tables[number].contestants.push_back({name, {}, operations, std::move(body), std::move(before)});
    };
    const auto clear = [f] { f->clear(); };
    const auto look = [&answers, rounds](const auto& filter, const std::vector<std::uint64_t>& keys) {
      for (std::uint64_t i = 0; i < rounds; ++i) filter.may_contain_bulk(keys, std::span<std::uint8_t>(answers));
    };
    const auto one_by_one = [rounds](const auto& filter, const std::vector<std::uint64_t>& keys) {
      std::uint64_t found = 0;
      for (std::uint64_t i = 0; i < rounds; ++i) {
        for (const std::uint64_t key : keys) found += filter.may_contain(key) ? 1U : 0U;
      }
      harness::keep(found);
    };
    const auto insert_one_by_one = [&, f] {
      for (const std::uint64_t key : stored) f->insert(key);
    };
    const auto insert_in_bulk = [&, f] { f->insert_bulk(stored); };
    if (const sluice::sealed_parameters* const sealed = sealed_in(*f)) {  // made of all keys at once
      add(0, n, [&, p = *sealed] { harness::keep(sealed_of(p, stored).keys_inserted()); }, {});
    } else {
      add(0, n, insert_in_bulk, clear);
      add(1, n, insert_one_by_one, clear);
    }
    add(2, hits.size() * rounds, [&, f, one_by_one] { one_by_one(*f, hits); }, {});
    add(3, hits.size() * rounds, [&, f, look] { look(*f, hits); }, {});
    add(4, misses.size() * rounds, [&, f, one_by_one] { one_by_one(*f, misses); }, {});
    add(5, misses.size() * rounds, [&, f, look] { look(*f, misses); }, {});
    // The last tables: they leave nothing behind. An erasure writes to a block as an insertion does: those of the floor
    // and of blocked stand beside it.
    if constexpr (requires { f->erase_bulk(stored); }) {
      if (sluice::traits_of(sluice::scheme_of(f->params())).erases_keys) {
        const auto fill = [&, f] {
          f->clear();
          f->insert_bulk(stored);
        };
        const auto erase_one_by_one = [&, f] {
          for (const std::uint64_t key : stored) f->erase(key);
        };
        add(6, n, erase_one_by_one, fill);
        add(7, n, [&, f] { f->erase_bulk(stored); }, fill);
      }
    }
    if (some_erase && (name == "floor" || name == "blocked")) {
      add(6, n, insert_one_by_one, clear);
      add(7, n, insert_in_bulk, clear);
    }
    return entered;
  };
  static_cast<void>(enter("floor", std::make_shared<harness::floor_filter>(sluice::blocks_for(n, o.bits_per_key))));
  for (std::size_t i = 0; i < names.size(); ++i) {
    line.tell("building " + names[i], static_cast<double>(i) / static_cast<double>(names.size()));
    scheme_options asked;
    asked.scheme = names[i];
    asked.request.block_bits = o.block_bits;
    asked.request.bits_per_key = o.bits_per_key;
    const auto f = std::make_shared<sluice::filter>(filter_of(choose(asked, o.keys).params, stored));
    rows.push_back(describe(*f, asked, o.keys));
    rows.back().entered = enter(names[i], f);
  }
  std::erase_if(tables, [](const table& t) { return t.contestants.empty(); });
  for (std::size_t t = 0; t < tables.size(); ++t) {
    line.tell(tables[t].name, static_cast<double>(t) / static_cast<double>(tables.size()));
    const auto results = harness::contest(tables[t].contestants, o.repetitions);
    for (scheme_row& row : rows) {
      const auto in_units_of = [&](double nanoseconds) {
        return row.entered[t] ? ordered_json(results[*row.entered[t]].median / nanoseconds) : ordered_json(nullptr);
      };
      row.json[fmt::format("ns_{}", tables[t].name)] = in_units_of(1);
      row.json[fmt::format("{}_to_blocked", tables[t].name)] = in_units_of(results[1].median);
      row.json[fmt::format("{}_to_floor", tables[t].name)] = in_units_of(results[0].median);
    }
  }
  if (o.json) {
    ordered_json j;
    j["keys"] = n;
    j["bits_per_key"] = o.bits_per_key;
    j["block_bits"] = o.block_bits;
    j["pinned_to_core"] = pinned ? ordered_json(o.core.value_or(0)) : ordered_json(nullptr);
    j["schemes"] = ordered_json::array();
    for (const scheme_row& row : rows) j["schemes"].push_back(row.json);
    print_result(j, true);
    return 0;
  }
  print("{} keys, {} bits a key, blocks of {} bits; medians of {} runs on {}\n\n", n, o.bits_per_key, o.block_bits,
        o.repetitions, pinned ? "one core" : "any core: this process may not choose one");
  print("{:<11} {:>8} {:>8} {:>10} {:>10} {:>10} {:>8} {:>7} {:>7} {:>7} {:>7}\n", "scheme", "bits/key", "x least",
        "FPR", "from fill", "counted", "insert", "hit", "model", "miss", "model");
  for (const scheme_row& row : rows) {
    const auto number = [&](const char* name) { return row.json[name].get<double>(); };
    const auto& inserted = row.json["accesses_insert"];
    print("{:<11} {:>8.2f} {:>8.3f} {:>10.3g} {:>10.3g} {:>10.3g} {:>8} {:>7.3f} {:>7.3f} {:>7.3f} {:>7.3f}\n",
          row.name, number("memory_bits_per_key"), number("times_least_bits"), number("fpr"), number("fpr_from_fill"),
          number("fpr_counted"), inserted.is_null() ? "-" : fmt::format("{:.3f}", inserted.get<double>()),
          number("accesses_hit"), number("accesses_hit_predicted"), number("accesses_miss"),
          number("accesses_miss_predicted"));
  }
  print("\nnanoseconds a key, and times those of blocked and of one random line\n{:<11}", "");
  for (const table& t : tables) print(" {:>20}", t.name);
  print("\n");
  for (const scheme_row& row : rows) {
    print("{:<11}", row.name);
    for (const table& t : tables) {
      const auto number = [&](const char* form) -> const ordered_json& {
        return row.json[fmt::format(fmt::runtime(form), t.name)];
      };
      const std::string text =
          number("ns_{}").is_null()
              ? "-"
              : fmt::format("{:.1f} x{:.2f} x{:.2f}", number("ns_{}").get<double>(),
                            number("{}_to_blocked").get<double>(), number("{}_to_floor").get<double>());
      print(" {:>20}", text);
    }
    print("\n");
  }
  return 0;
}

}  // namespace

command bench_command(CLI::App& app) {
  CLI::App* const sub = app.add_subcommand("bench", "what filters do on this machine: rates, blocks read, times");
  const auto o = std::make_shared<bench_options>();
  sub->add_option("SCHEMES", o->schemes, "schemes, of those that `sluice model` knows; blocked is always among them")
      ->check(CLI::IsMember(scheme_names()))
      ->capture_default_str();
  sub->add_option("--keys", o->keys, "number of keys; 1e8 and 100M are accepted")
      ->type_name(count_type)
      ->capture_default_str();
  sub->add_option("--bits-per-key", o->bits_per_key, "of the filters, without lists")->capture_default_str();
  sub->add_option("--block-bits", o->block_bits, "bits of a block")->capture_default_str();
  sub->add_option("--repetitions", o->repetitions, "runs of each; medians are reported")->capture_default_str();
  sub->add_option("--core", o->core, "the core to run on (default 0)");
  sub->add_flag("--json", o->json, "print JSON");
  sub->footer(
      "Contestants run in turn, so that times can be compared with each other; another hour is another machine.\n"
      "x least: the memory, in times of the log2(1/FPR) bits a key that no filter of that rate can do without. FPR is\n"
      "the model's, from fill that of the filter's bits, counted that of up to 2e7 lookups. insert, hit and miss are\n"
      "blocks read, measured and by the model. A sealed filter takes no keys one by one: its insert_bulk is its\n"
      "building. Beside erasures stand insertions into blocked and into one random line.\n"
      "examples:\n  sluice bench\n  sluice bench gated sealed ledger\n"
      "  sluice bench gated mht --keys 1e7 --bits-per-key 24 --json");
  return {sub, [o] { return run(*o); }};
}

}  // namespace sluice_cli
