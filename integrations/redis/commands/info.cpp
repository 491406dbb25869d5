// BF.INFO, BF.DEBUG, BF.STATS, BF.PLAN: what a filter is, what it does now, and what one would be.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "commands/command.hpp"
#include "commands/creation.hpp"
#include "plan_link.hpp"
#include "sluice/theory.hpp"

namespace sluice::redis {

namespace {

/// One row of BF.INFO: how it is asked for, how it is named in the reply, and what it is.
struct info_field {
  const char* selector;
  const char* name;
  bool only_valkey;
  bool only_scaling;
  void (*reply)(context*, const chain&);
};

void reply_count(context* ctx, std::uint64_t number) { reply_integer(ctx, static_cast<long long>(number)); }

void reply_short(context* ctx, double value) {
  std::array<char, 40> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), value).ptr;  // the shortest that reads back
  reply_text(ctx, std::string_view(digits.begin(), static_cast<std::size_t>(end - digits.begin())));
}

void reply_expansion(context* ctx, const chain& c) {
  if (c.params().expansion == 0) {
    reply_null(ctx);
  } else {
    reply_count(ctx, c.params().expansion);
  }
}

constexpr std::array<info_field, 8> info_fields = {{
    {"CAPACITY", "Capacity", false, false, [](context* ctx, const chain& c) { reply_count(ctx, c.capacity()); }},
    {"SIZE", "Size", false, false, [](context* ctx, const chain& c) { reply_count(ctx, c.memory()); }},
    {"FILTERS", "Number of filters", false, false,
     [](context* ctx, const chain& c) { reply_count(ctx, c.links().size()); }},
    {"ITEMS", "Number of items inserted", false, false,
     [](context* ctx, const chain& c) { reply_count(ctx, c.keys()); }},
    {"ERROR", "Error rate", true, false, [](context* ctx, const chain& c) { reply_short(ctx, c.params().error); }},
    {"EXPANSION", "Expansion rate", false, false, reply_expansion},
    {"TIGHTENING", "Tightening ratio", true, true,
     [](context* ctx, const chain& c) { reply_short(ctx, c.params().tightening); }},
    {"MAXSCALEDCAPACITY", "Max scaled capacity", true, true,
     [](context* ctx, const chain& c) { reply_count(ctx, most_scaled_capacity(c.params())); }},
}};

[[nodiscard]] bool is_offered(const info_field& f, const chain& c) noexcept {
  return (!f.only_valkey || speaks_valkey()) && (!f.only_scaling || c.params().expansion != 0);
}

/// Of a random stored key and of an absent one: blocks that a lookup in the whole chain reads.
struct reads {
  double hit = 0;
  double miss = 0;
};

/// Blocks that a lookup reads in one link. A hit's are the model's: they depend on where the keys went.
reads reads_of(const chain_part& l, const statistics& s) {
  if (l.ours() == nullptr)
    return {static_cast<double>(l.imported().hashes), 2};  // positions; a miss ends at the second
  const double keys = std::max(1.0, static_cast<double>(l.keys()));
  return {theory::predict(l.ours()->params(), keys).accesses_hit, s.blocks_per_miss_from_fill};
}

/// Of an imported link: from its bits.
statistics statistics_of(const classic_filter& f) {
  statistics s;
  for (const std::byte b : f.bits)
    s.bits_set += static_cast<std::uint64_t>(std::popcount(std::to_integer<unsigned>(b)));
  s.usable_bits = f.range;
  s.keys_inserted = f.keys;
  s.filter_bytes = f.bits.size();
  s.fpr_from_fill = std::pow(static_cast<double>(s.bits_set) / static_cast<double>(s.usable_bits), f.hashes);
  return s;
}

}  // namespace

void info(context* ctx, text** arguments, int count) {
  demand_arguments(count, 2, 3);
  const open_chain key(ctx, arguments[1], open_to_read);
  const chain& c = demand_filter(key);
  if (count == 2) {
    reply_map(ctx, std::count_if(info_fields.begin(), info_fields.end(),
                                 [&](const info_field& f) { return is_offered(f, c); }));
    for (const info_field& f : info_fields) {
      if (!is_offered(f, c)) continue;
      reply_name(ctx, f.name);
      f.reply(ctx, c);
    }
    return;
  }
  const auto asked = std::find_if(info_fields.begin(), info_fields.end(), [&](const info_field& f) {
    return is_offered(f, c) && same_word(view_of(arguments[2]), f.selector);
  });
  if (asked == info_fields.end()) {
    throw refusal(speaks_valkey() ? "ERR invalid information value" : "Invalid information value");
  }
  if (!speaks_valkey()) {
    if (speaks_resp3(ctx)) {
      reply_map(ctx, 1);
      reply_name(ctx, asked->name);
    } else {
      reply_array(ctx, 1);
    }
  }
  asked->reply(ctx, c);
}

