// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// BF.MERGE dest src [src ...]: afterwards every item of any of them is in dest, which is made like the first if it is
// not there. All must have one shape and one seed (BF.RESERVE ... LIKE). It is done at once; filters that together are
// larger than max-work are refused, because the server would stand still.
#include "commands/command.hpp"
#include "settings.hpp"

namespace sluice::redis {

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
  std::vector<const chain*> others;
  for (const auto& source : sources) {
    if (source->value() != &model) others.push_back(source->value());
  }
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
