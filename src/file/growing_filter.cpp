// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "sluice/growing_filter.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <variant>

#include "filter/fold.hpp"
#include "plan/folded.hpp"
#include "plan/growth.hpp"
#include "sluice/detail/numbers.hpp"
#include "sluice/detail/placement/groups.hpp"
#include "sluice/extend/chain.hpp"
#include "sluice/extend/ledger_chain.hpp"

namespace sluice {

growing_filter::growing_filter(const growth& how) : how_(check_growth(how)), hash_(how.seed) { add_link(); }

growing_filter::growing_filter(const growth& how, std::vector<link> chain)
    : how_(check_growth(how)), hash_(how.seed), links_(std::move(chain)) {
  if (links_.empty()) throw parameter_error("growing filter: a chain has at least one link");
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const parameters& p = links_[i].filter.params();
    const auto* const ledger = std::get_if<ledger_parameters>(&p);
    if (links_[i].capacity < (how_.erasable ? how_.first_keys : 1) || detail::seed_of(p) != how_.seed ||
        (ledger != nullptr) != how_.erasable ||
        (ledger != nullptr && links_[i].capacity > extend::most_keys_of_ledger(*ledger)) ||
        (how_.erasable && i != 0 && !extend::are_nested(links_[i - 1].filter.params(), p))) {
      throw parameter_error("growing filter: link " + std::to_string(i) +
                            " cannot be of this chain: it is too small, or for more keys than it takes, or has another "
                            "seed, scheme or number of blocks");
    }
  }
}

void growing_filter::merge(const growing_filter& other) {
  if (this == &other) return;
  if (!(how_ == other.how_)) throw merge_error("two growing filters can be merged only if they grow in the same way");
  std::vector<link> merged = links_;
  extend::take_links(merged, std::span<const link>(other.links_), false, [](const link& /*more*/) {});
  extend::sort_links(merged);
  for (std::size_t i = 1; i < merged.size() && how_.erasable; ++i) {
    if (extend::are_nested(merged[i - 1].filter.params(), merged[i].filter.params())) continue;
    throw merge_error("the links of these two chains of ledgers are not nested: erasing would lose keys");
  }
  links_ = std::move(merged);
}

std::uint64_t growing_filter::keys_inserted() const noexcept {
  std::uint64_t keys = 0;
  for (const link& l : links_) keys += l.filter.keys_inserted();
  return keys;
}

double growing_filter::fpr_bound() const noexcept {
  double sum = 0;
  for (const link& l : links_) sum += l.planned_fpr;
  return sum;
}

double growing_filter::fpr_from_fill() const { return detail::fpr_of_any(stats()); }

std::vector<statistics> growing_filter::stats() const {
  std::vector<statistics> all;
  all.reserve(links_.size());
  for (const link& l : links_) all.push_back(l.filter.stats());
  return all;
}

double growing_filter::links_per_hit() const noexcept {
  double asked = 0;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    asked += static_cast<double>(links_[i].filter.keys_inserted()) * static_cast<double>(links_.size() - i);
  }
  const std::uint64_t keys = keys_inserted();
  return keys == 0 ? 1 : asked / static_cast<double>(keys);
}

std::uint64_t growing_filter::size_bytes() const noexcept {
  std::uint64_t bytes = 0;
  for (const link& l : links_) bytes += l.filter.bytes().size();
  return bytes;
}

growth growing_filter::check_growth(const growth& how) {
  const growth settled = detail::with_factor(how);
  detail::check(settled);
  return settled;
}

parameters growing_filter::best(double keys, double fpr) const {
  return detail::planning::best_of_chain(how_, keys, fpr);
}

void growing_filter::add_link() {
  const std::uint64_t capacity = next_capacity();
  detail::planning::planned_link next;
  if (how_.erasable && !links_.empty()) {  // as the chain is, wherever it came from
    const ledger_parameters p =
        extend::next_ledger(std::get<ledger_parameters>(links_.back().filter.params()), how_.factor);
    next = {p, extend::rate_of_ledger(p, capacity), capacity};
  } else {
    next = detail::planning::plan_link(how_, links_.size(), capacity, fpr_bound());
  }
  require_in_proportion(next.params);
  links_.push_back({sluice::filter(next.params), next.capacity, next.fpr});
}

std::uint64_t growing_filter::next_capacity() const {
  if (links_.empty()) return how_.first_keys;
  if (how_.erasable) {
    return detail::checked_product(links_.back().capacity, how_.factor, "the keys of the next link");
  }
  std::uint64_t held = 0;
  for (const link& l : links_) held += std::min(l.capacity, std::numeric_limits<std::uint64_t>::max() / 2 - held);
  return detail::planning::next_capacity(how_, held);
}

std::uint32_t growing_filter::fold_last_link(double room) {
  if (how_.erasable || links_.empty()) return 0;
  link& last = links_.back();
  const double keys = std::max(1.0, static_cast<double>(last.keys()) + room * static_cast<double>(keys_inserted()));
  const std::uint32_t most = std::min(last.filter.most_folds(), std::uint32_t{63});
  std::uint32_t times = 0;
  while (times < most && static_cast<double>(last.capacity >> (times + 1)) >= keys) ++times;
  if (times == 0) return 0;
  times = std::min(times, detail::folds_within(last.filter.params(), last.filter.bytes(), last.planned_fpr));
  // The rate that it was planned for holds for what it will be filled up to, too: of gated filters that were folded
  // often, that is fewer keys.
  for (; times > 0; --times) {
    const std::uint64_t capacity = detail::planning::keys_within(detail::folded_so_often(last.filter.params(), times),
                                                                 last.capacity >> times, last.planned_fpr);
    if (static_cast<double>(capacity) < keys) continue;
    last.filter.fold(times);
    last.capacity = capacity;
    return times;
  }
  return 0;
}

