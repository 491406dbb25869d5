// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// BF.STATS key: what a filter does now: its fill, its false positive rate and the blocks that a lookup reads, for the
// chain and for each of its links.
//
// The server waits for a copy of the bits, up to 1 MiB, or for a look at some of them; counting them, and the models
// for what bits do not tell, are done in a thread, within a second or two for all links together. What was not counted
// is Estimated. Where a client cannot wait (MULTI, scripts), up to 64 KiB are counted at once, and the models have only
// what is remembered.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "background.hpp"
#include "commands/command.hpp"
#include "commands/fields.hpp"
#include "predictions.hpp"
#include "sluice/extend/names.hpp"

namespace sluice::redis {

namespace {

// Counting takes 5 to 10 ns a byte, copying a tenth of one; copies of many links take their time, too.
constexpr std::uint64_t most_copied_bytes = std::uint64_t{1} << 20;
constexpr std::uint64_t most_counted_at_once = std::uint64_t{1} << 16;
constexpr std::size_t most_copied_links = 64;
constexpr std::uint64_t sample_bytes = std::uint64_t{1} << 18;  // of all links together
constexpr std::uint64_t least_sample = 64;                      // of one

/// What a link knows of itself.
struct link_facts {
  std::string_view scheme;
  std::uint64_t keys = 0;
  std::uint64_t capacity = 0;
  std::uint64_t bytes = 0;
  double rate = 0;
};

/// A link as it was when the command came.
struct link_snapshot {
  link_facts is;
  double fill = 0;                                  ///< of a sample
  std::optional<parameters> params = std::nullopt;  ///< nothing: it was imported
  std::optional<filter> copy = std::nullopt;        ///< to be counted
  std::uint64_t range = 0;                          ///< of one that was imported: its bits
  std::uint32_t hashes = 0;                         ///< of one that was imported
};

/// What can be said of it.
struct link_report {
  link_facts is;
  statistics now = {};
  double accesses_hit = 1;
  bool is_estimate = false;
};

struct chain_report {
  std::optional<std::pair<std::uint32_t, std::uint32_t>> part = std::nullopt;  ///< its number, and of how many
  std::uint64_t keys = 0;
  std::string origin = {};  ///< of its keys, as options of the command; empty: it is not said
  std::uint64_t capacity = 0;
  bool overfull = false;
  double fill = 0;
  double fpr_now = 0;
  double fpr_full = 0;
  double blocks_per_hit = 0;
  double blocks_per_miss = 0;
  std::uint64_t bytes = 0;
  std::uint64_t seed = 0;
  bool is_estimate = false;
  std::vector<link_report> links = {};
};

/// Of the first bytes. Keys are spread by their hashes, so that every part is as full as the others.
double fill_of(std::span<const std::byte> bytes, std::uint64_t most) noexcept {
  const auto some = bytes.first(std::min<std::uint64_t>(bytes.size(), most));
  std::uint64_t ones = 0;
  std::size_t at = 0;
  for (; at + sizeof(std::uint64_t) <= some.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, some.data() + at, sizeof word);
    ones += static_cast<std::uint64_t>(std::popcount(word));
  }
  for (; at < some.size(); ++at) ones += static_cast<std::uint64_t>(std::popcount(std::to_integer<unsigned>(some[at])));
  return static_cast<double>(ones) / static_cast<double>(8 * some.size());
}

std::vector<link_snapshot> snapshot_of(const chain& c, std::uint64_t most_copied) {
  const bool copies = c.data_bytes() <= most_copied && c.links().size() <= most_copied_links;
  const std::uint64_t sample = std::max(least_sample, sample_bytes / c.links().size());
  std::vector<link_snapshot> all;
  for (const chain_part& l : c.links()) {
    link_snapshot one{.is = {.scheme = l.ours() != nullptr ? extend::scheme_name(l.ours()->params()) : "RedisBloom",
                             .keys = l.keys(),
                             .capacity = l.capacity(),
                             .bytes = l.bytes().size(),
                             .rate = l.rate()}};
    if (l.ours() == nullptr) {
      one.range = l.imported().range;
      one.hashes = l.imported().hashes;
    } else {
      one.params = l.ours()->params();
      if (copies) one.copy = *l.ours();
    }
    if (!one.copy) one.fill = fill_of(l.bytes(), sample);
    all.push_back(std::move(one));
  }
  return all;
}

/// What a filter with so many of its bits set answers to absent keys, without a model.
double rate_from_fill(const parameters& p, double fill) {
  return std::visit(
      [&](const auto& q) {
        if constexpr (requires { q.fingerprint_bits; }) {
          return std::exp2(-static_cast<double>(q.fingerprint_bits));
        } else if constexpr (requires { q.remainder_bits; }) {
          const extend::ledger_layout layout(q.remainder_bits);
          return layout.rate_of(fill * layout.slots);
        } else {
          return std::pow(fill, q.hashes);
        }
      },
      p);
}

/// Does anything have to be asked of a model? Of a blocked filter bits tell everything.
bool needs_model(const link_snapshot& l) { return l.params && !(l.copy && scheme_of(*l.params) == scheme::blocked); }
model_question question_of(const link_snapshot& l) {
  return {.params = *l.params, .keys = std::max(1.0, static_cast<double>(l.is.keys))};
}

link_report measure(const link_snapshot& l, theory::model_allowance& allowance) {
  link_report r{.is = l.is};
  if (l.copy) {
    r.now = l.copy->stats();
  } else {
    r.is_estimate = l.is.bytes > least_sample;
    r.now.usable_bits = 8 * l.is.bytes;
    r.now.bits_set = static_cast<std::uint64_t>(static_cast<double>(r.now.usable_bits) * l.fill);
    r.now.blocks_per_miss_from_fill = 1;
  }
  if (!l.params) {
    const double fill = static_cast<double>(r.now.bits_set) / static_cast<double>(l.range);
    r.now.fpr_from_fill = std::pow(fill, l.hashes);
    r.now.blocks_per_miss_from_fill = 1 / (1 - std::min(fill, 0.9));  // positions, until one is not set
    r.accesses_hit = l.hashes;
    return r;
  }
  const auto model = needs_model(l) ? predict_within(allowance, question_of(l)) : std::nullopt;
  if (needs_model(l) && !model) r.is_estimate = true;
  // Where the keys went is not known: blocks per hit are the model's. Without one, a hit reads what a miss reads.
  if (needs_model(l)) r.accesses_hit = model ? model->accesses_hit : r.now.blocks_per_miss_from_fill;
  if (!l.copy && l.is.keys != 0) {
    r.now.fpr_from_fill = model ? model->fpr_exact : rate_from_fill(*l.params, l.fill);
    if (model) r.now.blocks_per_miss_from_fill = model->accesses_miss;
  }
  return r;
}

/// Fills in what the links tell.
void measure(chain_report& r, const std::vector<link_snapshot>& links, double steps) {
  theory::model_allowance allowance(steps);
  std::vector<statistics> all;
  double hits = 0;  // blocks that all stored keys read together
  double older_keys = 0;
  double bits_set = 0;
  double usable = 0;
  for (const link_snapshot& l : links) {
    link_report m = measure(l, allowance);
    const double miss = m.now.blocks_per_miss_from_fill;
    // Lookups begin with the newest link: keys of older links are missed here first.
    hits += m.accesses_hit * static_cast<double>(l.is.keys) + miss * older_keys;
    r.blocks_per_miss += miss;
    older_keys += static_cast<double>(l.is.keys);
    r.fpr_full += l.is.rate;
    r.is_estimate = r.is_estimate || m.is_estimate;
    bits_set += static_cast<double>(m.now.bits_set);
    usable += static_cast<double>(m.now.usable_bits);
    m.now.load_histogram = {};
    all.push_back(m.now);
    r.links.push_back(std::move(m));
  }
  r.fill = bits_set / usable;
  r.fpr_now = extend::fpr_of_any(all);
  r.blocks_per_hit = older_keys > 0 ? hits / older_keys : r.blocks_per_miss;
}

constexpr std::array<reply_field<link_report>, 6> link_fields = {{
    {"Scheme", [](context* ctx, const link_report& l) { reply_text(ctx, l.is.scheme); }},
    {"Keys", [](context* ctx, const link_report& l) { reply_count(ctx, l.is.keys); }},
    {"Capacity", [](context* ctx, const link_report& l) { reply_count(ctx, l.is.capacity); }},
    {"Bytes", [](context* ctx, const link_report& l) { reply_count(ctx, l.is.bytes); }},
    {"FPR now", [](context* ctx, const link_report& l) { reply_real(ctx, l.now.fpr_from_fill); }},
    {"FPR when full", [](context* ctx, const link_report& l) { reply_real(ctx, l.is.rate); }},
}};

void reply_links(context* ctx, const chain_report& r) {
  reply_array(ctx, static_cast<long>(r.links.size()));
  for (const link_report& l : r.links) reply_fields(ctx, link_fields, l);
}

constexpr std::array<reply_field<chain_report>, 14> stats_fields = {{
    {"Part",
     [](context* ctx, const chain_report& r) {
       reply_text(ctx, std::to_string(r.part->first) + " of " + std::to_string(r.part->second));
     },
     [](const chain_report& r) { return r.part.has_value(); }},
    {"Keys", [](context* ctx, const chain_report& r) { reply_count(ctx, r.keys); }},
    {"Key origin", [](context* ctx, const chain_report& r) { reply_text(ctx, r.origin); },
     [](const chain_report& r) { return !r.origin.empty(); }},
    {"Capacity", [](context* ctx, const chain_report& r) { reply_count(ctx, r.capacity); }},
    {"Overfull", [](context* ctx, const chain_report& r) { reply_count(ctx, r.overfull ? 1 : 0); }},
    {"Fill", [](context* ctx, const chain_report& r) { reply_real(ctx, r.fill); }},
    {"FPR now", [](context* ctx, const chain_report& r) { reply_real(ctx, r.fpr_now); }},
    {"FPR when full", [](context* ctx, const chain_report& r) { reply_real(ctx, r.fpr_full); }},
    {"Blocks per hit", [](context* ctx, const chain_report& r) { reply_real(ctx, r.blocks_per_hit); }},
    {"Blocks per miss", [](context* ctx, const chain_report& r) { reply_real(ctx, r.blocks_per_miss); }},
    {"Bytes", [](context* ctx, const chain_report& r) { reply_count(ctx, r.bytes); }},
    {"Seed", [](context* ctx, const chain_report& r) { reply_text(ctx, std::to_string(r.seed)); }},
    {"Estimated", [](context* ctx, const chain_report& r) { reply_count(ctx, r.is_estimate ? 1 : 0); }},
    {"Links", reply_links},
}};

}  // namespace

