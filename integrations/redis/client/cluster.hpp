// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// client/cluster: commands to the nodes of a cluster, or to a single server, which has all slots.
//
//   requests, each with the key that says where it goes
//     -> grouped by node, sent to all nodes, and only then the replies are read: the nodes work at the same time
//     -> MOVED, ASK, TRYAGAIN, a node that is down, loading or was replaced: asked again, where it belongs now
//
// Invariants: a request is answered once, by a reply that is no redirection; it may have been done more than once, so
// that only requests may be sent for which this is the same. After `patience` without any whole answer the last trouble
// is thrown; a stop that was asked for is noticed between two rounds. Nothing else waits without an end.
//
// How many replicas a node has is asked of the node itself, each time that it is needed: CLUSTER SLOTS leaves out those
// that have nothing yet, which are the ones that must be waited for, and a failover changes the number.
// Not for several threads at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "client/connection.hpp"
#include "client/slots.hpp"

namespace sluice::redis {

/// Work was given up because somebody asked for it.
class stopped_error : public error {
public:
  using error::error;
};

struct cluster_options {
  std::vector<endpoint> to = {};  ///< at least one that is known; the others are found
  credentials who = {};
  waiting_times times = {};
  std::chrono::milliseconds patience{30'000};  ///< without any whole answer
  std::stop_token stop = {};
};

/// A command. The words are the caller's, and stay where they are until it is answered.
struct request {
  std::uint16_t slot = 0;
  std::vector<std::string_view> words = {};
};

class cluster {
public:
  /// Finds the nodes. Throws connection_error where none answers.
  explicit cluster(cluster_options o);
  cluster(const cluster&) = delete;
  cluster& operator=(const cluster&) = delete;
  cluster(cluster&&) = delete;
  cluster& operator=(cluster&&) = delete;
  ~cluster();

  /// Answers all requests: take(number of the request, reply, node) in any order. Errors of a server are replies like
  /// others. Throws connection_error, stopped_error, and what take throws.
  using taker = std::function<void(std::size_t, const redisReply&, const endpoint&)>;
  void run(std::span<const request> all, const taker& take);
  /// One request, for which an error becomes server_error, with the node; otherwise take(reply).
  void call(const request& one, const std::function<void(const redisReply&)>& take);

  /// How many replicas must have what was written: none: one where the node has replicas.
  struct wait_rule {
    std::optional<std::uint32_t> replicas = std::nullopt;
    std::chrono::milliseconds at_most{10'000};  ///< a replica of a new cluster has its first copy after five or six
  };
  /// Requests of which something must be said.
  struct waited {
    std::vector<std::size_t> too_few = {};  ///< fewer replicas have them than wanted
    std::vector<std::size_t> alone = {};    ///< no replica was waited for
  };
  /// The same for requests that write, and afterwards WAIT on every connection that they were written to. Where such a
  /// connection was lost, or its node is a primary no more, its requests are done again, and taken again. Throws also
  /// server_error, where a node does not say which replicas it has.
  [[nodiscard]] waited run_and_wait(std::span<const request> all, const taker& take, const wait_rule& rule);
  /// How many of the primaries have replicas. Throws as run_and_wait.
  [[nodiscard]] std::size_t primaries_with_replicas();

  [[nodiscard]] const std::vector<endpoint>& primaries() const noexcept { return map_.nodes(); }
  [[nodiscard]] const endpoint* owner(std::uint16_t slot) const noexcept { return map_.owner(slot); }
  [[nodiscard]] const traffic& moved() const noexcept { return traffic_; }

private:
  /// A request that is not answered yet.
  struct pending {
    std::size_t number;
    std::optional<endpoint> only_now = std::nullopt;  ///< ASK: where to
  };
  struct numbered_connection {
    std::unique_ptr<connection> link;
    std::uint64_t serial = 0;
  };
  /// Which requests were answered on a connection.
  struct written_to {
    endpoint node;
    std::vector<std::size_t> requests = {};
  };
  using written = std::map<std::uint64_t, written_to>;  // by the serial of the connection
  struct work {
    std::span<const request> all;
    const taker& take;
    written* to;    ///< none: nobody asks
    moment before;  ///< then all is given up; later with every answer
  };
  struct round_result {
    std::vector<pending> again = {};
    std::size_t answered = 0;
    bool wait = false;  ///< asking at once would not help
  };

  void run_all(std::vector<pending> todo, work w);
  [[nodiscard]] round_result run_round(std::vector<pending> todo, work& w);
  void read_reply(const endpoint& node, pending& p, work& w, round_result& r);
  [[nodiscard]] std::vector<pending> wait_for_replicas(const written& to, const wait_rule& rule, waited& result);
  /// None: it is no primary.
  [[nodiscard]] std::optional<std::uint32_t> replicas_of(connection& node);

  void refresh(moment before);
  [[nodiscard]] bool refresh_from(const endpoint& e, moment before);
  [[nodiscard]] bool read_slots(const redisReply& r, const endpoint& asked);
  [[nodiscard]] numbered_connection& connected(const endpoint& e, moment before);
  /// After so much time without an answer.
  [[nodiscard]] moment end_of_patience() const { return std::chrono::steady_clock::now() + options_.patience; }
  /// Of a short answer about the cluster itself.
  [[nodiscard]] moment soon(moment before) const;
  void give_up_after(moment before) const;
  void trouble_with(const endpoint& e, const std::string& what);
  void demoted(const endpoint& e);
  void check_stop() const;
  void pause(std::uint32_t attempt) const;

  cluster_options options_;
  slot_map map_;
  bool is_cluster_ = false;
  std::set<endpoint> known_;
  std::map<endpoint, numbered_connection> connections_;
  std::uint64_t serials_ = 0;
  std::string trouble_;          // the last
  std::set<endpoint> doubtful_;  // that failed, or said who has which slots, since all was answered
  bool must_refresh_ = false;
  traffic traffic_;
};

}  // namespace sluice::redis
