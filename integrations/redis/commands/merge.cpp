// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// BF.MERGE dest src [src ...]: afterwards every item of any of them is in dest, which is made like the first if it is
// not there. All must have one shape, one seed (BF.RESERVE ... LIKE) and one rule for keys. A source that is named
// twice, or was merged before and has not changed, adds nothing. It is done at once; filters that together are larger
// than max-work are refused, because the server would stand still.
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "commands/command.hpp"
#include "settings.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/key_origin.hpp"

namespace sluice::redis {

namespace {

/// Throws unless keys of all would be found as those of any are looked up: also of two sources, where the destination
/// has no keys and no rule for them. Parts are parts of one filter, of which another may have keys.
void require_same_keys(const std::vector<const chain*>& all) {
  std::optional<key_origin> said;
  bool any = false;
  for (const chain* const one : all) {
    const std::optional<key_origin> made = one->origin();
    const bool has_some = one->keys() != 0 || one->part() != nullptr;
    try {
      extend::require_same_keys({said, any}, {made, has_some});
    } catch (const merge_error& e) {
      throw refusal(std::string("ERR the filters cannot be merged: ") + e.what());
    }
    if (!said) said = made;
    any = any || has_some;
  }
}

}  // namespace

void merge(context* ctx, text** arguments, int count) {
  require_arguments(count, 3);
  open_chain to(ctx, arguments[1], open_to_read | open_to_write);
  if (to.holds() == holding::something_else) throw refusal(wrong_type);
  std::uint64_t bytes = to.holds() == holding::filter ? require_complete(to).data_bytes() : 0;
  std::vector<std::unique_ptr<open_chain>> sources;
  for (int i = 2; i < count; ++i) {
    sources.push_back(std::make_unique<open_chain>(ctx, arguments[i], open_to_read));
    bytes += require_complete(*sources.back()).data_bytes();
  }
  require_little_work(ctx, bytes, "a union");
  const chain& model = to.value() != nullptr ? *to.value() : *sources.front()->value();
  std::string why_not;
  for (const auto& source : sources) {
    if (!model.can_merge(*source->value(), why_not)) throw refusal("ERR the filters cannot be merged: " + why_not);
  }
  std::vector<const chain*> all{&model};
  for (const auto& source : sources) {
    if (std::find(all.begin(), all.end(), source->value()) == all.end()) all.push_back(source->value());
  }
  require_same_keys(all);
  const std::span<const chain* const> others = std::span(all).subspan(1);
  if (to.value() != nullptr) {
    to.value()->merge(others, room(ctx));  // in its place: the key keeps the time that it has left
  } else {
    to.put(model.united_with(others, room(ctx)));
  }
  replicate_verbatim(ctx);
  tell(ctx, "bloom.add", arguments[1]);
  reply_word(ctx, "OK");
}

}  // namespace sluice::redis
