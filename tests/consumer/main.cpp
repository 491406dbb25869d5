// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What a project that uses sluice looks like: filters by for_keys and of keys that are all known, chains that grow,
// files, and presets with bulk calls. Built against it in several ways by run.sh.
#include <cstdint>
#include <sluice/presets.hpp>
#include <sluice/sluice.hpp>
#include <vector>

int main() {
  auto f = sluice::filter::for_keys(1000, {.fpr = 1e-4});
  sluice::growing_filter g({.fpr = 0.01});
  sluice::presets::gated_512<11> p(10, {.threshold = 196});
  for (std::uint64_t i = 0; i < 1000; ++i) {
    f.insert(i);
    g.insert(i);
    p.insert(i);
  }
  const std::vector<std::uint64_t> keys = {0, 1, 999};
  const auto sealed = sluice::filter::sealed(keys, {.fpr = 1e-4});
  std::vector<std::uint8_t> answers(keys.size());
  p.may_contain_bulk(keys, answers);
  if (!sealed.may_contain(999) || answers != std::vector<std::uint8_t>{1, 1, 1}) return 4;
  sluice::save(f, "consumer.sluice", {.kind = sluice::key_kind::u64});
  const auto there = sluice::filter_file::map("consumer.sluice");
  for (std::uint64_t i = 0; i < 1000; ++i) {
    if (!f.may_contain(i) || !g.may_contain(i) || !p.may_contain(i) || !there.may_contain(i)) return 1;
  }
  try {
    static_cast<void>(sluice::load("no such file"));
    return 2;
  } catch (const sluice::file_error& e) {
    return e.code() == sluice::error_code::not_found ? 0 : 3;
  }
}
