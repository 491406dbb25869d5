#include "common/choice_trials.hpp"

#include <algorithm>

#include "sluice/builders.hpp"
#include "sluice/detail/memory/words.hpp"
#include "theory/choice.hpp"

namespace experiments {

double model_rate(const choice_row& row) {
  return sluice::theory::predict(sluice::theory::choice_scheme{row.groups, row.hashes}, bits_per_key(row)).fpr_exact;
}

std::vector<double> online_ones(const choice_row& row, sluice::hash_form form, std::uint64_t trials, const setting& how,
                                const teller& told) {
  std::vector<double> ones(trials);
  in_parallel(
      trials, how.threads,
      [&](std::uint64_t i) {
        sluice::filter f(sluice::choice_parameters{
            .bits = row.bits, .groups = row.groups, .hashes = row.hashes, .form = form, .seed = how.seed_of(i)});
        for (std::uint64_t key = 0; key < lumetta_keys; ++key) f.insert(key);
        ones[i] =
            static_cast<double>(sluice::bits::count_ones(f.bytes().data(), row.bits)) / static_cast<double>(row.bits);
      },
      told);
  return ones;
}

std::vector<std::vector<double>> offline_ones(const choice_row& row, const std::vector<std::uint32_t>& rounds,
                                              std::uint64_t trials, const setting& how, const teller& told) {
  std::vector<std::vector<double>> ones(rounds.size(), std::vector<double>(trials));
  in_parallel(
      trials, how.threads,
      [&](std::uint64_t trial) {
        const std::uint64_t seed = how.seed_of(trial);
        sluice::choice_builder builder({.bits = row.bits,
                                        .groups = row.groups,
                                        .hashes = row.hashes,
                                        .form = sluice::hash_form::independent,
                                        .seed = seed},
                                       seed + 1);
        for (std::uint64_t key = 0; key < lumetta_keys; ++key) builder.insert(key);
        std::uint32_t done = 1;
        for (std::size_t i = 0; i < rounds.size(); ++i) {
          if (rounds[i] > done) builder.improve(rounds[i] - done);
          done = std::max(done, rounds[i]);
          ones[i][trial] = builder.fraction_of_ones();
        }
      },
      told);
  return ones;
}

}  // namespace experiments