void debug(context* ctx, text** arguments, int count) {
  demand_arguments(count, 2, 2);
  const open_chain key(ctx, arguments[1], open_to_read);
  const chain& c = demand_filter(key);
  std::vector<std::string> lines = {"size:" + std::to_string(c.keys())};
  for (const chain_part& l : c.links()) {
    const std::uint32_t hashes = l.ours() == nullptr
                                     ? l.imported().hashes
                                     : std::visit([](const auto& p) { return p.hashes; }, l.ours()->params());
    std::array<char, 40> rate{};
    std::snprintf(rate.data(), rate.size(), "%g", l.rate());
    lines.push_back("bytes:" + std::to_string(l.bytes().size()) + " bits:" + std::to_string(8 * l.bytes().size()) +
                    " hashes:" + std::to_string(hashes) + " hashwidth:64 capacity:" + std::to_string(l.capacity()) +
                    " size:" + std::to_string(l.keys()) + " ratio:" + rate.data());
  }
  reply_array(ctx, static_cast<long>(lines.size()));
  for (const std::string& line : lines) reply_text(ctx, line);
}

void stats(context* ctx, text** arguments, int count) {
  demand_arguments(count, 2, 2);
  const open_chain key(ctx, arguments[1], open_to_read);
  const chain& c = demand_complete(key);
  demand_little_work(ctx, c.data_bytes(), "statistics");
  std::vector<statistics> all;
  reads sum;
  double bound = 0;
  double keys_asked = 0;  // hits of keys in newer links than this one come first
  for (const chain_part& l : c.links()) {
    all.push_back(l.ours() != nullptr ? l.ours()->stats() : statistics_of(l.imported()));
    const reads one = reads_of(l, all.back());
    // A stored key of this link is asked for in all newer links first; those of older links come by here.
    sum.hit += one.hit * static_cast<double>(l.keys()) + one.miss * keys_asked;
    sum.miss += one.miss;
    keys_asked += static_cast<double>(l.keys());
    bound += l.rate();
  }
  double bits_set = 0;
  double usable = 0;
  for (const statistics& s : all) {
    bits_set += static_cast<double>(s.bits_set);
    usable += static_cast<double>(s.usable_bits);
  }
  reply_map(ctx, 11);
  reply_name(ctx, "Keys");
  reply_count(ctx, c.keys());
  reply_name(ctx, "Capacity");
  reply_count(ctx, c.capacity());
  reply_name(ctx, "Overfull");
  reply_count(ctx, c.overfull() ? 1 : 0);
  reply_name(ctx, "Fill");
  reply_double(ctx, bits_set / usable);
  reply_name(ctx, "FPR now");
  reply_double(ctx, fpr_of_any(all));
  reply_name(ctx, "FPR when full");
  reply_double(ctx, bound);
  reply_name(ctx, "Blocks per hit");
  reply_double(ctx, keys_asked > 0 ? sum.hit / keys_asked : sum.miss);
  reply_name(ctx, "Blocks per miss");
  reply_double(ctx, sum.miss);
  reply_name(ctx, "Bytes");
  reply_count(ctx, c.data_bytes());
  reply_name(ctx, "Seed");
  reply_text(ctx, std::to_string(c.params().seed));
  reply_name(ctx, "Links");
  reply_array(ctx, static_cast<long>(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const chain_part& l = c.links()[i];
    reply_map(ctx, 6);
    reply_name(ctx, "Scheme");
    reply_text(ctx, l.ours() != nullptr ? scheme_name(l.ours()->params()) : std::string_view("RedisBloom"));
    reply_name(ctx, "Keys");
    reply_count(ctx, l.keys());
    reply_name(ctx, "Capacity");
    reply_count(ctx, l.capacity());
    reply_name(ctx, "Bytes");
    reply_count(ctx, l.bytes().size());
    reply_name(ctx, "FPR now");
    reply_double(ctx, all[i].fpr_from_fill);
    reply_name(ctx, "FPR when full");
    reply_double(ctx, l.rate());
  }
}

void plan_filter(context* ctx, text** arguments, int count) {
  demand_arguments(count, 3);
  const creation c = read_reserve(ctx, arguments, count, 1);
  if (c.like != nullptr) throw refusal("ERR BF.PLAN takes no LIKE; BF.STATS describes a filter that is there");
  const plan_candidate best = plan_link({.keys = c.wanted.capacity,
                                         .rate = rate_of_link(c.wanted, 0),
                                         .block_bits = c.wanted.block_bits,
                                         .which = c.wanted.which,
                                         .bits_per_key = c.bits_per_key});
  reply_map(ctx, 9);
  reply_name(ctx, "Scheme");
  reply_text(ctx, scheme_name(best.params));
  reply_name(ctx, "Capacity");
  reply_count(ctx, c.wanted.capacity);
  reply_name(ctx, "Error rate");
  reply_double(ctx, c.wanted.error);
  reply_name(ctx, "FPR of the first link");
  reply_double(ctx, best.predicted.fpr_exact);
  reply_name(ctx, "FPR at 1.25 times the keys");
  reply_double(ctx, best.fpr_overfull);
  reply_name(ctx, "Bytes");
  reply_count(ctx, bytes_for(best.params));
  reply_name(ctx, "Bits per key");
  reply_double(ctx, best.memory_bits_per_key);
  reply_name(ctx, "Blocks per hit");
  reply_double(ctx, best.predicted.accesses_hit);
  reply_name(ctx, "Blocks per miss");
  reply_double(ctx, best.predicted.accesses_miss);
}

}  // namespace sluice::redis
