// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "chain.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "memory.hpp"
#include "plan_link.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/bulk.hpp"
#include "sluice/extend/chain.hpp"
#include "sluice/extend/contents.hpp"
#include "sluice/extend/ledger_chain.hpp"
#include "sluice/extend/names.hpp"

namespace sluice::redis {

// --- one link --------------------------------------------------------------------------------------------------------

chain_part::chain_part(const chain_part& other) : form_(std::unique_ptr<classic_filter>()), heap_(other.heap_) {
  if (other.part() != nullptr) {
    form_ = std::make_unique<extend::filter_part>(*other.part());
  } else if (other.ours() != nullptr) {
    form_ = *other.ours();
  } else {
    const classic_filter& from = other.imported();
    form_ = std::make_unique<classic_filter>(
        classic_filter{.bits = std::pmr::vector<std::byte>(from.bits.begin(), from.bits.end(), server_memory()),
                       .range = from.range,
                       .hashes = from.hashes,
                       .keys = from.keys,
                       .capacity = from.capacity,
                       .error = from.error});
  }
}

std::span<const std::byte> chain_part::bytes() const noexcept {
  return ours() != nullptr ? ours()->bytes() : std::span<const std::byte>(imported().bits);
}
std::span<std::byte> chain_part::writable_bytes() noexcept {
  if (ours() != nullptr) return extend::blocks_of(*ours());
  return (*std::get_if<std::unique_ptr<classic_filter>>(&form_))->bits;
}
void chain_part::look_up(std::span<const digest> keys, std::span<std::uint8_t> answers) const {
  if (part() != nullptr) return part()->look_up(keys, answers);
  ours()->may_contain_bulk(keys, answers);
}
bool chain_part::can_merge(const chain_part& other) const {
  if ((part() == nullptr) != (other.part() == nullptr)) return false;
  return part() != nullptr ? part()->can_merge(*other.part()) : ours()->can_merge(*other.ours());
}
bool chain_part::is_copy_of(const chain_part& other) const {
  return !extend::erases_keys(ours()->params()) && keys() == other.keys() && capacity() == other.capacity() &&
         can_merge(other) && *ours() == *other.ours();
}
void chain_part::merge(const chain_part& other) {
  if (part() != nullptr) return part()->merge(*other.part());
  ours()->merge(*other.ours());
}
std::uint64_t chain_part::memory() const noexcept {
  if (ours() == nullptr) return sizeof(classic_filter) + imported().bits.capacity();
  return static_cast<std::uint64_t>(heap_) + ours()->overflow().slots.size();
}

chain_part link_of(const stored_filter& stored) {
  const std::int64_t before = bytes_of_this_thread();
  filter f = extend::filter_of(stored, server_memory());
  // memory() adds the list, which may grow.
  const auto listed = static_cast<std::int64_t>(f.overflow().slots.size());
  const std::int64_t heap = bytes_of_this_thread() - before - listed;
  return chain_part(std::move(f), heap);
}

// --- making and growing ----------------------------------------------------------------------------------------------

chain::chain(const shape& s, const room& space, std::optional<double> bits_per_key) : shape_(s) {
  if (belongs_to() == family::ledger) {
    append_first_ledger(space);
    return;
  }
  const double rate = rate_of_link(s, 0);
  const link_request q{
      .keys = s.capacity, .rate = rate, .block_bits = s.block_bits, .which = s.which, .bits_per_key = bits_per_key};
  append(extend::with_seed(plan_link(q), s.seed), s.capacity, rate, space);
}

chain::chain(const shape& s, const room& space, const chain_part& like) : shape_(s) {
  if (like.ours() == nullptr) throw parameter_error("a filter that was imported has no shape to be copied");
  if (like.part() != nullptr) throw parameter_error("a part of a filter has no shape of its own to be copied");
  if (like.sealed()) throw parameter_error("a sealed filter is made from all its keys at once: none is made like it");
  append(extend::united(like.ours()->params()), like.capacity(), like.rate(), space);
}

chain::chain(const shape& s, std::vector<chain_part> links) : shape_(s), links_(std::move(links)) { count(); }

chain::chain(std::unique_ptr<extend::filter_part> p, key_kind keys, std::int64_t heap) : keys_are_(keys) {
  const filter& local = p->local();
  shape_ = {.error = local.planned_fpr(),
            .capacity = local.planned_keys(),
            .seed = extend::seed_of(local.params()),
            .expansion = 0,
            .which = scheme_of(local.params())};
  links_.emplace_back(std::move(p), heap);
  count();
}

double chain::rate_of_next() const noexcept {
  double rate = rate_of_link(shape_, links_.size());
  if (shape_.expansion == 0 || shape_.belongs_to() == family::ledger || imported_links() != 0) return rate;
  double taken = 0;
  for (const chain_part& l : links_) taken += l.rate();
  // Links of a file may have been planned with another tightening, and have left less to those behind them. Halved
  // until there is room for what follows, too, the rate is the same number on every machine; one of a union may be
  // beyond help.
  constexpr double rounding = 1e-6;
  constexpr int most_halvings = 6;
  const double all = shape_.error * extend::share_of_links;
  if (taken >= all * (1 - rounding)) return rate;
  for (int i = 0; i < most_halvings && taken + rate / (1 - shape_.tightening) > all * (1 + rounding); ++i) rate /= 2;
  return rate;
}

double rate_of_link(const shape& s, std::size_t number) noexcept {
  if (s.belongs_to() == family::ledger) return s.expansion == 0 ? s.error : s.error / extend::planned_ledgers;
  if (s.expansion == 0) return number == 0 ? s.error : s.error / 2;  // beside what was imported
  return extend::rate_of_link(s.error, s.tightening, number);
}

void chain::append(const parameters& p, std::uint64_t capacity, double rate, const room& space) {
  const std::uint64_t bytes = bytes_for(p);
  space.require({.more = bytes, .whole = data_bytes() + bytes});
  links_.push_back(link_of({.params = extend::normalised(p), .planned_keys = capacity, .planned_fpr = rate}));
}

/// Precondition: the last link is full, or imported.
void chain::grow(const room& space) {
  if (links_.size() >= most_links) {
    throw parameter_error("the chain has " + std::to_string(most_links) + " links, the most that there can be");
  }
  const chain_part& last = links_.back();
  std::uint64_t capacity = extend::room_in(last);  // what an import left free
  if (shape_.expansion != 0) {
    if (last.capacity() > most_keys_of_link / shape_.expansion) {
      throw parameter_error("the next link would hold more than " + std::to_string(most_keys_of_link) + " keys");
    }
    capacity = last.capacity() * shape_.expansion;
  }
  const double rate = rate_of_next();
  const link_request q{.keys = capacity, .rate = rate, .block_bits = shape_.block_bits, .which = shape_.which};
  append(extend::with_seed(plan_link(q), shape_.seed), capacity, rate, space);
}

std::size_t chain::imported_links() const noexcept {
  return static_cast<std::size_t>(
      std::find_if(links_.begin(), links_.end(), [](const chain_part& l) { return l.ours() != nullptr; }) -
      links_.begin());
}

// --- keys ------------------------------------------------------------------------------------------------------------

bool chain::may_contain(std::string_view item) const {
  const digest x = hash()(item);
  return std::any_of(links_.rbegin(), links_.rend(), [&](const chain_part& l) { return l.may_contain(item, x); });
}

void chain::look_up_into(std::span<const std::string_view> items, std::span<const digest> digests,
                         std::span<std::uint8_t> found) const {
  const std::size_t imported = imported_links();
  const std::size_t own = links_.size() - imported;
  if (own == 1) {
    links_.back().look_up(digests, found);
  } else {
    extend::look_up_chain(own, {digests.data(), digests.size(), digests.size()}, found.data(),
                          [&](std::size_t number, std::span<const digest> asked, std::span<std::uint8_t> answers) {
                            links_[imported + number].ours()->may_contain_bulk(asked, answers);
                          });
  }
  for (std::size_t link = imported; link-- > 0;) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (found[i] == 0) found[i] = links_[link].imported().may_contain(items[i]) ? 1 : 0;
    }
  }
}

