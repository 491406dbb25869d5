// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The lookups of tests/support/word_lookups.hpp in a kernel: over random words, a device answers as its host does.
// (tests/unit/layouts_test.cpp compares the host's with the library.) Needs sluice's headers alone.
#include <cstdint>
#include <cstdio>
#include <type_traits>
#include <vector>

#include "sluice/extend/layouts.hpp"
#include "support/word_lookups.hpp"

namespace {

constexpr std::uint64_t blocks = 64 * 500;
constexpr std::uint64_t questions = 1'000'000;

template <class Lookups>
__global__ void look_up(Lookups lookups, const std::uint64_t* words, std::uint64_t count, std::uint8_t* answers) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) answers[i] = lookups.may_contain(words, sluice::hasher(7)(i)) ? 1 : 0;
}

bool succeeded(cudaError_t code, const char* what) {
  if (code != cudaSuccess) std::fprintf(stderr, "device: %s: %s\n", what, cudaGetErrorString(code));
  return code == cudaSuccess;
}

template <class Lookups>
bool answers_alike(const char* name, const Lookups& lookups, const std::vector<std::uint64_t>& words) {
  static_assert(std::is_trivially_copyable_v<Lookups>);
  std::uint64_t* on_device = nullptr;
  std::uint8_t* out = nullptr;
  std::vector<std::uint8_t> answers(questions);
  if (!succeeded(cudaMalloc(&on_device, words.size() * 8), "memory") ||
      !succeeded(cudaMalloc(&out, questions), "memory") ||
      !succeeded(cudaMemcpy(on_device, words.data(), words.size() * 8, cudaMemcpyHostToDevice), "copy")) {
    return false;
  }
  look_up<<<(questions + 255) / 256, 256>>>(lookups, on_device, questions, out);
  if (!succeeded(cudaGetLastError(), "launch") ||
      !succeeded(cudaMemcpy(answers.data(), out, questions, cudaMemcpyDeviceToHost), "run")) {
    return false;
  }
  cudaFree(on_device);
  cudaFree(out);
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < questions; ++i) {
    const bool expected = lookups.may_contain(words.data(), sluice::hasher(7)(i));
    if (expected != (answers[i] != 0)) {
      std::fprintf(stderr, "device: %s: key %llu differs\n", name, static_cast<unsigned long long>(i));
      return false;
    }
    found += expected ? 1 : 0;
  }
  std::printf("%s: %llu of %llu found, on the device and on the host\n", name, static_cast<unsigned long long>(found),
              static_cast<unsigned long long>(questions));
  return found != 0 && found != questions;
}

}  // namespace

int main() {
  namespace extend = sluice::extend;
  std::vector<std::uint64_t> words(blocks * 8);
  for (std::uint64_t i = 0; i < words.size(); ++i) {
    const sluice::digest x{i};
    words[i] = extend::derive(x, extend::use::positions) | extend::derive(x, extend::use::coin);
  }
  const extend::block_groups page(blocks, 64);
  const extend::block_groups table(blocks, blocks);
  bool alike = answers_alike("blocked", testing_support::blocked_words{blocks, 512, 9}, words);
  alike = answers_alike("blocked, 256 bits", testing_support::blocked_words{blocks, 256, 11}, words) && alike;
  alike = answers_alike("uniform", testing_support::uniform_words{blocks, 512, 9}, words) && alike;
  alike = answers_alike("gated", testing_support::gated_words{page, 512, 9, 3, 7, false}, words) && alike;
  alike = answers_alike("gated, static", testing_support::gated_words{table, 512, 9, 3, 7, true}, words) && alike;
  for (const std::uint32_t r : {1U, 5U, 13U}) {
    const extend::sealed_layout layout(512, r);
    std::vector<std::uint64_t> without_list = words;  // a bump bit answers for every key
    for (std::uint64_t b = 0; b < blocks; ++b) without_list[b * 8] &= ~(std::uint64_t{1} << layout.bump_bit());
    alike = answers_alike("sealed", testing_support::sealed_words{{blocks, 64}, layout}, without_list) && alike;
  }
  return alike ? 0 : 1;
}
