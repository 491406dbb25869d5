// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// BF.INFO and BF.DEBUG: what a filter is, as other modules tell it.
#include <algorithm>
#include <array>
#include <cstdio>

#include "commands/command.hpp"
#include "commands/creation.hpp"
#include "commands/fields.hpp"
#include "sluice/extend/names.hpp"

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

void reply_short(context* ctx, double value) {
  reply_text(ctx, extend::number_text(value));  // the shortest that reads back
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

}  // namespace

void info(context* ctx, text** arguments, int count) {
  require_arguments(count, 2, 3);
  const open_chain key(ctx, arguments[1], open_to_read);
  const chain& c = require_filter(key);
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
  require_arguments(count, 2, 2);
  const open_chain key(ctx, arguments[1], open_to_read);
  const chain& c = require_filter(key);
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

}  // namespace sluice::redis
