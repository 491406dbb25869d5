// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "commands/add.hpp"

#include <memory>
#include <utility>

#include "commands/command.hpp"
#include "commands/parts.hpp"

namespace sluice::redis {

namespace {

constexpr const char* filter_is_full = "ERR non scaling filter is full";

/// Why an item was not taken, in the dialect.
[[nodiscard]] std::string problem_of(added outcome, const std::string& why) {
  if (outcome == added::full) return filter_is_full;
  if (outcome == added::no_room) return why;
  if (speaks_valkey())
    return outcome == added::no_memory ? exceeds_memory : "ERR false positive degrades to 0 on scale out";
  return "ERR problem inserting into filter" + (why.empty() ? "" : ": " + why);
}

void reply_outcomes(context* ctx, const add_request& q, const add_result& result) {
  const bool all = result.outcomes.empty() || result.outcomes.back() < added::full;
  const std::string problem = all ? "" : problem_of(result.outcomes.back(), result.why);
  if (q.replies_array) reply_array(ctx, static_cast<long>(result.outcomes.size()));
  for (const added outcome : result.outcomes) {
    if (outcome < added::full) {
      reply_truth(ctx, outcome == added::fresh);
    } else {
      reply_error(ctx, problem.c_str());
    }
  }
}

/// Tells the server which arguments are keys: the first, and the one behind LIKE, which only we can tell from a value
/// or an item. `read` reads the command as it will be read when it runs.
template <class Read>
void name_keys(context* ctx, text** arguments, int count, const Read& read) {
  key_is_at(ctx, 1, static_cast<int>(key_flags::read_write | key_flags::access | key_flags::insert));
  const text* like = nullptr;
  try {
    like = read().like;
  } catch (const std::exception&) {
    return;  // the command itself will say what is wrong
  }
  for (int i = 2; like != nullptr && i < count; ++i) {
    if (arguments[i] == like) key_is_at(ctx, i, static_cast<int>(key_flags::read_only | key_flags::access));
  }
}

}  // namespace

void add_items(context* ctx, const add_request& q, creation how) {
  open_chain key(ctx, q.key, open_to_read | open_to_write);
  if (key.holds() == holding::something_else) throw refusal(wrong_type);
  if (key.holds() == holding::nothing && !how.may_create) throw refusal(not_found);
  const item_views views(q.items);
  const std::span<const std::string_view> items = views.all();
  const bool is_new = key.holds() == holding::nothing;
  std::unique_ptr<chain> made = is_new ? make_chain(ctx, how) : nullptr;
  chain& to = is_new ? *made : require_complete(key);
  require_not_sealed(to);
  require_here(to, items);
  const add_result result = to.add(items, room(ctx));
  // What was not taken here must not be taken elsewhere, where there is more room.
  const bool all = result.outcomes.empty() || result.outcomes.back() < added::full;
  const auto taken = q.items.first(result.outcomes.size() - (all ? 0 : 1));
  if (is_new) {
    replicate_creation(ctx, q.key, how, to.params(), taken);
    key.put(std::move(made));
    tell(ctx, "bloom.reserve", q.key);
  } else if (result.changed) {
    // The server passes a command on as it stands for nothing; one that is made anew takes longer than an insertion.
    if (all && !q.has_options) {
      replicate_verbatim(ctx);
    } else {
      replicate(ctx, "BF.MADD", "sv", q.key, taken.data(), taken.size());
    }
  }
  if (result.changed) tell(ctx, "bloom.add", q.key);
  reply_outcomes(ctx, q, result);
}

void add(context* ctx, text** arguments, int count) {
  require_arguments(count, 3, 3);
  add_items(ctx, {arguments[1], {arguments + 2, 1}, false, false}, usual_creation());
}

void add_many(context* ctx, text** arguments, int count) {
  require_arguments(count, 3);
  add_items(ctx, {arguments[1], {arguments + 2, static_cast<std::size_t>(count - 2)}, true, false}, usual_creation());
}

void insert(context* ctx, text** arguments, int count) {
  int items = count;
  if (is_asked_for_keys(ctx) != 0) {
    return name_keys(ctx, arguments, count, [&] { return read_insert(ctx, arguments, count, items); });
  }
  require_arguments(count, speaks_valkey() ? 2 : 4);
  const creation c = read_insert(ctx, arguments, count, items);
  if (items == count && !speaks_valkey()) throw wrong_arity();
  add_items(ctx, {arguments[1], {arguments + items, static_cast<std::size_t>(count - items)}, true, true}, c);
}

void reserve(context* ctx, text** arguments, int count) {
  if (is_asked_for_keys(ctx) != 0) {
    return name_keys(ctx, arguments, count, [&] { return read_reserve(ctx, arguments, count, 2); });
  }
  require_arguments(count, 4);
  creation c = read_reserve(ctx, arguments, count, 2);
  open_chain key(ctx, arguments[1], open_to_read | open_to_write);
  if (key.holds() == holding::something_else) throw refusal(wrong_type);
  if (key.holds() == holding::filter) throw refusal(item_exists);
  std::unique_ptr<chain> made = make_chain(ctx, c);
  replicate_creation(ctx, arguments[1], c, made->params(), {});
  key.put(std::move(made));
  tell(ctx, "bloom.reserve", arguments[1]);
  reply_word(ctx, "OK");
}

}  // namespace sluice::redis
