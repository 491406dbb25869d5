// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The library's own bulk call, for bench/python.py, which times it beside the Python package's in one process.
#include <cstddef>
#include <cstdint>
#include <span>

#include "sluice/errors.hpp"
#include "sluice/file.hpp"

/// None: it cannot be read.
extern "C" void* baseline_open(const char* path) {
  try {
    return new sluice::filter_file(sluice::filter_file::load(path));
  } catch (const sluice::error&) {
    return nullptr;
  }
}

extern "C" void baseline_look_up(const void* file, const std::uint64_t* keys, std::size_t count,
                                 std::uint8_t* answers) {
  static_cast<const sluice::filter_file*>(file)->may_contain_bulk(std::span(keys, count), std::span(answers, count));
}

extern "C" void baseline_close(void* file) { delete static_cast<sluice::filter_file*>(file); }
