#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# The layouts of extend/ in code of a GPU. Where there is nvcc: compiles device.cu, and runs it where there is a GPU.
# Otherwise clang reads the lookups as code of a device, for which it needs nothing of CUDA. Without either it is
# skipped (status 77).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
if [[ -x $nvcc ]]; then
  compile=("$nvcc" -std=c++20 --expt-relaxed-constexpr -Werror all-warnings -Iinclude -Itests tests/portability/device.cu)
  "${compile[@]}" -ptx -o "$work/device.ptx"
  # What a kernel cannot reach, a table of the host among it, nvcc replaces without a word.
  ! grep -n -m 3 'trap;' "$work/device.ptx" >&2 || { echo "device: a kernel uses what only the host has" >&2; exit 1; }
  [[ -e /dev/nvidiactl ]] || { echo "device: compiled; there is no GPU here to run it"; exit 0; }
  "${compile[@]}" -o "$work/device"
  "$work/device"
  exit 0
fi

command -v clang++-19 >/dev/null || { echo "device: skipped: there is neither nvcc nor clang++-19 here" >&2; exit 77; }
cat >"$work/kernel.cu" <<'TEXT'
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#include <stdlib.h>

#include "support/word_lookups.hpp"
template <class Lookups>
__device__ bool look_up(const Lookups& lookups, const std::uint64_t* words, std::uint64_t key) {
  return lookups.may_contain(words, sluice::hasher(7)(key));
}
__global__ void look_up_all(testing_support::blocked_words blocked, testing_support::uniform_words uniform,
                            testing_support::gated_words gated, testing_support::sealed_words sealed,
                            const std::uint64_t* words, std::uint64_t key, bool* answers) {
  answers[0] = look_up(blocked, words, key);
  answers[1] = look_up(uniform, words, key);
  answers[2] = look_up(gated, words, key);
  answers[3] = look_up(sealed, words, key);
}
TEXT
clang++-19 -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -Wno-unknown-cuda-version -Wall -Wextra \
  -Werror -std=c++20 -fsyntax-only -Iinclude -Itests "$work/kernel.cu"
echo "device: clang takes the lookups for code of a device; there is no nvcc here to compile it"
