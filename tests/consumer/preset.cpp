// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// A program that uses presets alone, with integer keys and digests: sluice::headers, and nothing to link.
#include <cstdint>
#include <sluice/presets.hpp>
#include <vector>

int main() {
  sluice::presets::blocked_512<8> f(10);
  f.insert(7);
  f.insert(sluice::digest{0x7e13095f1588691d});
  const std::vector<std::uint64_t> keys = {1, 2, 3};
  f.insert_bulk(keys);
  std::vector<std::uint8_t> answers(keys.size());
  f.may_contain_bulk(keys, answers);
  return f.may_contain(7) && f.may_contain(sluice::digest{0x7e13095f1588691d}) && answers[2] == 1 ? 0 : 1;
}
