// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "client/cluster.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <thread>
#include <utility>

namespace sluice::redis {

namespace {

using clock = std::chrono::steady_clock;

/// Errors of a node that is not ready, or not the right one any more.
bool is_passing(std::string_view error) noexcept {
  constexpr std::array<std::string_view, 6> words = {"TRYAGAIN",   "CLUSTERDOWN", "LOADING",
                                                     "MASTERDOWN", "READONLY",    "NOREPLICAS"};
  return std::any_of(words.begin(), words.end(), [&](std::string_view w) { return error.starts_with(w); });
}

/// What WAIT says while its node stops being a primary, and afterwards.
bool has_become_replica(const redisReply& said) noexcept {
  return is_error(said) &&
         (text_of(said).starts_with("UNBLOCKED force") || text_of(said).starts_with("ERR WAIT cannot"));
}

/// None: it is not there.
std::optional<std::uint32_t> number_after(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  std::uint32_t n = 0;
  if (at == std::string_view::npos) return std::nullopt;
  const auto read = std::from_chars(text.data() + at + name.size(), text.data() + text.size(), n);
  return read.ec == std::errc() ? std::optional(n) : std::nullopt;
}

std::string seconds_of(std::chrono::milliseconds t) {
  std::string text = std::to_string(t.count() / 1000);
  if (t.count() % 1000 != 0) text += "." + std::to_string(1000 + t.count() % 1000).substr(1);
  return text + " s";
}

}  // namespace

cluster::cluster(cluster_options o) : options_(std::move(o)) {
  if (options_.to.empty()) throw parameter_error("no server is named; give HOST:PORT");
  known_.insert(options_.to.begin(), options_.to.end());
  refresh(end_of_patience());
  if (map_.nodes().empty()) throw connection_error(trouble_);
}
cluster::~cluster() = default;

void cluster::check_stop() const {
  if (options_.stop.stop_requested()) throw stopped_error("stopped");
}

void cluster::pause(std::uint32_t attempt) const {
  check_stop();
  constexpr std::uint32_t most_doublings = 5;
  std::this_thread::sleep_for(std::chrono::milliseconds(15) * (1U << std::min(attempt, most_doublings)));
  check_stop();
}

moment cluster::soon(moment before) const { return std::min(before, clock::now() + options_.times.silence); }

void cluster::give_up_after(moment before) const {
  if (clock::now() < before) return;
  throw connection_error("given up after " + seconds_of(options_.patience) + " without an answer: " + trouble_);
}

// --- nodes -----------------------------------------------------------------------------------------------------------

cluster::numbered_connection& cluster::connected(const endpoint& e, moment before) {
  const auto there = connections_.find(e);
  if (there != connections_.end()) return there->second;
  auto made = std::make_unique<connection>(e, options_.who, options_.times, traffic_, before);
  return connections_.emplace(e, numbered_connection{std::move(made), ++serials_}).first->second;
}

void cluster::trouble_with(const endpoint& e, const std::string& what) {
  connections_.erase(e);
  doubtful_.insert(e);
  trouble_ = what;
  must_refresh_ = true;
}

void cluster::demoted(const endpoint& e) { trouble_with(e, text_of(e) + " is a replica, and takes no keys"); }

/// Those that failed, and those whose word did not help, are asked last: nodes that are cut off from the others do not
/// know better, and there may be several of them.
void cluster::refresh(moment before) {
  must_refresh_ = false;
  if (std::includes(doubtful_.begin(), doubtful_.end(), known_.begin(), known_.end())) doubtful_.clear();
  std::vector<endpoint> order(known_.begin(), known_.end());
  std::stable_partition(order.begin(), order.end(), [&](const endpoint& e) { return !doubtful_.contains(e); });
  for (const endpoint& e : order) {
    check_stop();
    doubtful_.insert(e);
    try {
      if (refresh_from(e, before)) return;
    } catch (const connection_error& error) {
      connections_.erase(e);
      trouble_ = error.what();
    }
    if (clock::now() >= before) return;  // there may be any number of them
  }
}

bool cluster::refresh_from(const endpoint& e, moment before) {
  connection& c = *connected(e, before).link;
  constexpr std::array<std::string_view, 2> slots = {"CLUSTER", "SLOTS"};
  const reply said = c.call(slots, soon(before));
  if (said->type == REDIS_REPLY_ARRAY) return read_slots(*said, e);
  trouble_ = text_of(e) + ": " + std::string(text_of(*said));
  if (is_cluster_ || is_passing(text_of(*said))) return false;
  if (!is_error(*said) || text_of(*said).find("cluster support disabled") == std::string_view::npos) {
    throw server_error(trouble_);
  }
  map_.clear();
  map_.set(0, all_slots - 1, e);
  return true;
}

bool cluster::read_slots(const redisReply& r, const endpoint& asked) {
  slot_map read;
  read.clear();
  const auto endpoint_of = [&](const redisReply& n) -> std::optional<endpoint> {
    if (n.type != REDIS_REPLY_ARRAY || n.elements < 2 || n.element[1]->type != REDIS_REPLY_INTEGER) return std::nullopt;
    const std::string_view host = n.element[0]->type == REDIS_REPLY_STRING ? text_of(*n.element[0]) : "";
    if (host == "?") return std::nullopt;
    return endpoint{host.empty() ? asked.host : std::string(host), static_cast<std::uint16_t>(n.element[1]->integer)};
  };
  for (std::size_t i = 0; i < r.elements; ++i) {
    const redisReply& range = *r.element[i];
    if (range.type != REDIS_REPLY_ARRAY || range.elements < 3 || range.element[0]->type != REDIS_REPLY_INTEGER ||
        range.element[1]->type != REDIS_REPLY_INTEGER) {
      continue;
    }
    for (std::size_t n = 2; n < range.elements; ++n) {
      if (const auto e = endpoint_of(*range.element[n])) known_.insert(*e);
    }
    if (const auto primary = endpoint_of(*range.element[2])) {
      read.set(static_cast<std::uint32_t>(range.element[0]->integer),
               static_cast<std::uint32_t>(range.element[1]->integer), *primary);
    }
  }
  if (read.nodes().empty()) {
    trouble_ = text_of(asked) + ": the cluster has no slots yet";
    return false;
  }
  map_ = std::move(read);
  is_cluster_ = true;
  return true;
}

// --- requests --------------------------------------------------------------------------------------------------------

void cluster::run(std::span<const request> all, const taker& take) {
  std::vector<pending> todo(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) todo[i].number = i;
  run_all(std::move(todo), {all, take, nullptr, end_of_patience()});
}

void cluster::run_all(std::vector<pending> todo, work w) {
  std::uint32_t attempt = 0;
  while (!todo.empty()) {
    check_stop();
    if (must_refresh_) refresh(w.before);
    round_result r = run_round(std::move(todo), w);
    todo = std::move(r.again);
    if (r.answered != 0) attempt = 0;
    if (todo.empty()) {
      doubtful_.clear();
      return;
    }
    if (r.wait || r.answered == 0) pause(attempt++);
    give_up_after(w.before);  // one more round, without time, would say nothing but that
  }
}

cluster::round_result cluster::run_round(std::vector<pending> todo, work& w) {
  round_result r;
  std::map<endpoint, std::vector<pending>> by_node;
  for (pending& p : todo) {
    const endpoint* const owner = p.only_now ? &*p.only_now : map_.owner(w.all[p.number].slot);
    if (owner != nullptr) {
      by_node[*owner].push_back(std::move(p));
    } else {
      trouble_ = "no node has the slot " + std::to_string(w.all[p.number].slot);
      must_refresh_ = r.wait = true;
      r.again.push_back(std::move(p));
    }
  }
  const auto failed = [&](const endpoint& node, std::span<pending> without_answer, const connection_error& e) {
    trouble_with(node, e.what());
    r.wait = true;
    for (pending& p : without_answer) r.again.push_back({p.number});
  };
  constexpr std::array<std::string_view, 1> asking = {"ASKING"};
  std::vector<endpoint> sent;
  try {
    for (auto& [node, mine] : by_node) {
      try {
        connection& c = *connected(node, w.before).link;
        for (const pending& p : mine) {
          if (p.only_now) c.append(asking);
          c.append(w.all[p.number].words);
        }
        c.flush(w.before);
        sent.push_back(node);
      } catch (const connection_error& e) {
        failed(node, mine, e);
      }
    }
    for (const endpoint& node : sent) {
      std::vector<pending>& mine = by_node[node];
      std::size_t done = 0;
      try {
        for (; done < mine.size(); ++done) read_reply(node, mine[done], w, r);
      } catch (const connection_error& e) {
        failed(node, std::span(mine).subspan(done), e);
      }
    }
  } catch (...) {
    for (const auto& [node, mine] : by_node) connections_.erase(node);  // replies may come that nobody waits for
    throw;
  }
  return r;
}

void cluster::read_reply(const endpoint& node, pending& p, work& w, round_result& r) {
  numbered_connection& c = connected(node, w.before);
  if (p.only_now) static_cast<void>(c.link->read(w.before));  // of ASKING
  const reply said = c.link->read(w.before);
  if (is_error(*said)) {
    const std::string_view error = text_of(*said);
    const auto elsewhere = parse_redirection(error, node);
    if (elsewhere || is_passing(error)) {
      trouble_ = text_of(node) + ": " + std::string(error);
      pending again{p.number};
      if (elsewhere) {
        known_.insert(elsewhere->to);
        if (elsewhere->only_now) {
          again.only_now = elsewhere->to;
        } else {
          map_.move(elsewhere->slot, elsewhere->to);
          must_refresh_ = true;
        }
      } else {
        r.wait = true;
        if (!error.starts_with("TRYAGAIN")) {
          doubtful_.insert(node);
          must_refresh_ = true;
        }
      }
      r.again.push_back(std::move(again));
      return;
    }
  }
  w.take(p.number, *said, node);
  ++r.answered;
  w.before = end_of_patience();
  if (w.to != nullptr) {
    written_to& to = (*w.to)[c.serial];
    to.node = node;
    to.requests.push_back(p.number);
  }
}

void cluster::call(const request& one, const std::function<void(const redisReply&)>& take) {
  run({&one, 1}, [&](std::size_t /*number*/, const redisReply& said, const endpoint& node) {
    if (is_error(said)) throw server_error(text_of(node) + ": " + std::string(text_of(said)));
    take(said);
  });
}

// --- replicas --------------------------------------------------------------------------------------------------------

std::optional<std::uint32_t> cluster::replicas_of(connection& node) {
  const moment before = soon(end_of_patience());
  constexpr std::array<std::string_view, 2> info = {"INFO", "replication"};
  constexpr std::array<std::string_view, 2> nodes = {"CLUSTER", "NODES"};
  node.append(info);
  if (is_cluster_) node.append(nodes);
  node.flush(before);
  const reply about = node.read(before);
  const reply others = is_cluster_ ? node.read(before) : nullptr;
  const auto unknown_by = [&](const redisReply& said) {
    return server_error(text_of(node.peer()) + " does not say which replicas it has" +
                        (is_error(said) ? " (" + std::string(text_of(said)) + ")" : std::string()) +
                        ": allow INFO and CLUSTER NODES, or give --wait");
  };
  // Those that are connected, with or without a copy of everything, and those that the cluster knows: a replica that is
  // new is in the first number before it is in the second, one that restarts is in the second alone.
  const auto connected_ones = number_after(text_of(*about), "connected_slaves:");
  if (is_error(*about) || !connected_ones) throw unknown_by(*about);
  if (text_of(*about).find("role:slave") != std::string_view::npos) return std::nullopt;
  if (!others) return connected_ones;
  const auto known_ones = is_error(*others) ? std::nullopt : parse_replicas(text_of(*others));
  if (!known_ones) throw unknown_by(*others);
  return std::max(*connected_ones, *known_ones);
}

std::size_t cluster::primaries_with_replicas() {
  const moment before = end_of_patience();
  for (std::uint32_t attempt = 0;; ++attempt) {
    if (must_refresh_) refresh(before);
    std::size_t with = 0;
    for (const endpoint& node : std::vector(primaries())) {
      try {
        const auto replicas = replicas_of(*connected(node, before).link);
        if (!replicas) demoted(node);
        if (replicas.value_or(0) != 0) ++with;
      } catch (const connection_error& e) {
        trouble_with(node, e.what());
      }
    }
    if (!must_refresh_) return with;
    pause(attempt);
    give_up_after(before);
  }
}

cluster::waited cluster::run_and_wait(std::span<const request> all, const taker& take, const wait_rule& rule) {
  constexpr int most_times = 20;
  waited result;
  std::vector<pending> todo(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) todo[i].number = i;
  for (int times = 0; !todo.empty(); ++times) {
    if (times == most_times) {
      for (const pending& p : todo) result.too_few.push_back(p.number);
      break;
    }
    written to;
    run_all(std::move(todo), {all, take, &to, end_of_patience()});
    try {
      todo = wait_for_replicas(to, rule, result);
    } catch (...) {
      for (const auto& [serial, some] : to) connections_.erase(some.node);  // replies may be on their way, as above
      throw;
    }
  }
  return result;
}

/// Returns what must be done again.
std::vector<cluster::pending> cluster::wait_for_replicas(const written& to, const wait_rule& rule, waited& result) {
  std::vector<pending> again;
  const auto lost = [&](const written_to& some) {
    for (const std::size_t number : some.requests) again.push_back({number});
  };
  const auto note = [](std::vector<std::size_t>& in, const written_to& some) {
    in.insert(in.end(), some.requests.begin(), some.requests.end());
  };
  const std::string milliseconds = std::to_string(rule.at_most.count());
  const std::chrono::milliseconds silence = rule.at_most + options_.times.silence;
  std::vector<std::pair<const written_to*, std::uint32_t>> asked;
  for (const auto& [serial, some] : to) {
    if (rule.replicas == 0) {
      note(result.alone, some);
      continue;
    }
    const auto there = connections_.find(some.node);
    if (there == connections_.end() || there->second.serial != serial) {
      lost(some);  // what it acknowledged may be on no replica, and nobody can be asked any more
      continue;
    }
    try {
      connection& c = *there->second.link;
      const auto replicas = rule.replicas ? rule.replicas : replicas_of(c);
      if (!replicas) {
        demoted(some.node);
        lost(some);  // it forgets what its new primary does not have
      } else if (*replicas == 0) {
        note(result.alone, some);
      } else {
        const std::uint32_t wanted = rule.replicas ? *replicas : 1;
        const std::string number = std::to_string(wanted);
        const std::array<std::string_view, 3> words = {"WAIT", number, milliseconds};
        c.append(words);
        c.flush(soon(end_of_patience()));
        asked.emplace_back(&some, wanted);
      }
    } catch (const connection_error& e) {
      trouble_with(some.node, e.what());
      lost(some);
    }
  }
  const moment before = clock::now() + silence;
  for (const auto& [some, replicas] : asked) {
    try {
      const reply said = connections_.at(some->node).link->read(before, silence);
      if (said->type == REDIS_REPLY_INTEGER && said->integer >= static_cast<long long>(replicas)) continue;
      if (has_become_replica(*said)) {
        demoted(some->node);
        lost(*some);
        continue;
      }
      if (is_error(*said)) trouble_ = text_of(some->node) + ": " + std::string(text_of(*said));
      note(result.too_few, *some);
    } catch (const connection_error& e) {
      trouble_with(some->node, e.what());
      lost(*some);
    }
  }
  return again;
}

}  // namespace sluice::redis
