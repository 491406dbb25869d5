// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Prints what a filter's bytes and answers come to, for every scheme. Compiled for other processors and run under
// emulation, it must print the same. The golden files must be the same there, too. The names of the backends go to the
// error output.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "file/mapping.hpp"
#include "sluice/detail/block/lane_masks.hpp"
#include "sluice/detail/bulk/dispatch.hpp"
#include "sluice/sluice.hpp"
#include "support/golden.hpp"
#include "support/schemes.hpp"

namespace {

using namespace sluice;  // NOLINT(google-build-using-namespace)

/// The same bytes by one key after the other, in bulk, and in bulk into a filter that could be shared.
bool bulk_insertion_agrees(const parameters& p) {
  std::vector<std::uint64_t> keys(2000);
  for (std::uint64_t i = 0; i < keys.size(); ++i) keys[i] = i % 1700;
  filter single(p);
  for (const std::uint64_t key : keys) single.insert(key);
  filter bulk(p);
  if (bulk.insert_bulk(keys) != single.stats().keys_inserted) return false;
  if (!std::ranges::equal(single.bytes(), bulk.bytes())) return false;
  try {
    concurrent_filter shared(p);
    shared.insert_bulk(keys);
    return single == shared.snapshot();
  } catch (const parameter_error&) {
    return true;  // not a scheme to share
  }
}

/// Single, bulk and shared operations must leave the same bytes and give the same answers; the first of them is
/// printed.
bool print(const testing_support::scheme_case& scheme) {
  constexpr std::uint64_t count = 3000;
  const parameters p = scheme.make(testing_support::blocks_for_case(scheme, count), 7);
  filter f(p);
  for (std::uint64_t i = 0; i < count; ++i) f.insert(i * i);
  for (const char* text : {"", "a", "sluice", "a longer key that is hashed in several steps of sixteen bytes each"}) {
    f.insert(std::string_view(text));
  }
  std::vector<std::uint64_t> keys(20'000);
  for (std::uint64_t i = 0; i < keys.size(); ++i) keys[i] = i * 5;
  std::vector<std::uint8_t> answers(keys.size());
  f.may_contain_bulk(keys, answers);
  if (!bulk_insertion_agrees(p)) return false;
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < keys.size(); ++i) {
    if ((answers[i] != 0) != f.may_contain(keys[i])) return false;
    found += answers[i];
  }
  std::printf("%s %016llx %llu\n", scheme.name.c_str(), static_cast<unsigned long long>(hasher()(f.bytes()).value),
              static_cast<unsigned long long>(found));
  return true;
}

/// The same of sealed filters, whose columns are cut into planes in another way for every r. The walk tells what single
/// and bulk lookups must say.
bool print_sealed(std::uint32_t block_bits, std::uint32_t r) {
  constexpr std::uint64_t count = 3000;
  sealed_builder builder({.block_bits = block_bits, .fingerprint_bits = r, .seed = r});
  for (std::uint64_t i = 0; i < count; ++i) builder.insert(i * i);
  const filter f = builder.build();
  std::vector<std::uint64_t> keys(20'000);
  for (std::uint64_t i = 0; i < keys.size(); ++i) keys[i] = i < count ? i * i : i * 5 + 1;
  std::vector<std::uint8_t> answers(keys.size());
  f.may_contain_bulk(keys, answers);
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < keys.size(); ++i) {
    const bool expected = f.probe(keys[i]).found;
    if (i < count && !expected) return false;
    if ((answers[i] != 0) != expected || f.may_contain(keys[i]) != expected) return false;
    found += answers[i];
  }
  std::printf("sealed %u in %u: %016llx %016llx %llu\n", r, block_bits,
              static_cast<unsigned long long>(hasher()(f.bytes()).value),
              static_cast<unsigned long long>(hasher()(f.overflow().slots).value),
              static_cast<unsigned long long>(found));
  return true;
}

/// The masks of this backend and of the portable one, over random blocks.
template <std::uint32_t Quads, bool Gated>
bool backends_agree() {
  for (std::uint64_t i = 0; i < 2000; ++i) {
    std::byte block[Quads * 16];
    for (std::byte& byte : block)
      byte = static_cast<std::byte>(detail::full_mix(i * 64 + static_cast<std::uint64_t>(&byte - block)));
    const digest x = hasher(1)(i);
    const detail::lanes::masks<detail::simd::portable, Quads, Gated> a(x);
    const detail::lanes::masks<detail::simd::native, Quads, Gated> b(x);
    std::byte by_a[Quads * 16];
    std::byte by_b[Quads * 16];
    for (std::uint32_t count = 1; count <= 64; count += 3) {
      const detail::position_slice slice{.first = count % 5, .count = count < 59 ? count : 59};
      std::copy(std::begin(block), std::end(block), by_a);
      std::copy(std::begin(block), std::end(block), by_b);
      if (a.holds(block, slice) != b.holds(block, slice)) return false;
      a.add(by_a, slice);
      b.add(by_b, slice);
      if (!std::equal(std::begin(by_a), std::end(by_a), by_b)) return false;
      if (!b.holds(by_a, slice)) return false;
    }
    if (a.holds_first(block, detail::fixed<22>{}) != b.holds_first(block, detail::fixed<22>{})) return false;
    if constexpr (Gated) {
      for (std::uint32_t trace = 0; trace <= 4; ++trace) {
        const auto one = a.look(block, detail::fixed<15>{}, trace);
        const auto other = b.look(block, detail::fixed<15>{}, trace);
        if (one.found() != other.found() || one.goes_on(false) != other.goes_on(false)) return false;
      }
    }
  }
  return true;
}

/// A file of tests/golden: made again it has the same bytes, and mapped it has its keys.
bool golden_file_agrees(const testing_support::golden_case& golden) {
  const std::string path = "tests/golden/" + golden.name + ".sluice";
  if (!std::ranges::equal(golden.make(), detail::file::mapping(path).bytes())) return false;
  const filter_file v = filter_file::map(path);
  v.verify();
  return v.kind() == golden.kind && testing_support::has_golden_keys(v);
}

}  // namespace

int main() {
  std::fprintf(stderr, "backend %s, in bulk %s\n", detail::simd::native::name,
               detail::bulk::best_kernels<std::byte>().name);
  if (!backends_agree<4, true>() || !backends_agree<4, false>() || !backends_agree<2, true>() ||
      !backends_agree<2, false>()) {
    std::puts("the backends differ");
    return 1;
  }
  for (const auto& golden : testing_support::golden_cases()) {
    if (!golden_file_agrees(golden)) {
      std::printf("the file %s is another one here\n", golden.name.c_str());
      return 1;
    }
  }
  for (const auto& scheme : testing_support::all_schemes()) {
    if (!print(scheme)) {
      std::printf("%s: bulk and single answers differ\n", scheme.name.c_str());
      return 1;
    }
  }
  for (std::uint32_t r = 8; r <= 32; ++r) {
    for (const std::uint32_t block_bits : {512U, 256U}) {
      if (!print_sealed(block_bits, r)) {
        std::printf("sealed %u in %u: answers differ\n", r, block_bits);
        return 1;
      }
    }
  }
  return 0;
}
