// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// BF.EXISTS, BF.MEXISTS, BF.CARD; CF.EXISTS, CF.MEXISTS, CF.COUNT. A key without a filter has no items; RedisBloom says
// the same of keys of other types. A filter of the other family may have the item, and is refused.
#include "commands/command.hpp"
#include "commands/parts.hpp"

namespace sluice::redis {

namespace {

/// None: nothing is in it.
const chain* asked_filter(const open_chain& key) {
  const bool is_refused = speaks_valkey() || key.holds_the_other_family();
  if (key.holds() == holding::something_else && is_refused) throw refusal(wrong_type);
  return key.holds() == holding::filter ? &require_complete(key) : nullptr;
}

}  // namespace

template <family Of>
void exists(context* ctx, text** arguments, int count) {
  require_arguments(count, 3, 3);
  const open_chain key(ctx, arguments[1], open_to_read, Of);
  const chain* const c = asked_filter(key);
  const std::string_view item = view_of(arguments[2]);
  if (c != nullptr) require_here(*c, {&item, 1});
  reply_truth(ctx, c != nullptr && c->may_contain(item));
}
template void exists<family::bloom>(context*, text**, int);
template void exists<family::ledger>(context*, text**, int);

template <family Of>
void exists_many(context* ctx, text** arguments, int count) {
  require_arguments(count, 3);
  const open_chain key(ctx, arguments[1], open_to_read, Of);
  const chain* const c = asked_filter(key);
  const item_views views({arguments + 2, static_cast<std::size_t>(count - 2)});
  const std::span<const std::string_view> items = views.all();
  if (c != nullptr) require_here(*c, items);
  const std::vector<std::uint8_t> found = c != nullptr ? c->look_up(items) : std::vector<std::uint8_t>(items.size());
  reply_array(ctx, static_cast<long>(found.size()));
  for (const std::uint8_t one : found) reply_truth(ctx, one != 0);
}
template void exists_many<family::bloom>(context*, text**, int);
template void exists_many<family::ledger>(context*, text**, int);

void count_copies(context* ctx, text** arguments, int count) {
  require_arguments(count, 3, 3);
  const open_chain key(ctx, arguments[1], open_to_read, family::ledger);
  const chain* const c = asked_filter(key);
  reply_integer(ctx, c == nullptr ? 0 : static_cast<long long>(c->copies_of(view_of(arguments[2]))));
}

void cardinality(context* ctx, text** arguments, int count) {
  require_arguments(count, 2, 2);
  const open_chain key(ctx, arguments[1], open_to_read);
  reply_integer(ctx, key.holds() == holding::nothing ? 0 : static_cast<long long>(require_filter(key).keys()));
}

}  // namespace sluice::redis