std::vector<std::uint8_t> chain::look_up(std::span<const std::string_view> items) const {
  std::vector<std::uint8_t> found(items.size());
  const key_hasher hash = this->hash();
  hash.with_plain(items, [&](const auto& keys) {
    extend::in_chunks(hash.plain(), keys, [&](const extend::chunk& some, std::size_t first) {
      look_up_into(items.subspan(first, some.count), {some.digests, some.count},
                   std::span(found).subspan(first, some.count));
    });
  });
  return found;
}

added why_not_grown(std::string& why) {
  try {
    throw;
  } catch (const out_of_memory& e) {
    why = e.what();
    return added::no_room;
  } catch (const memory_error& e) {
    why = e.what();
    return added::no_memory;
  } catch (const std::bad_alloc&) {
    return added::no_memory;
  } catch (const sluice::error& e) {
    why = e.what();
    return added::no_filter;
  }
}

/// Links before first_unknown do not have the item.
added chain::add_absent(std::string_view item, digest x, std::size_t first_unknown, const room& space,
                        std::string& why) {
  for (std::size_t i = first_unknown; i < links_.size(); ++i) {
    if (links_[i].may_contain(item, x)) return added::present;
  }
  try {
    const chain_part& last = links_.back();
    const bool is_full = extend::room_in(last) == 0 && last.part() == nullptr;
    if (is_full && shape_.expansion == 0) return added::full;
    if (is_full || last.ours() == nullptr) grow(space);
    return links_.back().insert(x) ? added::fresh : added::present;
  } catch (...) {
    return why_not_grown(why);
  }
}

