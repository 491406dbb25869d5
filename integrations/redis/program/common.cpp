// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "common.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "frame/message.hpp"
#include "sluice/errors.hpp"

namespace sluice_cli {

namespace {

std::string password_of(const server_options& o) {
  if (!o.password_file) {
    const char* const given = std::getenv("REDISCLI_AUTH");  // NOLINT(concurrency-mt-unsafe): there are no threads yet
    return given != nullptr ? given : "";
  }
  std::ifstream in(*o.password_file);
  std::string line;
  std::getline(in, line);
  if (line.ends_with('\r')) line.pop_back();
  if (line.empty()) {
    throw sluice::error(
        fmt::format("{}: there is no password in its first line, or it cannot be read", *o.password_file));
  }
  return line;
}

std::chrono::milliseconds milliseconds_of(const char* option, double seconds) {
  constexpr double most_seconds = 86'400;
  if (!(seconds >= 0.001 && seconds <= most_seconds)) {
    throw sluice::parameter_error(fmt::format("{} is from 0.001 to {} seconds", option, most_seconds));
  }
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

}  // namespace

void add_server_options(CLI::App& app, server_options& o) {
  app.add_option("--to", o.to, "HOST:PORT of a server; of a cluster any node, or several with commas")
      ->required()
      ->allow_extra_args(false)  // the name follows
      ->delimiter(',');
  app.add_option("NAME", o.name, "the filter")->required();
  app.add_option("--user", o.user, "of the server's ACL; without it, the default user");
  app.add_option("--password-file", o.password_file,
                 "its first line is the password; otherwise the environment's REDISCLI_AUTH is");
  app.add_flag("--tls", o.tls, "not possible: says what to do instead");
  app.add_option("--timeout", o.timeout, "seconds without any whole answer, after which everything is given up")
      ->capture_default_str();
  app.add_flag("--json", o.json, "print JSON");
}

void add_wait_options(CLI::App& app, wait_options& o) {
  app.add_option("--wait", o.replicas,
                 "replicas that must have each key before it counts, 0: none is waited for; without it 1 where a node "
                 "has replicas, also such as have nothing yet, else 0");
  app.add_option("--wait-timeout", o.timeout, "seconds to wait for them, after each half a million keys")
      ->capture_default_str();
}

std::unique_ptr<sluice::redis::cluster> connect(const server_options& o) {
  if (o.tls) {
    throw sluice::parameter_error(
        "the client library (hiredis 0.14) has no TLS: make a tunnel, with stunnel or ssh -L, to every node, and name "
        "its end here");
  }
  sluice::redis::cluster_options c{.who = {o.user, password_of(o)},
                                   .patience = milliseconds_of("--timeout", o.timeout)};
  for (const std::string& text : o.to) c.to.push_back(sluice::redis::parse_endpoint(text));
  return std::make_unique<sluice::redis::cluster>(std::move(c));
}

sluice::redis::cluster::wait_rule rule_of(const wait_options& o, sluice::redis::cluster& on) {
  const sluice::redis::cluster::wait_rule rule{o.replicas, milliseconds_of("--wait-timeout", o.timeout)};
  if (!o.replicas) {
    const std::size_t with = on.primaries_with_replicas();
    say("waiting for {} of each node ({} of {} nodes have replicas)", with != 0 ? "one replica" : "no replica", with,
        on.primaries().size());
  }
  return rule;
}

int status_of(const char* what, std::uint64_t all, const sluice::redis::acknowledgement& kept,
              const sluice::redis::cluster::wait_rule& rule) {
  const std::uint64_t alone = all - std::min(all, kept.replicated + kept.unacknowledged);
  if (alone != 0 && alone != all && rule.replicas != 0) {
    say("no replica was waited for, for {} of {} {}: their nodes have none now", alone, all, what);
  }
  if (kept.unacknowledged == 0) return 0;
  say("{} {} are not on as many replicas as wanted; they are added, and may be lost if a node fails",
      kept.unacknowledged, what);
  return 1;
}

int status_of_parts(const sluice::redis::spread_filter& f, const sluice::redis::acknowledgement& kept,
                    const sluice::redis::cluster::wait_rule& rule) {
  return status_of("parts", f.cut().parts(), kept, rule);
}

void add_parts(ordered_json& report, const sluice::redis::acknowledgement& kept) {
  report["parts_unacknowledged"] = kept.unacknowledged;
  report["parts_replicated"] = kept.replicated;
}

}  // namespace sluice_cli
