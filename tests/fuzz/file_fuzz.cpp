// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Untrusted bytes as a file of a filter or of a sealed map: as they are, and with the checksums made right, so that
// what is behind them is reached. Nothing but a sluice::error may come of them; what is accepted can be asked,
// described, loaded, added to and saved, and is the same file when it is written again. Of a file that erases keys can
// be taken, whatever its blocks are; where those are as a ledger makes them, what is put in is found until it is taken.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/extend/contents.hpp"
#include "sluice/sluice.hpp"
#include "support/reseal.hpp"

namespace {

void require(bool holds, int line = __builtin_LINE()) {
  if (holds) return;
  std::fprintf(stderr, "what line %d demands does not hold\n", line);
  std::abort();
}

/// Keys of every block.
std::vector<sluice::digest> some_keys() {
  std::vector<sluice::digest> keys;
  for (std::uint64_t i = 0; i < 70; ++i) keys.push_back(sluice::digest{sluice::detail::full_mix(i)});
  return keys;
}

/// Have all blocks entries in order, as they must for keys to be found in them?
bool is_well_formed(const sluice::stored_filter& f) {
  return sluice::detail::with_ledger_recipe(std::get<sluice::ledger_parameters>(f.params), [&](const auto& recipe) {
    const auto blocks = recipe.blocks(f.blocks.data());
    for (std::uint64_t b = 0; b < blocks.size(); ++b) {
      if (!recipe.block.is_well_formed(blocks[b])) return false;
    }
    return true;
  });
}

/// Keys come to a ledger, or a chain of ledgers, and go. It may be full; then it has nothing more.
template <class Erasing>
void come_and_go(Erasing& f, bool well_formed) {
  const std::vector<sluice::digest> keys = some_keys();
  for (int round = 0; round < 3; ++round) {
    std::size_t in = 0;
    try {
      for (; in < keys.size(); ++in) {
        f.insert(keys[in]);
        require(!well_formed || f.count(keys[in]) != 0);
      }
    } catch (const sluice::full_error&) {
      require(in < keys.size());
    }
    for (std::size_t i = 0; i < in; ++i) require(!well_formed || f.may_contain(keys[i]));
    for (std::size_t i = 0; i < in; ++i) require(f.erase(keys[i]) || !well_formed);
    for (std::size_t i = 0; i < keys.size() && !well_formed; ++i) f.erase(keys[i]);
  }
}

void use(std::span<const std::byte> bytes) {
  const sluice::filter_file v(bytes);
  const sluice::file_contents& contents = v.contents();
  const std::vector<sluice::digest> keys = some_keys();
  std::vector<std::uint8_t> answers(keys.size());
  v.may_contain_bulk(keys, std::span<std::uint8_t>(answers));
  for (std::size_t i = 0; i < keys.size(); ++i) require(v.may_contain(keys[i]) == (answers[i] != 0));
  for (const sluice::statistics& s : v.stats()) require(s.fpr_from_fill >= 0 && s.fpr_from_fill <= 1 + 1e-9);
  v.verify();
  require(std::ranges::equal(sluice::to_bytes(contents), bytes));
  if (v.erases()) {
    for (std::size_t i = 0; i < keys.size(); ++i) require((v.count(keys[i]) != 0) == (answers[i] != 0));
    sluice::filter_file loaded = sluice::filter_file::load(bytes);
    come_and_go(loaded, std::ranges::all_of(contents.filters, is_well_formed));
    const std::vector<std::byte> again = sluice::to_bytes(loaded.contents());
    sluice::filter_file{std::span<const std::byte>(again)}.verify();
  }
  for (const sluice::stored_filter& stored : contents.filters) {
    sluice::filter f = sluice::extend::filter_of(stored);
    if (sluice::detail::erases_keys(f.params())) {
      come_and_go(f, is_well_formed(stored));
    } else if (!sluice::detail::is_sealed(f.params())) {  // which refuses keys
      f.insert_bulk(keys);
      for (const sluice::digest x : keys) require(f.may_contain(x));
    }
    const std::vector<std::byte> again = sluice::to_bytes(f, {contents.kind});
    sluice::filter_file{std::span<const std::byte>(again)}.verify();
  }
}

void use_as_map(std::span<const std::byte> bytes) {
  const auto m = sluice::sealed_map<>::view(bytes);  // asked before it is verified
  const std::vector<sluice::digest> keys = some_keys();
  std::vector<std::uint32_t> values(keys.size());
  std::vector<std::uint8_t> known(keys.size());
  m.get_bulk(keys, values, known);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto found = m.get(keys[i]);
    require(found.has_value() == (known[i] != 0) && found.value_or(0) == values[i]);
    require(std::uint64_t{values[i]} >> m.params().value_bits == 0);
  }
  m.verify();
  require(std::ranges::equal(m.to_bytes(), bytes) && m.size_bytes() == bytes.size());
  require(std::ranges::equal(sluice::sealed_map<>::load(bytes).to_bytes(), bytes));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::byte> bytes(size);
  std::transform(data, data + size, bytes.begin(), [](std::uint8_t b) { return std::byte{b}; });
  for (int sealed = 0; sealed < 2; ++sealed) {
    if (sealed != 0) testing_support::reseal(bytes);
    for (const auto& each : {use, use_as_map}) {
      try {
        each(bytes);
      } catch (const sluice::error&) {
        continue;  // a sentence is all that may come of it
      }
    }
  }
  return 0;
}