/// Imported links want the items themselves, and a list may refuse a key or find no memory for it.
bool chain::takes_in_bulk() const noexcept {
  const chain_part& last = links_.back();
  return links_.front().ours() != nullptr && !traits_of(scheme_of(last.ours()->params())).may_have_a_list;
}

std::uint64_t chain::room_in_bulk() const noexcept {
  const chain_part& last = links_.back();
  if (!takes_in_bulk()) return 0;
  if (last.part() != nullptr) return std::numeric_limits<std::uint64_t>::max();
  return extend::room_in(last);
}

/// Precondition: room_in_bulk().
void chain::insert_into(std::span<const digest> keys, std::span<std::uint8_t> were_new) {
  if (extend::filter_part* const part = links_.back().part(); part != nullptr) {
    part->insert(keys, were_new.data());
    return;
  }
  extend::insert_into_last(links_.size(), keys, 1, were_new.data(),
                           [&](std::size_t number) -> filter& { return *links_[number].ours(); });
}

add_result chain::add(std::span<const std::string_view> items, const room& space) {
  add_result result;
  result.outcomes.reserve(items.size());
  const auto go_on = [&](added outcome) {
    result.changed = result.changed || outcome == added::fresh;
    result.outcomes.push_back(outcome);
    return outcome < added::full;
  };
  const auto add_some = [&](const extend::chunk& some, std::size_t first) {
    if (result.outcomes.size() != first) return;  // it ended before
    const std::span<const digest> keys(some.digests, some.count);
    std::vector<std::uint8_t> answers(some.count > 1 ? some.count : 0);
    // One key alone is looked up on its way in, and where keys go in one by one they are looked up in bulk before.
    const bool ask_before = some.count > 1 && !takes_in_bulk();
    const std::size_t first_unknown = ask_before ? links_.size() - 1 : 0;
    if (ask_before) look_up_into(items.subspan(first, some.count), keys, answers);
    extend::insert_by_room(
        some.count, [&] { return some.count > 1 ? room_in_bulk() : 0; },
        [&](std::size_t from, std::size_t count) {
          const std::span<std::uint8_t> were_new = std::span(answers).subspan(from, count);
          insert_into(keys.subspan(from, count), were_new);
          for (const std::uint8_t was_new : were_new) go_on(was_new != 0 ? added::fresh : added::present);
        },
        [&](std::size_t i) {
          return go_on(ask_before && answers[i] != 0
                           ? added::present
                           : add_absent(items[first + i], keys[i], first_unknown, space, result.why));
        });
  };
  const key_hasher hash = this->hash();
  try {
    hash.with_plain(items, [&](const auto& keys) { extend::in_chunks(hash.plain(), keys, add_some); });
  } catch (const std::bad_alloc&) {
    if (result.outcomes.empty()) throw;
    go_on(added::no_memory);  // what was added before must be told
  }
  count();
  return result;
}

std::vector<std::uint8_t> chain::look_up_digests(std::span<const digest> keys) const {
  std::vector<std::uint8_t> found(keys.size());
  links_.front().look_up(keys, found);
  return found;
}

std::uint64_t chain::add_digests(std::span<const digest> keys) {
  const std::uint64_t fresh = links_.front().part()->insert(keys);
  count();
  return fresh;
}

// --- unions ----------------------------------------------------------------------------------------------------------

