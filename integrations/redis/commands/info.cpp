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

/// RESP2 has no numbers with fractions: six digits as text, which people can read.
void reply_real(context* ctx, double value) {
  if (speaks_resp3(ctx)) {
    reply_double(ctx, value);
    return;
  }
  std::array<char, 40> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), value, std::chars_format::general, 6).ptr;
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
    {"SIZE", "Size", false, false, [](context* ctx, const chain& c) { reply_count(ctx, c.size()); }},
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

/// Counting the bits of a link takes 5 to 10 ns a byte: of larger ones a part is counted, and the rest is the model's.
constexpr std::uint64_t most_counted_bytes = std::uint64_t{4} << 20;
constexpr std::uint64_t sample_bytes = std::uint64_t{1} << 20;

struct measured_link {
  statistics now = {};
  double accesses_hit = 0;  ///< the model's: where the keys went is not known
  bool is_estimate = false;
};

/// Of the first bytes. Keys are spread by their hashes, so that every part is as full as the others.
double fill_of(std::span<const std::byte> bytes) noexcept {
  const auto some = bytes.first(std::min<std::uint64_t>(bytes.size(), sample_bytes));
  std::uint64_t ones = 0;
  for (const std::byte b : some) ones += static_cast<std::uint64_t>(std::popcount(std::to_integer<unsigned>(b)));
  return static_cast<double>(ones) / static_cast<double>(8 * some.size());
}

measured_link measured(const chain_part& l) {
  measured_link m{.is_estimate = l.bytes().size() > most_counted_bytes};
  const auto estimate_fill = [&] {
    m.now.usable_bits = 8 * l.bytes().size();
    m.now.bits_set = static_cast<std::uint64_t>(static_cast<double>(m.now.usable_bits) * fill_of(l.bytes()));
  };
  if (l.ours() == nullptr) {
    estimate_fill();
    const double fill = static_cast<double>(m.now.bits_set) / static_cast<double>(l.imported().range);
    m.now.fpr_from_fill = std::pow(fill, l.imported().hashes);
    m.now.blocks_per_miss_from_fill = 1 / (1 - std::min(fill, 0.9));  // positions, until one is not set
    m.accesses_hit = l.imported().hashes;
    return m;
  }
  const auto model = theory::predict(l.ours()->params(), std::max(1.0, static_cast<double>(l.keys())));
  m.accesses_hit = model.accesses_hit;
  if (!m.is_estimate) {
    m.now = l.ours()->stats();
    return m;
  }
  estimate_fill();
  m.now.fpr_from_fill = l.keys() == 0 ? 0 : model.fpr_exact;
  m.now.blocks_per_miss_from_fill = model.accesses_miss;
  return m;
}

}  // namespace

void info(context* ctx, text** arguments, int count) {
  demand_arguments(count, 2, 3);
  const open_chain key(ctx, arguments[1], open_to_read);
  const chain& c = demand_filter(key);
  if (count == 2) {
    const auto fields =
        std::count_if(info_fields.begin(), info_fields.end(), [&](const info_field& f) { return is_offered(f, c); });
    if (speaks_valkey()) {
      reply_array(ctx, 2 * fields);
    } else {
      reply_map(ctx, fields);
    }
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
    const std::uint32_t hashes = l.ours() == nullptr ? l.imported().hashes
                                                     : std::visit(
                                                           [](const auto& p) -> std::uint32_t {
                                                             if constexpr (requires { p.hashes; }) return p.hashes;
                                                             return 0;
                                                           },
                                                           l.ours()->params());
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
  std::vector<statistics> all;
  bool is_estimate = false;
  double hits = 0;  // blocks that all stored keys read together
  double miss = 0;
  double bound = 0;
  double older_keys = 0;
  for (const chain_part& l : c.links()) {
    const measured_link m = measured(l);
    // Lookups begin with the newest link: keys of older links are missed here first.
    hits += m.accesses_hit * static_cast<double>(l.keys()) + m.now.blocks_per_miss_from_fill * older_keys;
    miss += m.now.blocks_per_miss_from_fill;
    older_keys += static_cast<double>(l.keys());
    bound += l.rate();
    is_estimate = is_estimate || m.is_estimate;
    all.push_back(m.now);
  }
  double bits_set = 0;
  double usable = 0;
  for (const statistics& s : all) {
    bits_set += static_cast<double>(s.bits_set);
    usable += static_cast<double>(s.usable_bits);
  }
  reply_map(ctx, c.part() != nullptr ? 13 : 12);
  if (c.part() != nullptr) {
    const part_description d = c.part()->description();
    reply_name(ctx, "Part");
    reply_text(ctx, std::to_string(d.number) + " of " + std::to_string(d.parts));
  }
  reply_name(ctx, "Keys");
  reply_count(ctx, c.keys());
  reply_name(ctx, "Capacity");
  reply_count(ctx, c.capacity());
  reply_name(ctx, "Overfull");
  reply_count(ctx, c.overfull() ? 1 : 0);
  reply_name(ctx, "Fill");
  reply_real(ctx, bits_set / usable);
  reply_name(ctx, "FPR now");
  reply_real(ctx, fpr_of_any(all));
  reply_name(ctx, "FPR when full");
  reply_real(ctx, bound);
  reply_name(ctx, "Blocks per hit");
  reply_real(ctx, older_keys > 0 ? hits / older_keys : miss);
  reply_name(ctx, "Blocks per miss");
  reply_real(ctx, miss);
  reply_name(ctx, "Bytes");
  reply_count(ctx, c.data_bytes());
  reply_name(ctx, "Seed");
  reply_text(ctx, std::to_string(c.params().seed));
  reply_name(ctx, "Estimated");
  reply_count(ctx, is_estimate ? 1 : 0);
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
    reply_real(ctx, all[i].fpr_from_fill);
    reply_name(ctx, "FPR when full");
    reply_real(ctx, l.rate());
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
  reply_real(ctx, c.wanted.error);
  reply_name(ctx, "FPR of the first link");
  reply_real(ctx, best.predicted.fpr_exact);
  reply_name(ctx, "FPR at 1.25 times the keys");
  reply_real(ctx, best.fpr_overfull);
  reply_name(ctx, "Bytes");
  reply_count(ctx, bytes_for(best.params));
  reply_name(ctx, "Bits per key");
  reply_real(ctx, best.memory_bits_per_key);
  reply_name(ctx, "Blocks per hit");
  reply_real(ctx, best.predicted.accesses_hit);
  reply_name(ctx, "Blocks per miss");
  reply_real(ctx, best.predicted.accesses_miss);
}

}  // namespace sluice::redis
