// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// chain, where it is of ledgers: items come as often as they are added, and go again. Which link takes an item, and the
// order in which links are asked to give one back, are those of extend/ledger_chain.hpp.
//
// A link of a chain that grows takes what its blocks are good for, which may be more than it was asked for, because
// they are rounded up; one that does not grow takes what was asked for.
#include <algorithm>
#include <new>
#include <variant>

#include "chain.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/bulk.hpp"
#include "sluice/extend/chain.hpp"
#include "sluice/extend/ledger_chain.hpp"

namespace sluice::redis {

namespace {

constexpr std::size_t items_ahead = 16;  // items whose blocks are asked for beforehand

}  // namespace

void chain::append_first_ledger(const room& space) {
  const double rate = rate_of_link(shape_, 0);
  const ledger_parameters p = extend::first_ledger(shape_.capacity, rate, shape_.seed);
  std::uint64_t capacity = shape_.capacity;
  if (shape_.expansion != 0) capacity = std::max(capacity, extend::capacity_of_ledger(p, rate));
  append(p, capacity, extend::rate_of_ledger(p, capacity), space);
}

added chain::grow_ledgers(const room& space, std::string& why) {
  if (shape_.expansion == 0) return added::full;
  if (links_.size() >= most_ledgers) return added::no_links;
  try {
    const chain_part& last = links_.back();
    if (last.capacity() > most_keys_of_link / shape_.expansion) {
      throw parameter_error("the next link would hold more than " + std::to_string(most_keys_of_link) + " keys");
    }
    const std::uint64_t capacity = last.capacity() * shape_.expansion;
    const ledger_parameters p =
        extend::next_ledger(std::get<ledger_parameters>(last.ours()->params()), shape_.expansion);
    append(p, capacity, extend::rate_of_ledger(p, capacity), space);
    return added::fresh;
  } catch (...) {
    return why_not_grown(why);
  }
}

added chain::add_copy(digest x, const room& space, std::optional<added>& refused, std::string& why) {
  const auto link_with_room = [&] {
    return extend::ledger_with_room(links_.size(), [&](std::size_t number) { return extend::room_in(links_[number]); });
  };
  std::size_t number = link_with_room();
  if (number == links_.size()) {
    if (refused) return *refused;
    const added grown = grow_ledgers(space, why);
    if (grown != added::fresh) {
      refused = grown;
      return grown;
    }
    number = links_.size() - 1;
  }
  try {
    links_[number].insert(x);
    return added::fresh;
  } catch (const full_error&) {
    return added::full;  // its blocks are full of copies, and so is the list: another item has others
  } catch (const std::exception&) {
    return added::no_memory;  // of the list
  }
}

add_result chain::add_copies(std::span<const std::string_view> items, bool unless_present, const room& space) {
  add_result result;
  result.outcomes.reserve(items.size());
  std::optional<added> refused;
  const auto is_present = [&](digest x) {
    return std::any_of(links_.rbegin(), links_.rend(), [&](const chain_part& l) { return l.ours()->may_contain(x); });
  };
  const key_hasher hash = this->hash();
  hash.with_plain(items, [&](const auto& keys) {
    extend::in_chunks(hash.plain(), keys, [&](const extend::chunk& some, std::size_t /*first*/) {
      for (std::size_t i = 0; i < some.count; ++i) {
        const digest x = some.digests[i];
        if (i + items_ahead < some.available) links_.back().ours()->prefetch(some.digests[i + items_ahead]);
        const added outcome =
            unless_present && is_present(x) ? added::present : add_copy(x, space, refused, result.why);
        result.changed = result.changed || outcome == added::fresh;
        result.outcomes.push_back(outcome);
      }
    });
  });
  count();
  return result;
}

bool chain::erase(std::string_view item) {
  const bool taken = extend::erase_from_chain(links_.size(), hash()(item),
                                              [&](std::size_t number) -> filter& { return *links_[number].ours(); });
  if (!taken) return false;
  ++erased_;
  count();
  return true;
}

std::uint64_t chain::copies_of(std::string_view item) const {
  const digest x = hash()(item);
  std::uint64_t copies = 0;
  for (const chain_part& l : links_) copies += l.ours()->count(x);
  return copies;
}

}  // namespace sluice::redis