bool chain::can_merge(const chain& other, std::string& why_not) const {
  if (sealed() || other.sealed()) {
    why_not = "a sealed filter is made from all its keys at once; build one from the keys of both, or ask both";
    return false;
  }
  if (shape_.seed != other.shape_.seed) {
    why_not = "the seeds differ: " + std::to_string(shape_.seed) + " and " + std::to_string(other.shape_.seed) +
              "; make one filter LIKE the other";
    return false;
  }
  if (keys_are_ != other.keys_are_) {
    why_not = "the keys are of different kinds";
    return false;
  }
  if ((part() != nullptr || other.part() != nullptr) && !links_.front().can_merge(other.links_.front())) {
    why_not = "parts of filters can be merged only if they are the same part of filters of the same geometry";
    return false;
  }
  if (!(shape_ == other.shape_)) {
    why_not = "the filters have different error rates, capacities, expansions or schemes; make one LIKE the other";
    return false;
  }
  if (imported_links() != 0 || other.imported_links() != 0) {
    why_not = "a filter that was imported from RedisBloom cannot be united with another";
    return false;
  }
  std::string geometry;
  if (!links_.front().ours()->can_merge(*other.links_.front().ours(), &geometry)) {
    why_not = "the geometry differs: " + geometry;
    return false;
  }
  return true;
}

std::vector<chain_part> chain::links_of_union(std::span<const chain* const> others, const room& space) const {
  std::uint64_t bytes = data_bytes();
  space.require({.more = bytes, .whole = bytes});
  std::vector<chain_part> merged = links_;
  const auto require_room = [&](const chain_part& more) {
    if (merged.size() >= most_links) {
      throw parameter_error("the union would have more than " + std::to_string(most_links) + " links");
    }
    bytes += more.bytes().size();
    space.require({.more = bytes, .whole = bytes});
  };
  for (const chain* const other : others) {
    extend::take_links(merged, other->links(), shape_.expansion == 0, require_room);
  }
  extend::sort_links(merged);
  return merged;
}

void chain::take_origin(std::span<const chain* const> others) {
  for (const chain* const other : others) {
    if (origin_ == nullptr && part() == nullptr) origin_ = other->origin_;  // of parts it is one for all
  }
}

void chain::merge(std::span<const chain* const> others, const room& space) {
  links_ = links_of_union(others, space);  // beside those that are here: nothing has changed where memory ends
  take_origin(others);
  count();
}

std::unique_ptr<chain> chain::united_with(std::span<const chain* const> others, const room& space) const {
  auto made = std::make_unique<chain>(shape_, links_of_union(others, space));
  made->keys_are_ = keys_are_;
  made->origin_ = origin_;
  made->take_origin(others);
  return made;
}

// --- what it is ------------------------------------------------------------------------------------------------------

std::uint64_t chain::keys() const noexcept {
  std::uint64_t sum = 0;
  for (const chain_part& l : links_) sum += l.keys();
  return sum;
}
std::uint64_t chain::capacity() const noexcept {
  std::uint64_t sum = 0;
  for (const chain_part& l : links_) sum += l.capacity();
  return sum;
}
std::uint64_t chain::data_bytes() const noexcept {
  std::uint64_t sum = 0;
  for (const chain_part& l : links_) sum += l.bytes().size();
  return sum;
}
std::uint64_t chain::size() const noexcept {
  std::uint64_t sum = sizeof *this + links_.size() * sizeof(chain_part) + data_bytes();
  for (const chain_part& l : links_) sum += l.ours() != nullptr ? l.ours()->overflow().slots.size() : 0;
  return sum;
}
std::uint64_t chain::memory() const noexcept {
  std::uint64_t sum = sizeof *this + links_.capacity() * sizeof(chain_part);
  for (const chain_part& l : links_) sum += l.memory();
  return sum;
}
bool chain::overfull() const noexcept {
  return std::any_of(links_.begin(), links_.end(), [](const chain_part& l) { return l.keys() > l.capacity(); });
}

std::span<const std::byte> chain::data_at(std::uint64_t offset, std::uint64_t most) const noexcept {
  for (const chain_part& l : links_) {
    const std::span<const std::byte> bytes = l.bytes();
    if (offset < bytes.size()) return bytes.subspan(offset, std::min<std::uint64_t>(most, bytes.size() - offset));
    offset -= bytes.size();
  }
  return {};
}
std::span<std::byte> chain::data_to_write(std::uint64_t offset) noexcept {
  for (chain_part& l : links_) {
    const std::span<std::byte> bytes = l.writable_bytes();
    if (offset < bytes.size()) return bytes.subspan(offset);
    offset -= bytes.size();
  }
  return {};
}

void chain::move_bytes(const std::function<std::byte*(std::span<const std::byte>)>& move) noexcept {
  for (chain_part& l : links_) {
    if (l.part() != nullptr || l.ours() == nullptr) continue;
    if (std::byte* const to = move(l.bytes())) extend::set_moved_blocks(*l.ours(), to);
  }
}

}  // namespace sluice::redis
