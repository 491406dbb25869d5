// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// A file as bytes, and the reason for which a reader refuses them.
#pragma once

#include <cstddef>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "sluice/file.hpp"

namespace testing_support {

[[nodiscard]] inline std::vector<std::byte> read_all(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return {bytes.begin(), bytes.end()};
}

/// Empty: they are a good file.
[[nodiscard]] inline std::string refusal(std::span<const std::byte> bytes) {
  try {
    const sluice::filter_file v(bytes, "it");
    v.verify();
  } catch (const sluice::file_error& e) {
    return e.what();
  }
  return "";
}

}  // namespace testing_support
