// Single-key operations of every scheme in cache: 100,000 integer keys at 16 bits each. Beside every time stand the false
// positive rate (from the final bits) and the blocks read, because a time without them means nothing. Compare ratios
// within one run; the machine is shared with others.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sluice/sluice.hpp"

namespace {

constexpr std::uint64_t keys = 100'000;
constexpr double bits_per_key = 16;

struct scheme_case {
  std::string name;
  sluice::parameters parameters;
};

std::vector<scheme_case> schemes() {
  using namespace sluice;  // NOLINT(google-build-using-namespace)
  const std::uint64_t blocks = blocks_for(keys, bits_per_key);
  const auto fractions = subtable_fractions(1.2, least_overflow(1.2, 3), 3);
  return {
      {"blocked", blocked_parameters{.blocks = blocks, .hashes = 10}},
      {"two_choice", alpha_parameters{.blocks = blocks, .hashes = 11}},
      {"mht",
       mht_parameters{
           .subtables = subtable_sizes(blocks, fractions), .hashes = 11, .threshold = 32, .acceptance = 0.0528}},
      {"gated",
       gated_parameters{
           .blocks = blocks, .hashes = 11, .trace = 4, .second_hashes = 9, .threshold = 196, .margin = 19}},
  };
}

template <class Filter>
Filter filled(const sluice::parameters& p) {
  Filter f(p);
  for (std::uint64_t i = 0; i < keys; ++i) f.insert(i);
  return f;
}

/// Times lookups of keys first, first + 1, ..., first + keys - 1; all of them are stored, or none.
void look_up(benchmark::State& state, const sluice::parameters& p, std::uint64_t first, bool stored) {
  const auto metered = filled<sluice::metered_filter>(p);
  for (std::uint64_t i = 0; i < keys; ++i) static_cast<void>(metered.may_contain(first + i));
  const sluice::statistics s = metered.stats();
  const auto f = filled<sluice::filter>(p);
  std::uint64_t i = 0;
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(f.may_contain(first + i));
    i = i + 1 == keys ? 0 : i + 1;
  }
  state.counters["fpr"] = s.fpr_from_fill;
  state.counters["blocks"] = (stored ? s.accesses.per_hit : s.accesses.per_miss).value_or(0);
}

void insert(benchmark::State& state, const sluice::parameters& p) {
  sluice::filter f(p);
  std::uint64_t i = 0;
  for ([[maybe_unused]] auto _ : state) {
    if (i == keys) {
      state.PauseTiming();
      f.clear();
      i = 0;
      state.ResumeTiming();
    }
    benchmark::DoNotOptimize(f.insert(i++));
  }
  const sluice::statistics s = filled<sluice::metered_filter>(p).stats();
  state.counters["fpr"] = s.fpr_from_fill;
  state.counters["blocks"] = s.accesses.per_insert.value_or(0);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr std::uint64_t absent = std::uint64_t{1} << 40;
  for (const scheme_case& scheme : schemes()) {
    const sluice::parameters p = scheme.parameters;
    benchmark::RegisterBenchmark((scheme.name + "/insert").c_str(), [p](benchmark::State& s) { insert(s, p); });
    benchmark::RegisterBenchmark((scheme.name + "/hit").c_str(), [p](benchmark::State& s) { look_up(s, p, 0, true); });
    benchmark::RegisterBenchmark((scheme.name + "/miss").c_str(),
                                 [p](benchmark::State& s) { look_up(s, p, absent, false); });
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
