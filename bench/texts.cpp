// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Text keys of several lengths, hashed by the library, in turn with the same texts whose hash is compiled into the loop
// that asks for it: alone, in single lookups, and in bulk, where the library hashes many texts in one call. The filter
// lies in the cache, so that the hash is a large part of every time. Both ways must have the same digests.
#include "texts.hpp"

#define XXH_INLINE_ALL
#define XXH_FORCE_MEMORY_ACCESS 0
#include <fmt/core.h>
#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/sluice.hpp"
#include "timing/contest.hpp"

namespace bench {
namespace {

struct inlined_text {
  std::string_view text;
  friend sluice::digest sluice_digest(const sluice::hasher& hash, const inlined_text& key) noexcept {
    return sluice::digest{XXH3_64bits_withSeed(key.text.data(), key.text.size(), hash.seed())};
  }
};

struct lengths {
  std::size_t least;
  std::size_t most;
};

constexpr std::size_t keys = 20'000;
constexpr int times = 20;  // as many repetitions as were asked for: runs are short, so that most are not interrupted

std::vector<std::string> texts_of(lengths l) {
  std::vector<std::string> all(keys);
  for (std::size_t i = 0; i < keys; ++i) {
    const std::uint64_t word = sluice::detail::full_mix(i + 1);
    all[i].resize(l.least + word % (l.most - l.least + 1));
    for (std::size_t at = 0; at < all[i].size(); ++at) all[i][at] = static_cast<char>(word >> (8 * (at % 8)));
  }
  return all;
}

/// As in a program that does nothing else: not inlined into each other.
template <class Key>
[[gnu::noinline]] void hash_each(const std::vector<Key>& texts, std::vector<sluice::digest>& out) {
  const sluice::hasher hash(1);
  for (std::size_t i = 0; i < texts.size(); ++i) out[i] = hash(texts[i]);
}
template <class Key>
[[gnu::noinline]] void hash_all(const std::vector<Key>& texts, std::vector<sluice::digest>& out) {
  sluice::detail::bulk::hash_keys(sluice::hasher(1), std::span<const Key>(texts), out.data());
}
template <class Key>
[[gnu::noinline]] std::uint64_t ask_each(const sluice::filter& f, const std::vector<Key>& texts) {
  std::uint64_t found = 0;
  for (const Key& text : texts) found += f.may_contain(text) ? 1U : 0U;
  return found;
}

void compare(lengths l, int repetitions) {
  const std::vector<std::string> owned = texts_of(l);
  const std::vector<std::string_view> texts(owned.begin(), owned.end());
  std::vector<inlined_text> inlined;
  for (const std::string_view text : texts) inlined.push_back({text});

  std::vector<sluice::digest> out(keys);
  std::vector<sluice::digest> same(keys);
  hash_each(inlined, same);
  hash_all(texts, out);
  if (out != same) throw std::logic_error("the library has other digests");
  hash_all(owned, out);
  if (out != same) throw std::logic_error("strings have other digests than views of them");

  sluice::filter f(sluice::blocked_parameters{.blocks = sluice::blocks_for(keys, 16), .hashes = 10, .seed = 1});
  f.insert_bulk(texts);
  if (ask_each(f, inlined) != keys) throw std::logic_error("a key is lost");
  std::vector<std::uint8_t> answers(keys);

  const std::string bytes = l.least == l.most ? fmt::format("{}", l.least) : fmt::format("{} to {}", l.least, l.most);
  const auto row = [&](const char* what, const auto& body) {
    const auto entry = [&](const char* name, const auto& some) {
      return harness::contestant{name, {}, keys, [&some, &body] { body(some); }, {}};
    };
    const auto r = harness::contest({entry("inlined", inlined), entry("views", texts), entry("strings", owned)},
                                    times * repetitions);
    fmt::print("  {:<8}{:<16}{:>8.1f}{:>8.1f} x{:.2f}{:>8.1f} x{:.2f}\n", bytes, what, r[0].median, r[1].median,
               r[1].median / r[0].median, r[2].median, r[2].median / r[0].median);
    std::fflush(stdout);
  };
  row("digests", [&](const auto& some) {
    hash_each(some, out);
    harness::keep(out.data());
  });
  row("digests, bulk", [&](const auto& some) {
    hash_all(some, out);
    harness::keep(out.data());
  });
  row("lookups", [&](const auto& some) { harness::keep(ask_each(f, some)); });
  row("lookups, bulk", [&](const auto& some) { f.may_contain_bulk(some, answers); });
  row("inserts, bulk", [&](const auto& some) {
    f.clear();
    harness::keep(f.insert_bulk(some));
  });
}

}  // namespace

void texts(int repetitions) {
  fmt::print(
      "\ntext keys, ns: hash inlined; std::string_view and std::string, hashed in the library, and their ratios\n");
  for (const lengths l : {lengths{4, 4}, {8, 8}, {16, 16}, {32, 32}, {64, 64}, {4, 64}, {1024, 1024}}) {
    compare(l, repetitions);
  }
}

}  // namespace bench
