// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// program/common: what the commands of sluice-redis share: which servers, who we are, how many replicas are waited for.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "client/spread_filter.hpp"
#include "frame/command.hpp"
#include "report.hpp"

namespace sluice_cli {

struct server_options {
  std::string name;             ///< of the filter
  std::vector<std::string> to;  ///< HOST:PORT
  std::string user;
  std::optional<std::string> password_file;
  bool tls = false;
  double timeout = 30;
  bool json = false;
};

struct wait_options {
  std::optional<std::uint32_t> replicas;
  double timeout = 10;
};

void add_server_options(CLI::App& app, server_options& o);
void add_wait_options(CLI::App& app, wait_options& o);

/// Connected. Throws sluice::error. The password is REDISCLI_AUTH's, or stands in the first line of a file.
[[nodiscard]] std::unique_ptr<sluice::redis::cluster> connect(const server_options& o);

/// What was asked for, said on the error output where nobody has said it.
[[nodiscard]] sluice::redis::cluster::wait_rule rule_of(const wait_options& o, sluice::redis::cluster& on);

/// The exit status where some of these are not on as many replicas as wanted, which is said, as is that nobody has
/// waited for a replica of some.
[[nodiscard]] int status_of(const char* what, std::uint64_t all, const sluice::redis::acknowledgement& kept,
                            const sluice::redis::cluster::wait_rule& rule);
[[nodiscard]] int status_of_parts(const sluice::redis::spread_filter& f, const sluice::redis::acknowledgement& kept,
                                  const sluice::redis::cluster::wait_rule& rule);
/// To a report: what became of the parts.
void add_parts(ordered_json& report, const sluice::redis::acknowledgement& kept);

// One for each command.
command build_command(CLI::App& app);
command add_command(CLI::App& app);
command query_command(CLI::App& app);
command info_command(CLI::App& app);
command save_command(CLI::App& app);
command load_command(CLI::App& app);
command drop_command(CLI::App& app);

}  // namespace sluice_cli
