// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// CF.*: keys of ledgers (docs/ledger.md), from which items are taken again. Arguments, replies and errors are
// RedisBloom's. What is a matter of cuckoo filters alone is checked, and means nothing: BUCKETSIZE and MAXITERATIONS.
//
//   CF.RESERVE key capacity [BUCKETSIZE b] [MAXITERATIONS m] [EXPANSION x] [ERROR e] [SEED n]
//   CF.INSERT, CF.INSERTNX key [CAPACITY c] [NOCREATE] [EXPANSION x] [ERROR e] [SEED n] ITEMS item ...
//
// Replicas and the AOF get what was decided: the seed of a new filter, and of the items those that were taken, as items
// to be added. Everything else follows from digests and bytes.
#include <array>
#include <bit>

#include "commands/command.hpp"
#include "commands/creation.hpp"
#include "commands/fields.hpp"
#include "seeds.hpp"
#include "sluice/extend/ledger_chain.hpp"
#include "sluice/extend/names.hpp"

namespace sluice::redis {

namespace {

// RedisBloom's.
constexpr std::uint64_t usual_capacity = 1024;
constexpr std::uint32_t usual_expansion = 1;
constexpr long long usual_bucket = 2;
constexpr long long most_bucket = 255;
constexpr long long most_iterations = 65'535;
constexpr const char* maximum_reached = "Maximum expansions reached";

/// What ledgers with the shortest remainders, of 8 bits, keep at the fill that they are planned for.
constexpr double usual_rate_of_link = 0.0031;

struct ledger_creation {
  shape wanted = {.capacity = usual_capacity, .expansion = usual_expansion, .which = scheme::ledger};
  std::optional<double> error = std::nullopt;        ///< none: what the shortest remainders keep
  std::optional<std::uint64_t> seed = std::nullopt;  ///< none: to be drawn
  bool may_create = true;
};

long long number_within(const text* argument, const char* name, long long least, long long most) {
  long long number = 0;
  if (to_integer(argument, &number) != ok) throw refusal(std::string("Couldn't parse ") + name);
  if (number < least || number > most) {
    throw refusal(std::string(name) + ": value must be in the range [" + std::to_string(least) + ", " +
                  std::to_string(most) + "]");
  }
  return number;
}

long long capacity_word(const text* argument) {
  long long capacity = 0;
  if (to_integer(argument, &capacity) != ok) throw refusal("Bad capacity");
  return capacity;
}

/// Options that both CF.RESERVE and CF.INSERT have, with the value behind them. False: none of them.
template <class Value>
bool read_option(context* ctx, ledger_creation& c, std::string_view word, options_seen& seen, const Value& value) {
  const auto is = [&](const char* name) {
    if (!same_word(word, name)) return false;
    seen.add(name);
    return true;
  };
  if (is("EXPANSION")) {
    // Links stay nested if each has a power of two times the blocks of the one before (bit_ceil makes 1 of 0).
    const auto expansion = static_cast<std::uint32_t>(number_within(value(), "EXPANSION", 0, most_expansion));
    c.wanted.expansion = expansion == 0 ? 0 : std::bit_ceil(expansion);
  } else if (is("ERROR")) {
    c.error = rate_from(ctx, value());
  } else if (is("SEED")) {
    c.seed = seed_from(value());
  } else {
    return false;
  }
  return true;
}

ledger_creation read_ledger_reserve(context* ctx, text** arguments, int count) {
  if (count < 3 || count % 2 == 0) throw wrong_arity();
  ledger_creation c;
  const long long capacity = capacity_word(arguments[2]);
  long long bucket = usual_bucket;
  options_seen seen;
  for (int i = 3; i < count; i += 2) {
    const std::string_view word = view_of(arguments[i]);
    const auto value = [&] { return arguments[i + 1]; };
    if (same_word(word, "MAXITERATIONS")) {
      seen.add("MAXITERATIONS");
      static_cast<void>(number_within(value(), "MAXITERATIONS", 1, most_iterations));
    } else if (same_word(word, "BUCKETSIZE")) {
      seen.add("BUCKETSIZE");
      bucket = number_within(value(), "BUCKETSIZE", 1, most_bucket);
    } else if (!read_option(ctx, c, word, seen, value)) {
      throw refusal("Unknown argument received");
    }
  }
  if (capacity < 2 * bucket || capacity > static_cast<long long>(most_capacity)) {
    throw refusal("Capacity must be in the range [2 * BUCKETSIZE, " + std::to_string(most_capacity) + "]");
  }
  c.wanted.capacity = static_cast<std::uint64_t>(capacity);
  return c;
}

/// `items` becomes the place of the first.
ledger_creation read_ledger_insert(context* ctx, text** arguments, int count, int& items) {
  require_arguments(count, 4);
  ledger_creation c;
  options_seen seen;
  items = count;
  for (int i = 2; i < count && items == count; ++i) {
    const std::string_view word = view_of(arguments[i]);
    const auto value = [&] {
      if (i + 1 == count) throw wrong_arity();
      return arguments[++i];
    };
    if (read_option(ctx, c, word, seen, value)) continue;
    // RedisBloom looks at the first letter alone.
    const char letter = word.empty() ? '\0' : static_cast<char>(word.front() | 0x20);
    if (letter == 'i') {
      items = i + 1;
    } else if (letter == 'c') {
      seen.add("CAPACITY");
      const long long capacity = capacity_word(value());
      if (capacity < 2 * usual_bucket || capacity > static_cast<long long>(most_capacity)) {
        throw refusal("Capacity must be in the range [cf-bucket-size * 2, " + std::to_string(most_capacity) + "]");
      }
      c.wanted.capacity = static_cast<std::uint64_t>(capacity);
    } else if (letter == 'n') {
      seen.add("NOCREATE");
      c.may_create = false;
    } else {
      throw refusal("Unknown argument received");
    }
  }
  if (items == count) throw wrong_arity();
  return c;
}

std::unique_ptr<chain> make_ledger(context* ctx, ledger_creation& c) {
  shape& s = c.wanted;
  const double links = s.expansion == 0 ? 1 : extend::planned_ledgers;
  s.error = c.error.value_or(links * usual_rate_of_link);
  s.seed = c.seed ? *c.seed : draw_seed();
  try {
    return std::make_unique<chain>(s, room(ctx));
  } catch (const memory_error& e) {
    throw no_memory_for_filter(e);
  } catch (const std::bad_alloc&) {
    throw refusal("ERR Insufficient memory to create filter");
  } catch (const sluice::error& e) {
    throw refusal(std::string("ERR Could not create filter: ") + e.what());
  }
}

/// Makes the same filter with the same items elsewhere. The items are those that were taken.
void replicate_ledger(context* ctx, text* key, const shape& made, std::span<text* const> items) {
  std::vector<std::string> words;
  const auto say = [&](const char* name, const std::string& value) { words.insert(words.end(), {name, value}); };
  if (items.empty()) {
    words.push_back(number_word(made.capacity));
    say("BUCKETSIZE", "1");  // which allows every capacity that there may be
  } else {
    say("CAPACITY", number_word(made.capacity));
  }
  say("EXPANSION", number_word(std::uint64_t{made.expansion}));
  say("ERROR", number_word(made.error));
  say("SEED", number_word(made.seed));
  if (!items.empty()) words.emplace_back("ITEMS");
  replicate_words(ctx, items.empty() ? "CF.RESERVE" : "CF.INSERT", key, words, items);
}

struct copies_request {
  text* key;
  std::span<text* const> items;
  bool unless_present;
  bool replies_array;
};

/// Why the one item of a command was not taken.
[[nodiscard]] std::string refusal_of(added outcome, const std::string& why) {
  if (outcome == added::no_room) return why;
  if (outcome == added::no_links) return maximum_reached;
  if (outcome == added::no_memory) return "ERR Insufficient memory" + (why.empty() ? "" : ": " + why);
  return "Filter is full";
}

/// In RESP3 RedisBloom says true or false, but not where an item may be present and another one refused.
void reply_copies(context* ctx, const copies_request& q, const add_result& result) {
  if (!q.replies_array) {
    const added only = result.outcomes.front();
    if (only >= added::full) throw refusal(refusal_of(only, result.why));
    return reply_truth(ctx, only == added::fresh);
  }
  reply_array(ctx, static_cast<long>(result.outcomes.size()));
  for (const added outcome : result.outcomes) {
    const int number = outcome == added::fresh ? 1 : outcome == added::present ? 0 : -1;
    if (!q.unless_present && speaks_resp3(ctx)) {
      reply_truth(ctx, number == 1);
    } else {
      reply_integer(ctx, number);
    }
  }
}

void add_to_ledger(context* ctx, const copies_request& q, ledger_creation how) {
  open_chain key(ctx, q.key, open_to_read | open_to_write, family::ledger);
  if (key.holds() == holding::something_else) throw refusal(wrong_type);
  const bool is_new = key.holds() == holding::nothing;
  if (is_new && !how.may_create) throw refusal(not_found);
  const item_views items(q.items);
  std::unique_ptr<chain> made = is_new ? make_ledger(ctx, how) : nullptr;
  chain& to = is_new ? *made : require_complete(key);
  // What was not taken here must not be taken elsewhere: where there is more room, or an item is not there. Once an
  // item is in a key that was there, nothing may fail before replicas know.
  std::vector<text*> taken;
  taken.reserve(q.items.size());
  const add_result result = to.add_copies(items.all(), q.unless_present, room(ctx));
  for (std::size_t i = 0; i < q.items.size(); ++i) {
    if (result.outcomes[i] == added::fresh) taken.push_back(q.items[i]);
  }
  if (is_new) {
    replicate_ledger(ctx, q.key, to.params(), taken);
    key.put(std::move(made));
    tell(ctx, "cuckoo.reserve", q.key);
  } else if (result.changed && !q.replies_array && !q.unless_present) {
    replicate_verbatim(ctx);  // CF.ADD, as it stands: anything else takes longer to say than to do
  } else if (result.changed) {
    replicate(ctx, "CF.INSERT", "sccv", q.key, "NOCREATE", "ITEMS", taken.data(), taken.size());
  }
  if (result.changed) tell(ctx, "cuckoo.add", q.key);
  if (result.outcomes.front() == added::no_links) throw refusal(maximum_reached);  // nothing was taken
  reply_copies(ctx, q, result);
}

void add_one(context* ctx, text** arguments, int count, bool unless_present) {
  require_arguments(count, 3, 3);
  add_to_ledger(ctx, {arguments[1], {arguments + 2, 1}, unless_present, false}, {});
}

void insert_many(context* ctx, text** arguments, int count, bool unless_present) {
  int items = count;
  const ledger_creation how = read_ledger_insert(ctx, arguments, count, items);
  const std::span<text* const> rest(arguments + items, static_cast<std::size_t>(count - items));
  add_to_ledger(ctx, {arguments[1], rest, unless_present, true}, how);
}

[[nodiscard]] const ledger_parameters& ledger_of(const chain_part& l) {
  return std::get<ledger_parameters>(l.ours()->params());
}

/// RedisBloom's fields. A bucket is a block, and its size the slots that it has; an item that is added moves one other
/// item at most.
constexpr std::array<reply_field<chain>, 8> ledger_fields = {{
    {"Size", [](context* ctx, const chain& c) { reply_count(ctx, c.size()); }},
    {"Number of buckets",
     [](context* ctx, const chain& c) {
       std::uint64_t blocks = 0;
       for (const chain_part& l : c.links()) blocks += ledger_of(l).blocks;
       reply_count(ctx, blocks);
     }},
    {"Number of filters", [](context* ctx, const chain& c) { reply_count(ctx, c.links().size()); }},
    {"Number of items inserted", [](context* ctx, const chain& c) { reply_count(ctx, c.keys()); }},
    {"Number of items deleted", [](context* ctx, const chain& c) { reply_count(ctx, c.erased()); }},
    {"Bucket size",
     [](context* ctx, const chain& c) {
       reply_count(ctx, extend::ledger_layout(ledger_of(c.links().front()).remainder_bits).slots);
     }},
    {"Expansion rate", [](context* ctx, const chain& c) { reply_count(ctx, c.params().expansion); }},
    {"Max iterations", [](context* ctx, const chain& /*c*/) { reply_count(ctx, 1); }},
}};

}  // namespace

void reserve_ledger(context* ctx, text** arguments, int count) {
  ledger_creation c = read_ledger_reserve(ctx, arguments, count);
  open_chain key(ctx, arguments[1], open_to_read | open_to_write, family::ledger);
  if (key.holds() == holding::something_else) throw refusal(wrong_type);
  if (key.holds() == holding::filter) throw refusal(item_exists);
  std::unique_ptr<chain> made = make_ledger(ctx, c);
  replicate_ledger(ctx, arguments[1], made->params(), {});
  key.put(std::move(made));
  tell(ctx, "cuckoo.reserve", arguments[1]);
  reply_word(ctx, "OK");
}

void add_copy(context* ctx, text** arguments, int count) { add_one(ctx, arguments, count, false); }
void add_if_absent(context* ctx, text** arguments, int count) { add_one(ctx, arguments, count, true); }
void insert_copies(context* ctx, text** arguments, int count) { insert_many(ctx, arguments, count, false); }
void insert_if_absent(context* ctx, text** arguments, int count) { insert_many(ctx, arguments, count, true); }

void erase_copy(context* ctx, text** arguments, int count) {
  require_arguments(count, 3, 3);
  const open_chain key(ctx, arguments[1], open_to_read | open_to_write, family::ledger);
  if (key.holds_the_other_family()) throw refusal(wrong_type);
  if (key.holds() != holding::filter) throw refusal("Not found");
  const bool erased = require_complete(key).erase(view_of(arguments[2]));
  if (erased) {
    replicate_verbatim(ctx);
    tell(ctx, "cuckoo.del", arguments[1]);
  }
  reply_truth(ctx, erased);
}

void ledger_info(context* ctx, text** arguments, int count) {
  require_arguments(count, 2, 2);
  const open_chain key(ctx, arguments[1], open_to_read, family::ledger);
  reply_fields(ctx, ledger_fields, require_filter(key));
}

}  // namespace sluice::redis
