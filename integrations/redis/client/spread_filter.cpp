// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "client/spread_filter.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <utility>

#include "sluice/errors.hpp"
#include "sluice/extend/arriving_file.hpp"
#include "sluice/extend/contents.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/extend/replacement.hpp"

namespace sluice::redis {

static_assert(std::endian::native == std::endian::little, "digests go over the network as they lie in memory");

namespace {

constexpr std::size_t most_batch_keys = 8192;  // of one command: 64 KiB
constexpr std::uint64_t piece_bytes = std::uint64_t{1}
                                      << 20;  // of a file that is loaded; of a part that is saved, least
constexpr std::uint32_t parts_at_once = 16;
constexpr std::uint32_t usual_number_of_parts = 64;

std::string_view view_of_bytes(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
std::span<const std::byte> bytes_of_view(std::string_view text) noexcept {
  return std::as_bytes(std::span(text.data(), text.size()));
}

void count(acknowledgement& kept, std::size_t all, const cluster::waited& w) {
  kept.unacknowledged += w.too_few.size();
  kept.replicated += all - w.too_few.size() - w.alone.size();
}

double number_in(const redisReply& r) {
  if (r.type == REDIS_REPLY_INTEGER) return static_cast<double>(r.integer);
  double value = 0;
  const std::string_view text = text_of(r);
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// The value of a field in a map that came as pairs.
double field(const redisReply& map, std::string_view name) {
  for (std::size_t i = 0; i + 1 < map.elements; i += 2) {
    if (text_of(*map.element[i]) == name) return number_in(*map.element[i + 1]);
  }
  return 0;
}

void require_name(const std::string& name) {
  if (name.empty() || name.find_first_of("{}") != std::string::npos) {
    throw parameter_error("'" + name + "' is no name of a filter: it must not be empty, nor have braces");
  }
}

}  // namespace

std::uint32_t usual_parts(const parameters& whole) {
  const std::uint64_t most = extend::page_cut::most_parts_of(whole);
  if (most == 0) static_cast<void>(extend::page_cut(whole, 1));  // says why not
  const std::uint64_t needed = bytes_for(whole) / (most_part_bytes / 2) + 1;
  return static_cast<std::uint32_t>(std::min(std::max<std::uint64_t>(usual_number_of_parts, needed), most));
}

spread_filter::spread_filter(cluster& on, std::string name, const part_header& header)
    : on_(&on),
      name_(std::move(name)),
      header_(header),
      cut_(header.part.whole, header.part.parts),
      identity_(text_of_identity(identity_of(header))) {
  for (std::uint32_t i = 0; i < cut_.parts(); ++i) {
    part_keys_.push_back(part_key(i));
    slots_.push_back(slot_of(part_keys_.back()));
  }
}

std::string spread_filter::part_key(std::uint32_t part) const { return name_ + "{" + std::to_string(part) + "}"; }

request spread_filter::for_part(std::uint32_t part, std::initializer_list<std::string_view> words) const {
  request r{.slot = slots_[part], .words = {}};
  r.words.reserve(words.size() + 1);
  r.words.push_back(*words.begin());
  r.words.push_back(part_keys_[part]);
  r.words.insert(r.words.end(), words.begin() + 1, words.end());
  return r;
}

void spread_filter::refuse(std::uint32_t part, const redisReply& said, const endpoint& node) const {
  const std::string_view error = is_error(said) ? text_of(said) : "an unexpected answer";
  const std::string where =
      "part " + std::to_string(part) + " of " + name_ + " (key " + part_keys_[part] + " on " + text_of(node) + ")";
  if (error.starts_with("ERR unknown command")) {
    throw server_error(text_of(node) + " has not loaded the module sluice.so");
  }
  if (error == "ERR not found") throw server_error(where + " is missing");
  if (error.starts_with("WRONGTYPE")) throw server_error(where + " is something else than a filter");
  throw server_error(where + ": " + std::string(error));
}

// --- making ----------------------------------------------------------------------------------------------------------

void spread_filter::require_free(cluster& on, const std::string& name) {
  require_name(name);
  on.call({slot_of(name), {"EXISTS", name}}, [&](const redisReply& said) {
    if (said.integer != 0) throw server_error(name + " is there already");
  });
}

void spread_filter::require_nothing_there() {
  std::vector<request> all = {{.slot = slot_of(name_), .words = {"EXISTS", name_}}};
  for (std::uint32_t i = 0; i < cut_.parts(); ++i) all.push_back(for_part(i, {"EXISTS"}));
  on_->run(all, [&](std::size_t number, const redisReply& said, const endpoint& node) {
    if (is_error(said)) throw server_error(text_of(node) + ": " + std::string(text_of(said)));
    if (said.integer == 0) return;
    if (number == 0) throw server_error(name_ + " is there already, on " + text_of(node));
    throw server_error("the key " + part_keys_[number - 1] + " is there already, on " + text_of(node) + ", and " +
                       name_ + " is no filter: remove it, or choose another name");
  });
}

void spread_filter::make_descriptor(const cluster::wait_rule& rule, acknowledgement& kept) {
  part_header described = header_;
  described.part.keys = sluice::random_seed();  // of two programs with equal plans one has made it
  const std::vector<std::byte> header = encode(described);
  const std::string_view value = view_of_bytes(header);
  const std::uint16_t slot = slot_of(name_);
  bool ours = false;
  const auto take = [&](std::size_t number, const redisReply& said, const endpoint& node) {
    if (is_error(said)) throw server_error(text_of(node) + ": " + std::string(text_of(said)));
    if (number == 0) ours = said.integer != 0;
  };
  // HSETNX that is sent again propagates nothing, and newer servers would wait for nothing; HSET always does.
  const std::vector<request> make = {{.slot = slot, .words = {"HSETNX", name_, "filter", value}},
                                     {.slot = slot, .words = {"HSET", name_, "made_by", "sluice"}}};
  if (!on_->run_and_wait(make, take, rule).too_few.empty()) ++kept.unacknowledged;
  if (!ours) {
    // Perhaps it was made by us, and the answer was lost.
    on_->call({slot, {"HGET", name_, "filter"}}, [&](const redisReply& said) { ours = text_of(said) == value; });
  }
  if (!ours) throw server_error(name_ + " was made by somebody else at the same time");
  // For people who look at it; nothing reads these.
  const parameters& p = header_.part.whole;
  const std::string scheme(extend::scheme_name(p));
  const std::string seed = std::to_string(extend::seed_of(p));
  const std::string bytes = std::to_string(bytes_for(p));
  const std::string parts = std::to_string(cut_.parts());
  const std::string planned = std::to_string(header_.part.planned_keys);
  const std::string rate = std::to_string(header_.part.planned_fpr);
  const std::string kind(name_of(header_.kind));
  on_->call({slot,
             {"HSET", name_, "scheme", scheme, "seed", seed, "bytes", bytes, "parts", parts, "planned_keys", planned,
              "planned_fpr", rate, "keys", kind, "identity", identity_}},
            [](const redisReply& /*number of fields*/) {});
}

void spread_filter::reserve_parts(const cluster::wait_rule& rule, acknowledgement& kept) {
  std::vector<std::vector<std::byte>> headers;
  std::vector<request> all;
  for (std::uint32_t i = 0; i < cut_.parts(); ++i) {
    part_header h = header_;
    h.part.number = i;
    headers.push_back(encode(h));
  }
  for (std::uint32_t i = 0; i < cut_.parts(); ++i) {
    all.push_back(for_part(i, {"BF.RESERVEPART", view_of_bytes(headers[i])}));
  }
  const auto take = [&](std::size_t number, const redisReply& said, const endpoint& node) {
    if (is_error(said)) refuse(static_cast<std::uint32_t>(number), said, node);
  };
  count(kept, all.size(), on_->run_and_wait(all, take, rule));
}

spread_filter spread_filter::prepare(cluster& on, const std::string& name, part_header whole) {
  require_name(name);
  whole.part.number = 0;
  whole.part.keys = 0;
  whole.arrived = 0;
  spread_filter f(on, name, whole);
  if (f.cut_.bytes_of(0) + extend::page_bytes > most_part_bytes) {
    throw parameter_error("parts of " + std::to_string(f.cut_.bytes_of(0)) + " bytes are too large to be moved; " +
                          std::to_string(usual_parts(whole.part.whole)) + " parts would do");
  }
  return f;
}

spread_filter spread_filter::create(cluster& on, const std::string& name, const part_header& whole,
                                    const cluster::wait_rule& rule, acknowledgement& kept) {
  spread_filter f = prepare(on, name, whole);
  f.require_takes_keys();  // those that take none come with all their blocks
  f.require_nothing_there();
  f.make_descriptor(rule, kept);
  f.reserve_parts(rule, kept);
  return f;
}

spread_filter spread_filter::open(cluster& on, const std::string& name) {
  require_name(name);
  std::optional<part_header> header;
  bool is_something_else = false;
  std::string where;
  on.run(std::vector<request>{{.slot = slot_of(name), .words = {"HGET", name, "filter"}}},
         [&](std::size_t /*number*/, const redisReply& said, const endpoint& node) {
           where = name + ", on " + text_of(node) + ",";
           is_something_else = is_error(said) && text_of(said).starts_with("WRONGTYPE");
           if (is_something_else) return;
           if (is_error(said)) throw server_error(text_of(node) + ": " + std::string(text_of(said)));
           if (said.type == REDIS_REPLY_NIL) throw server_error("there is no filter " + name);
           try {
             header = parse_part_header(bytes_of_view(text_of(said)));
             header->part.overflowed = {};  // a descriptor has none, and the answer does not stay
             header->part.keys = 0;
           } catch (const file_error& e) {
             throw server_error(where + " has a descriptor that cannot be read: " + e.what());
           }
         });
  if (is_something_else) {
    bool is_ledger = false;
    on.run(std::vector<request>{{.slot = slot_of(name), .words = {"TYPE", name}}},
           [&](std::size_t /*number*/, const redisReply& said, const endpoint& /*node*/) {
             is_ledger = text_of(said) == "sluice-cf";
           });
    throw server_error(where + (is_ledger ? " is a ledger; " + std::string(ledgers_stay_whole)
                                          : std::string(" is no filter of a cluster")));
  }
  return {on, name, *header};
}

// --- keys ------------------------------------------------------------------------------------------------------------

/// By part, in order. Of each key, where it stood.
void spread_filter::sort_window(std::span<const digest> keys) {
  ends_.assign(cut_.parts() + 1, 0);
  part_of_.resize(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    part_of_[i] = cut_.part_of(keys[i]);
    ++ends_[part_of_[i] + 1];
  }
  for (std::size_t i = 1; i < ends_.size(); ++i) ends_[i] += ends_[i - 1];
  batches_.clear();
  for (std::uint32_t part = 0; part < cut_.parts(); ++part) {
    for (std::size_t first = ends_[part]; first < ends_[part + 1]; first += most_batch_keys) {
      batches_.push_back({part, first, std::min(most_batch_keys, ends_[part + 1] - first)});
    }
  }
  sorted_.resize(keys.size());
  places_.resize(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::size_t at = ends_[part_of_[i]]++;
    sorted_[at] = keys[i];
    places_[at] = static_cast<std::uint32_t>(i);
  }
}

std::vector<request> spread_filter::requests_for_window(std::string_view command) const {
  std::vector<request> all;
  all.reserve(batches_.size());
  for (const batch& b : batches_) {
    const auto bytes = std::as_bytes(std::span(sorted_).subspan(b.first, b.count));
    all.push_back(for_part(b.part, {command, identity_, view_of_bytes(bytes)}));
  }
  return all;
}

void spread_filter::require_takes_keys() const {
  if (!extend::is_sealed(header_.part.whole)) return;
  throw parameter_error(
      name_ +
      " is sealed and takes no more keys: build it again from all of them, under another name (sluice "
      "redis build --static), or keep later keys in a filter beside it and ask both");
}

added_keys spread_filter::add(std::span<const digest> keys, const cluster::wait_rule& rule) {
  require_takes_keys();
  added_keys sum;
  for (std::size_t done = 0; done < keys.size(); done += window_keys) {
    sort_window(keys.subspan(done, std::min(window_keys, keys.size() - done)));
    const std::vector<request> all = requests_for_window("BF.DIGESTADD");
    const auto waited = on_->run_and_wait(
        all,
        [&](std::size_t number, const redisReply& said, const endpoint& node) {
          if (said.type != REDIS_REPLY_INTEGER) refuse(batches_[number].part, said, node);
          sum.fresh += static_cast<std::uint64_t>(said.integer);
        },
        rule);
    const auto keys_in = [&](const std::vector<std::size_t>& some) {
      std::uint64_t n = 0;
      for (const std::size_t number : some) n += batches_[number].count;
      return n;
    };
    const std::uint64_t too_few = keys_in(waited.too_few);
    sum.kept.unacknowledged += too_few;
    sum.kept.replicated += sorted_.size() - too_few - keys_in(waited.alone);
  }
  return sum;
}

void spread_filter::look_up(std::span<const digest> keys, std::span<std::uint8_t> answers) {
  for (std::size_t done = 0; done < keys.size(); done += window_keys) {
    sort_window(keys.subspan(done, std::min(window_keys, keys.size() - done)));
    on_->run(requests_for_window("BF.DIGESTEXISTS"), [&](std::size_t number, const redisReply& said,
                                                         const endpoint& node) {
      const batch& b = batches_[number];
      if (said.type != REDIS_REPLY_STRING || said.len != (b.count + 7) / 8) refuse(b.part, said, node);
      const auto* const bits = reinterpret_cast<const unsigned char*>(said.str);
      for (std::size_t i = 0; i < b.count; ++i) {
        answers[done + places_[b.first + i]] = static_cast<std::uint8_t>((std::uint32_t{bits[i / 8]} >> (i % 8)) & 1U);
      }
    });
  }
}

// --- all of it -------------------------------------------------------------------------------------------------------

spread_statistics spread_filter::stats() {
  spread_statistics s;
  std::map<endpoint, spread_statistics::node> nodes;
  std::vector<request> all;
  for (std::uint32_t i = 0; i < cut_.parts(); ++i) all.push_back(for_part(i, {"BF.STATS"}));
  on_->run(all, [&](std::size_t number, const redisReply& said, const endpoint& node) {
    const auto part = static_cast<std::uint32_t>(number);
    if (said.type != REDIS_REPLY_ARRAY) refuse(part, said, node);
    const auto keys = static_cast<std::uint64_t>(field(said, "Keys"));
    const std::uint64_t bytes = cut_.bytes_of(part);
    const double share = static_cast<double>(bytes) / static_cast<double>(cut_.blocks() * cut_.block_bytes());
    s.keys += keys;
    s.bytes += bytes;
    s.fpr_now += share * field(said, "FPR now");  // a key that was never added asks one part
    s.fill += share * field(said, "Fill");
    spread_statistics::node& n = nodes[node];
    n.at = node;
    ++n.parts;
    n.bytes += bytes;
    n.keys += keys;
  });
  for (auto& [at, n] : nodes) s.nodes.push_back(std::move(n));
  return s;
}

/// What each part has of the list. Nothing, where such filters have none.
std::vector<std::vector<std::byte>> spread_filter::lists_of_parts() {
  std::vector<std::vector<std::byte>> lists(cut_.parts());
  if (!extend::is_sealed(header_.part.whole)) return lists;
  for (std::uint32_t first = 0; first < cut_.parts(); first += parts_at_once) {
    std::vector<request> all;
    for (std::uint32_t i = first; i < std::min(first + parts_at_once, cut_.parts()); ++i) {
      all.push_back(for_part(i, {"BF.SCANDUMP", "0"}));
    }
    on_->run(all, [&](std::size_t number, const redisReply& said, const endpoint& node) {
      const std::uint32_t part = first + static_cast<std::uint32_t>(number);
      const part_header h = header_in(said, part, node);
      lists[part].assign(h.part.overflowed.slots.begin(), h.part.overflowed.slots.end());
    });
  }
  return lists;
}

std::span<const std::byte> spread_filter::piece_in(const redisReply& said, std::uint64_t place, std::uint32_t part,
                                                   const endpoint& node) const {
  if (said.type != REDIS_REPLY_ARRAY || said.elements != 2) refuse(part, said, node);
  const auto piece = bytes_of_view(text_of(*said.element[1]));
  const std::uint64_t behind = place == 0 ? 1 : place + piece.size();
  if (said.element[0]->type != REDIS_REPLY_INTEGER || said.element[0]->integer != static_cast<long long>(behind)) {
    refuse(part, said, node);
  }
  return piece;
}

/// Its list points into the answer.
part_header spread_filter::header_in(const redisReply& said, std::uint32_t part, const endpoint& node) const {
  const part_header h = parse_part_header(piece_in(said, 0, part, node));
  if (identity_of(h) == identity_of(header_) && h.part.number == part) return h;
  throw server_error("the key " + part_keys_[part] + " on " + text_of(node) + " is a part of another filter than " +
                     name_);
}

/// However a server cuts a part, it is there after as many pieces as it has MiB: there is time for each of them.
void spread_filter::take_pieces(std::uint32_t part, const std::function<void(std::span<const std::byte>)>& take) {
  std::uint64_t taken = 0;
  while (taken != cut_.bytes_of(part)) {
    const std::uint64_t rest = cut_.bytes_of(part) - taken;
    const std::string place = std::to_string(taken + 1);
    on_->run(std::vector<request>{for_part(part, {"BF.SCANDUMP", place})},
             [&](std::size_t /*number*/, const redisReply& said, const endpoint& node) {
               const auto piece = piece_in(said, taken + 1, part, node);
               if (piece.size() > rest || piece.size() < std::min(rest, piece_bytes)) refuse(part, said, node);
               take(piece);
               taken += piece.size();
             });
  }
}

void spread_filter::save(extend::replacement& into, const teller& tell) {
  stored_filter whole{
      .params = header_.part.whole, .planned_keys = header_.part.planned_keys, .planned_fpr = header_.part.planned_fpr};
  // Where the blocks lie in a file depends on the length of the list: it must be known before the first block comes.
  const std::vector<std::vector<std::byte>> lists = lists_of_parts();
  std::vector<std::byte> list;
  for (const std::vector<std::byte>& some : lists) list.insert(list.end(), some.begin(), some.end());
  whole.overflowed = {.slots = list, .keys = list.size() / sizeof(digest)};
  extend::arriving_file file(
      whole, header_.kind, header_.origin,
      [&](std::uint64_t offset, std::span<const std::byte> bytes) { into.write_at(offset, bytes); });
  into.resize(file.bytes());
  for (std::uint32_t part = 0; part < cut_.parts(); ++part) {
    on_->run(std::vector<request>{for_part(part, {"BF.SCANDUMP", "0"})},
             [&](std::size_t /*number*/, const redisReply& said, const endpoint& node) {
               const part_header h = header_in(said, part, node);
               if (!std::ranges::equal(h.part.overflowed.slots, lists[part])) {
                 throw server_error("the key " + part_keys_[part] + " was replaced while it was saved; save it again");
               }
               whole.keys += h.part.keys;
               if (!extend::is_static(h.part.whole)) whole.params = extend::united(whole.params);
             });
    take_pieces(part, [&](std::span<const std::byte> piece) { file.put(piece); });
    tell(static_cast<double>(part + 1) / cut_.parts());
  }
  file.finish(whole);
}

/// One piece of each part at a time, because a part takes its pieces in their order.
void spread_filter::send_parts(const stored_filter& whole, const cluster::wait_rule& rule, acknowledgement& kept,
                               const teller& tell) {
  const auto keys_before = [&](std::uint64_t block) {
    return static_cast<std::uint64_t>(static_cast<extend::uint128>(whole.keys) * block / cut_.blocks());
  };
  for (std::uint32_t first = 0; first < cut_.parts(); first += parts_at_once) {
    const std::uint32_t end = std::min(first + parts_at_once, cut_.parts());
    std::vector<bool> late(end - first);   // too few replicas have some of it
    std::vector<bool> alone(end - first);  // no replica was waited for, for some of it
    std::vector<std::uint32_t> parts;
    std::vector<request> all;
    const auto send = [&] {
      const auto take = [&](std::size_t number, const redisReply& said, const endpoint& node) {
        if (is_error(said)) refuse(parts[number], said, node);
      };
      const auto waited = on_->run_and_wait(all, take, rule);
      for (const std::size_t number : waited.too_few) late[parts[number] - first] = true;
      for (const std::size_t number : waited.alone) alone[parts[number] - first] = true;
      parts.clear();
      all.clear();
    };
    std::vector<std::vector<std::byte>> headers;
    for (std::uint32_t i = first; i < end; ++i) {
      part_header h = header_;
      h.part.number = i;
      h.part.keys = keys_before(cut_.begin(i + 1)) - keys_before(cut_.begin(i));
      h.part.overflowed = cut_.list_of(i, whole.overflowed);
      headers.push_back(encode(h));
    }
    for (std::uint32_t i = first; i < end; ++i) {
      parts.push_back(i);
      all.push_back(for_part(i, {"BF.LOADCHUNK", "1", view_of_bytes(headers[i - first])}));
    }
    send();
    for (std::uint64_t sent = 0;; sent += piece_bytes) {
      std::vector<std::string> places(end - first);
      for (std::uint32_t i = first; i < end; ++i) {
        if (sent >= cut_.bytes_of(i)) continue;
        const std::uint64_t size = std::min(piece_bytes, cut_.bytes_of(i) - sent);
        places[i - first] = std::to_string(sent + size + 1);
        parts.push_back(i);
        const auto piece = whole.blocks.subspan(cut_.begin(i) * cut_.block_bytes() + sent, size);
        all.push_back(for_part(i, {"BF.LOADCHUNK", places[i - first], view_of_bytes(piece)}));
      }
      if (all.empty()) break;
      send();
    }
    for (std::size_t i = 0; i < late.size(); ++i) {
      if (late[i]) ++kept.unacknowledged;
      if (!late[i] && !alone[i]) ++kept.replicated;
    }
    tell(static_cast<double>(end) / cut_.parts());
  }
}

spread_filter spread_filter::load(cluster& on, const std::string& name, const std::string& path,
                                  std::optional<std::uint32_t> parts, const cluster::wait_rule& rule,
                                  acknowledgement& kept, const teller& tell) {
  require_name(name);
  const filter_file file = filter_file::map(path);
  if (extend::erases_keys(file.contents().filters.front().params)) {
    throw parameter_error(path + " is a ledger; " + ledgers_stay_whole);
  }
  if (file.grows()) {
    throw parameter_error(path +
                          " is a chain of filters that grows, which cannot be spread over a cluster; build one "
                          "filter with --keys");
  }
  file.verify();
  const file_contents contents = file.contents();
  stored_filter whole = contents.filters.front();
  if (!(whole.planned_fpr > 0 && whole.planned_fpr < 1)) {
    whole.planned_fpr = std::clamp(file.stats().front().fpr_from_fill, 1e-12, 0.99);  // a file that promises nothing
  }
  return load(on, name, whole, {contents.kind, contents.origin}, parts, rule, kept, tell);
}

spread_filter spread_filter::load(cluster& on, const std::string& name, const stored_filter& whole,
                                  const keys_of_filter& keys, std::optional<std::uint32_t> parts,
                                  const cluster::wait_rule& rule, acknowledgement& kept, const teller& tell) {
  extend::require_filter(whole);
  part_header h{.part = {.whole = whole.params,
                         .parts = parts ? *parts : usual_parts(whole.params),
                         .planned_keys = std::max<std::uint64_t>({1, whole.planned_keys, whole.keys}),
                         .planned_fpr = whole.planned_fpr},
                .kind = keys.kind,
                .origin = keys.origin};
  if (whole.planned_keys != 0) h.part.planned_keys = whole.planned_keys;
  spread_filter f = prepare(on, name, h);
  f.require_nothing_there();
  f.make_descriptor(rule, kept);
  f.send_parts(whole, rule, kept, tell);
  return f;
}

std::vector<std::string> spread_filter::drop() {
  std::vector<std::string> stay;
  std::vector<std::uint32_t> go;
  std::vector<request> all;
  for (std::uint32_t i = 0; i < cut_.parts(); ++i) all.push_back(for_part(i, {"BF.SCANDUMP", "0"}));
  on_->run(all, [&](std::size_t number, const redisReply& said, const endpoint& node) {
    const auto part = static_cast<std::uint32_t>(number);
    const std::string_view error = is_error(said) ? text_of(said) : "";
    if (error == "ERR not found") return;
    bool ours = error.find("is being loaded") != std::string_view::npos;
    if (!error.empty() && !ours && !error.starts_with("WRONGTYPE")) refuse(part, said, node);
    if (said.type == REDIS_REPLY_ARRAY && said.elements == 2) {
      const auto header = bytes_of_view(text_of(*said.element[1]));
      ours = is_part_header(header) && identity_of(parse_part_header(header)) == identity_of(header_);
    }
    if (ours) {
      go.push_back(part);
    } else {
      stay.push_back(part_keys_[part]);
    }
  });
  const auto take = [&](std::size_t /*number*/, const redisReply& said, const endpoint& node) {
    if (is_error(said)) throw server_error(text_of(node) + ": " + std::string(text_of(said)));
  };
  all.clear();
  for (const std::uint32_t part : go) all.push_back(for_part(part, {"UNLINK"}));
  on_->run(all, take);
  // Without the descriptor nobody finds the parts: it goes when they are gone.
  const std::vector<request> last = {{.slot = slot_of(name_), .words = {"UNLINK", name_}}};
  on_->run(last, take);
  return stay;
}

}  // namespace sluice::redis
