// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "external.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

#include "frame/message.hpp"

namespace sluice_cli {
namespace {

struct external {
  std::string_view word;
  const char* what;
};

constexpr external externals[] = {
    {"reproduce", "the papers' tables and figures: theory, simulation and paper side by side"},
    {"redis", "filters spread over the nodes of a Redis Cluster, or in one server: build, add, query, save, load"},
};

/// The program beside this one; empty where the system does not say where that is.
std::string program_of(std::string_view word) {
  std::error_code failed;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed ? std::string() : (self.parent_path() / fmt::format("sluice-{}", word)).string();
}

/// No path, no option.
bool is_word(std::string_view text) {
  return !text.empty() && text.front() != '-' &&
         std::ranges::all_of(text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

}  // namespace

void run_external(int argc, char** argv) {
  if (argc < 2 || !is_word(argv[1])) return;
  const std::string_view word = argv[1];
  const bool ours = std::ranges::find(externals, word, &external::word) != std::end(externals);
  const std::string program = program_of(word);
  if (::access(program.c_str(), X_OK) == 0) {
    argv[1] = argv[0];
    ::execv(program.c_str(), argv + 1);
  } else if (!ours) {
    return;
  }
  say("`sluice {}` is the program {}, which cannot be run: {}", word, program, std::strerror(errno));
  std::exit(2);  // NOLINT(concurrency-mt-unsafe): there are no threads yet
}

void list_externals(CLI::App& app) {
  for (const external& e : externals) {
    app.add_subcommand(std::string(e.word), e.what)
        ->footer(
            fmt::format("A program of its own, sluice-{}: `sluice {} --help` tells of its options.\n", e.word, e.word));
  }
}

}  // namespace sluice_cli
