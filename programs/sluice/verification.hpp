// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// When a file's checksums are compared before it is believed: always below a size that takes no time, and above it when
// asked for.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

namespace sluice_cli {

struct verification {
  bool always = false;
  bool never = false;
};

inline constexpr std::uint64_t small_file = std::uint64_t{256} << 20;

inline void add_verification(CLI::App& app, verification& o) {
  auto* const always =
      app.add_flag("--verify", o.always, "compare the checksums of the whole file first (default up to 256 MiB)");
  app.add_flag("--no-verify", o.never, "check the header only")->excludes(always);
}

/// Of a filter_file or a sealed_map.
inline void verify_if_wanted(const auto& v, const verification& o) {
  if (o.always || (!o.never && v.size_bytes() <= small_file)) v.verify();
}

}  // namespace sluice_cli
