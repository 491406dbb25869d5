// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// A program with text keys: presets, too, need the library then, because that is where bytes are hashed. Built with the
// static library and with the shared one.
#include <array>
#include <cstddef>
#include <cstdint>
#include <sluice/filter.hpp>
#include <sluice/presets.hpp>
#include <string>
#include <string_view>
#include <vector>

int main() {
  if (sluice::hasher()("sluice").value != 0x7e13095f1588691dU) return 1;  // docs/lookups.md
  sluice::presets::gated_512<11> preset(10, {.threshold = 196});
  sluice::filter f(preset.params());
  preset.insert("weir");
  f.insert("weir");
  const std::array<std::byte, 3> bytes = {std::byte{0}, std::byte{1}, std::byte{2}};
  preset.insert(bytes);
  f.insert(bytes);
  const std::vector<std::string> owned = {"lock", "a text that is longer than what std::string keeps in itself", ""};
  preset.insert_bulk(owned);
  f.insert_bulk(std::vector<std::string_view>(owned.begin(), owned.end()));
  if (!(preset.may_contain("weir") && f.may_contain(bytes) && f.may_contain(owned[1]))) return 2;
  std::array<std::uint8_t, 3> answers = {};
  preset.may_contain_bulk(owned, answers);
  return answers == std::array<std::uint8_t, 3>{1, 1, 1} ? 0 : 3;
}
