// BF.EXISTS, BF.MEXISTS, BF.CARD. A key without a filter has no items; RedisBloom says the same of keys of other types.
#include "commands/command.hpp"
#include "commands/parts.hpp"

namespace sluice::redis {

namespace {

/// None: nothing is in it.
const chain* asked_filter(const open_chain& key) {
  if (key.holds() == holding::something_else && speaks_valkey()) throw refusal(wrong_type);
  return key.holds() == holding::filter ? &require_complete(key) : nullptr;
}

}  // namespace

void exists(context* ctx, text** arguments, int count) {
  require_arguments(count, 3, 3);
  const open_chain key(ctx, arguments[1], open_to_read);
  const chain* const c = asked_filter(key);
  const std::string_view item = view_of(arguments[2]);
  if (c != nullptr) require_here(*c, {&item, 1});
  reply_truth(ctx, c != nullptr && c->may_contain(item));
}

void exists_many(context* ctx, text** arguments, int count) {
  require_arguments(count, 3);
  const open_chain key(ctx, arguments[1], open_to_read);
  const chain* const c = asked_filter(key);
  const std::vector<std::string_view> items = views_of(arguments + 2, static_cast<std::size_t>(count - 2));
  if (c != nullptr) require_here(*c, items);
  const std::vector<std::uint8_t> found = c != nullptr ? c->look_up(items) : std::vector<std::uint8_t>(items.size());
  reply_array(ctx, static_cast<long>(found.size()));
  for (const std::uint8_t one : found) reply_truth(ctx, one != 0);
}

void cardinality(context* ctx, text** arguments, int count) {
  require_arguments(count, 2, 2);
  const open_chain key(ctx, arguments[1], open_to_read);
  reply_integer(ctx, key.holds() == holding::nothing ? 0 : static_cast<long long>(require_filter(key).keys()));
}

}  // namespace sluice::redis
