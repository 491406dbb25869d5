// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "files.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "keys/key_input.hpp"
#include "sluice/hash.hpp"
#include "timing/contest.hpp"

namespace bench {
namespace {

/// A file that is gone afterwards.
class temporary_file {
public:
  explicit temporary_file(const std::string& content)
      : path_((std::filesystem::temp_directory_path() / fmt::format("sluice-bench-{}-{}", ::getpid(), content.size()))
                  .string()) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  temporary_file(temporary_file&&) = delete;
  temporary_file& operator=(temporary_file&&) = delete;
  ~temporary_file() { std::filesystem::remove(path_); }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

private:
  std::string path_;
};

std::uint64_t read(const std::string& file, const std::string& format, bool hashed) {
  sluice_keys::key_input input({.files = {file}, .format = {.made = sluice_keys::parse_format(format)}});
  sluice_keys::key_batch batch;
  std::vector<sluice::digest> digests;
  std::uint64_t keys = 0;
  while (input.next(batch)) {
    if (hashed) batch.make_digests(sluice::hasher(), digests);
    keys += batch.size();
  }
  return keys;
}

}  // namespace

void files(int repetitions) {
  constexpr std::uint64_t count = 5'000'000;
  std::string lines;
  std::string csv = "number,name,rest\n";
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string name = fmt::format("user-{:010}", i * 7919 % 10'000'000'019);
    lines += name + "\n";
    csv += fmt::format("{},{},\"a, b\"\n", i, name);
  }
  const temporary_file of_lines(lines);
  const temporary_file of_records(csv);
  const temporary_file of_integers(std::string(8 * count, 'x'));
  const auto entry = [](const std::string& name, const temporary_file& file, const std::string& format, bool hashed) {
    return harness::contestant{name,
                               {},
                               std::filesystem::file_size(file.path()),
                               [&file, format, hashed] { harness::keep(read(file.path(), format, hashed)); },
                               {}};
  };
  fmt::print("\nfiles of {} keys, one core, the file in memory\n", count);
  for (const harness::result& r : harness::contest(
           {entry("lines, read", of_lines, "lines", false), entry("lines, read and hashed", of_lines, "lines", true),
            entry("u64, read and hashed", of_integers, "u64", true),
            entry("csv, read and hashed", of_records, "csv:name", true)},
           repetitions)) {
    fmt::print("  {:<24}{:>8.0f} MB/s\n", r.name, 1000 / r.median);
  }
}

}  // namespace bench