void stats(context* ctx, text** arguments, int count) {
  require_arguments(count, 2, 2);
  const open_chain key(ctx, arguments[1], open_to_read);
  const chain& c = require_complete(key);
  const bool waits = may_block(ctx);
  // Shared, because functions are copied.
  const auto report = std::make_shared<chain_report>(chain_report{.keys = c.keys(),
                                                                  .capacity = c.capacity(),
                                                                  .overfull = c.overfull(),
                                                                  .bytes = c.data_bytes(),
                                                                  .seed = c.params().seed});
  if (c.part() != nullptr) {
    const extend::part_description d = c.part()->description();
    report->part = {d.number, d.parts};
  }
  if (const auto origin = c.origin()) report->origin = extend::text_of(*origin);
  const auto links =
      std::make_shared<std::vector<link_snapshot>>(snapshot_of(c, waits ? most_copied_bytes : most_counted_at_once));
  const bool is_quick = c.data_bytes() <= most_counted_at_once && links->size() <= most_copied_links &&
                        std::none_of(links->begin(), links->end(), [](const link_snapshot& l) {
                          return needs_model(l) && !remembered_prediction(question_of(l));
                        });
  if (is_quick || !waits) {
    measure(*report, *links, 0);
    reply_fields(ctx, stats_fields, *report);
    return;
  }
  in_background(ctx, [report, links](context* /*to*/) -> step {
    constexpr double most_steps = 1.5e9;  // of about a nanosecond
    measure(*report, *links, most_steps);
    return [report](context* to) {
      reply_fields(to, stats_fields, *report);
      return false;
    };
  });
}

}  // namespace sluice::redis