growing_filter::link& growing_filter::open_link() {
  if (links_.empty()) throw parameter_error("a growing filter that was moved from takes no keys");
  if (!how_.erasable) return links_.back();
  const std::size_t number =
      extend::ledger_with_room(links_.size(), [&](std::size_t i) { return extend::room_in(std::as_const(links_[i])); });
  return number == links_.size() ? links_.back() : links_[number];
}

void growing_filter::require_in_proportion(const parameters& next) const {
  if (links_.empty()) return;
  const std::uint64_t bytes = bytes_for(next);
  constexpr std::uint64_t not_much = std::uint64_t{16} << 20;
  if (bytes > not_much && bytes / 2 / how_.factor > size_bytes() + detail::page_bytes) {
    throw parameter_error("growing filter: the next filter of the chain would need " + std::to_string(bytes) +
                          " bytes, out of all proportion to the " + std::to_string(size_bytes()) +
                          " of all others; no chain grows so");
  }
}

std::uint64_t growing_filter::chance_finds() const noexcept {
  return extend::most_found_by_chance(how_, keys_inserted());
}

bool growing_filter::insert_digest(digest x) {
  if (how_.erasable) {
    if (extend::room_in(std::as_const(open_link())) == 0) add_link();
    return open_link().filter.insert(x);
  }
  const link& last = open_link();
  for (std::size_t i = 0; i + 1 < links_.size(); ++i) {
    if (links_[i].filter.may_contain(x)) return false;
  }
  if (extend::room_in(last) == 0 && !last.filter.may_contain(x)) add_link();
  return links_.back().filter.insert(x);
}

std::uint64_t growing_filter::insert_chunk(const detail::bulk::chunk& some, std::uint8_t* out) {
  return insert_digests({some.digests, some.count}, 1, out);
}

std::uint64_t growing_filter::insert_digests(std::span<const digest> keys, std::uint32_t threads, std::uint8_t* out) {
  std::uint64_t fresh = 0;
  const auto room = [&] { return extend::room_in(std::as_const(open_link())); };
  const auto insert_some = [&](std::size_t first, std::size_t count) {
    if (how_.erasable) {  // which keeps copies: no link is asked
      const std::span<const digest> some = keys.subspan(first, count);
      filter& open = open_link().filter;
      fresh += out == nullptr ? open.insert_bulk(some, threads)
                              : open.insert_bulk(some, std::span(out + first, count), threads);
      return;
    }
    fresh += extend::insert_into_last(links_.size(), keys.subspan(first, count), threads,
                                      out == nullptr ? nullptr : out + first,
                                      [&](std::size_t number) -> filter& { return links_[number].filter; });
  };
  const auto insert_one = [&](std::size_t number) {
    const bool was_new = insert_digest(keys[number]);
    if (out != nullptr) out[number] = was_new ? 1 : 0;
    fresh += was_new ? 1U : 0U;
    return true;
  };
  extend::insert_by_room(keys.size(), room, insert_some, insert_one);
  return fresh;
}

bool growing_filter::erase_digest(digest x) {
  return extend::erase_from_chain(links_.size(), x,
                                  [&](std::size_t number) -> filter& { return links_[number].filter; });
}

std::uint64_t growing_filter::erase_chunk(const detail::bulk::chunk& some, std::uint8_t* out) {
  if (links_.empty()) {
    std::fill_n(out, some.count, std::uint8_t{0});
    return 0;
  }
  std::uint64_t erased = 0;
  for (std::size_t i = 0; i < some.count; ++i) {
    if (i + detail::bulk::ahead < some.available) links_.back().filter.prefetch(some.digests[i + detail::bulk::ahead]);
    out[i] = erase_digest(some.digests[i]) ? 1 : 0;
    erased += out[i];
  }
  return erased;
}

std::uint64_t growing_filter::count_digest(digest x) const noexcept {
  if (!how_.erasable) return has_digest(x) ? 1 : 0;
  std::uint64_t copies = 0;
  for (const link& l : links_) copies += l.filter.count(x);
  return copies;
}

void growing_filter::count_chunk(const detail::bulk::chunk& some, std::uint64_t* out) const noexcept {
  for (std::size_t i = 0; i < some.count; ++i) out[i] = count_digest(some.digests[i]);
}

bool growing_filter::has_digest(digest x) const noexcept {
  for (std::size_t i = links_.size(); i-- > 0;) {
    if (links_[i].filter.may_contain(x)) return true;
  }
  return false;
}

void growing_filter::look_up_chunk(const detail::bulk::chunk& some, std::uint8_t* out) const {
  extend::look_up_chain(links_.size(), some, out,
                        [&](std::size_t number, std::span<const digest> asked, std::span<std::uint8_t> found) {
                          links_[number].filter.may_contain_bulk(asked, found);
                        });
}

}  // namespace sluice
