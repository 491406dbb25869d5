// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "sluice/filter.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "filter/bodies.hpp"
#include "filter/fold.hpp"
#include "sluice/detail/derive.hpp"
#include "sluice/detail/memory/words.hpp"
#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/extend/ledger_chain.hpp"

namespace sluice {

namespace {

/// Checked before there is memory for the filter.
parameters require_online(const parameters& p) {
  if (detail::is_sealed(p)) {
    throw parameter_error(
        "these are parameters of a sealed filter, which is made from all its keys at once; build it with "
        "sealed_builder, or plan without all_keys_known");
  }
  if (!detail::is_static(p)) return p;
  throw parameter_error(
      "these are parameters of a static filter, which would miss its rate if keys came one by one; build it with "
      "static_builder, or plan without all_keys_known");
}

std::pmr::memory_resource* or_default(std::pmr::memory_resource* memory) {
  return memory != nullptr ? memory : detail::default_memory();
}

/// Every thread reads all keys and inserts those of its share, in their order: share(from, to) says whether a key is of
/// the shares from .. to - 1 of `shares`; insert(chunk, out, fresh) inserts, and adds to `fresh` how many were new.
/// Where somebody wants to know which, `out` gets 1 or 0 for each. Returns how many were. Precondition: fewer than 2^32
/// keys.
template <class Share, class Insert>
std::uint64_t insert_shares(std::span<const digest> keys, std::uint32_t shares, std::uint8_t* out, const Share& share,
                            const Insert& insert) {
  std::atomic<std::uint64_t> fresh = 0;
  // Every share stands for a chunk of nothing: shares are divided among the threads, not the keys.
  detail::bulk::in_shares(shares * detail::bulk::chunk_keys, shares, [&](std::size_t first, std::size_t some) {
    const auto is_mine = share(first / detail::bulk::chunk_keys, (first + some) / detail::bulk::chunk_keys);
    std::array<digest, detail::bulk::chunk_keys> mine;
    std::array<std::uint32_t, detail::bulk::chunk_keys> numbers;
    std::array<std::uint8_t, detail::bulk::chunk_keys> were_new;
    std::size_t held = 0;
    std::uint64_t found_new = 0;
    const auto insert_held = [&] {
      insert(detail::bulk::chunk{mine.data(), held, held}, were_new.data(), found_new);
      for (std::size_t i = 0; out != nullptr && i < held; ++i) out[numbers[i]] = were_new[i];
      held = 0;
    };
    for (std::uint32_t i = 0; i < keys.size(); ++i) {
      mine[held] = keys[i];
      numbers[held] = i;
      held += is_mine(keys[i]) ? 1U : 0U;
      if (held == mine.size()) insert_held();
    }
    if (held != 0) insert_held();
    fresh += found_new;
  });
  return fresh;
}

}  // namespace

// --- filter ---------------------------------------------------------------------------------------------------------

filter::filter(const parameters& p, std::pmr::memory_resource* memory)
    : filter(require_online(p), memory, to_be_filled{}) {}
filter::filter(const parameters& p, std::pmr::memory_resource* memory, to_be_filled /*by the caller*/)
    : hash_(detail::seed_of(p)),
      body_(std::make_unique<detail::filter_body>(detail::normalised(p), or_default(memory))) {
  take_calls();
}
filter::filter(const filter& other)
    : hash_(other.hash_), body_(other.body_ ? std::make_unique<detail::filter_body>(*other.body_) : nullptr) {
  take_calls();
}
filter::filter(filter&& other) noexcept : hash_(other.hash_), body_(std::move(other.body_)) {
  take_calls();
  other.take_calls();
}
filter& filter::operator=(const filter& other) {
  if (this != &other) *this = filter(other);
  return *this;
}
filter& filter::operator=(filter&& other) noexcept {
  hash_ = other.hash_;
  body_ = std::move(other.body_);
  take_calls();
  other.take_calls();
  return *this;
}
filter::~filter() = default;

void filter::take_calls() noexcept {
  if (body_) {
    look_up_ = body_->engine->look_up();
    insert_ = body_->engine->insert();
  } else {
    look_up_ = {[](const void*, digest) noexcept { return false; }, nullptr};
    insert_ = {[](void*, digest) -> bool { throw parameter_error("a filter that was moved from takes no keys"); },
               nullptr};
  }
}
detail::taking_engine& filter::taking_keys() {
  if (!body_) static_cast<void>(insert_({}));  // which throws
  return body_->engine->taking();
}

void filter::look_up_chunk(const detail::bulk::chunk& some, std::uint8_t* out) const noexcept {
  if (body_) return body_->engine->look_up_chunk(some, out);
  std::fill_n(out, some.count, std::uint8_t{0});
}
std::uint64_t filter::insert_chunk(const detail::bulk::chunk& some, std::uint8_t* out) {
  detail::taking_engine& engine = taking_keys();
  const std::uint64_t before = engine.keys;
  engine.insert_chunk(some, out, engine.keys);
  return engine.keys - before;
}
std::uint64_t filter::insert_digests(std::span<const digest> keys, std::uint32_t threads, std::uint8_t* out) {
  if (keys.empty()) return 0;
  detail::taking_engine& engine = taking_keys();
  const detail::block_groups groups = engine.groups();
  const std::uint64_t count = groups.blocks() / groups.group_blocks();
  const auto parts = static_cast<std::uint32_t>(std::min<std::uint64_t>(detail::threads_or_all(threads), count));
  if (parts <= 1) return out == nullptr ? insert_bulk(keys) : insert_bulk(keys, std::span(out, keys.size()));
  const std::uint64_t fresh = insert_shares(
      keys, parts, out,
      [&](std::uint64_t from, std::uint64_t to) {
        return [groups, first = count * from / parts * groups.group_blocks(),
                end = count * to / parts * groups.group_blocks()](digest x) {
          const std::uint64_t block = groups.first(x);
          return block >= first && block < end;
        };
      },
      [&](const detail::bulk::chunk& some, std::uint8_t* were_new, std::uint64_t& found_new) {
        engine.insert_chunk(some, were_new, found_new);
      });
  engine.keys += fresh;
  return fresh;
}
bool filter::erase_digest(digest x) { return body_ ? body_->engine->erasing().erase(x) : false; }
bool extend::erase_listed(filter& f, digest x) { return f.body_ && f.body_->engine->erasing().erase_listed(x); }
bool extend::erase_entry(filter& f, digest x) { return f.body_ && f.body_->engine->erasing().erase_entry(x); }
std::uint64_t filter::erase_chunk(const detail::bulk::chunk& some, std::uint8_t* out) {
  if (body_) return body_->engine->erasing().erase_chunk(some, out);
  std::fill_n(out, some.count, std::uint8_t{0});
  return 0;
}
std::uint64_t filter::count_digest(digest x) const noexcept { return body_ ? body_->engine->count(x) : 0; }
void filter::count_chunk(const detail::bulk::chunk& some, std::uint64_t* out) const noexcept {
  if (body_) return body_->engine->count_chunk(some, out);
  std::fill_n(out, some.count, std::uint64_t{0});
}
void filter::prefetch_digest(digest x) const noexcept {
  if (body_) body_->engine->prefetch(x);
}
lookup_outcome filter::probe_digest(digest x) const noexcept {
  return body_ ? body_->engine->probe(x) : lookup_outcome{false, 0};
}
insert_outcome filter::insert_digest_and_count(digest x) { return taking_keys().insert_and_count(x); }

std::span<std::byte> filter::raw_bytes() noexcept { return {body_->bytes.data(), body_->bytes.size()}; }
void filter::set_moved(std::byte* to) noexcept { body_->set_moved(to); }
void filter::set_filled(std::optional<std::uint64_t> keys, const overflow_state& overflowed) {
  body_->engine->set_overflow(overflowed);
  body_->engine->keys = keys ? *keys : static_cast<std::uint64_t>(std::llround(stats().keys_from_fill));
}

bool filter::can_merge(const filter& other, std::string* why_not) const {
  const auto refuse = [&](const std::string& sentence) {
    if (why_not != nullptr) *why_not = sentence;
    return false;
  };
  const std::string name(detail::scheme_name(params()));
  if (scheme_of(params()) != scheme_of(other.params())) {
    return refuse("filters of different schemes, " + name + " and " + std::string(detail::scheme_name(other.params())) +
                  ", cannot be merged");
  }
  if (detail::is_sealed(params())) {
    return refuse(
        "sealed filters cannot be merged: their blocks are solved for one set of keys. Build one from the keys of "
        "both, ask both, or make filters to be merged gated");
  }
  if (detail::seed_of(params()) != detail::seed_of(other.params())) {
    return refuse("two " + name + " filters can be merged only if their seeds are equal; these are " +
                  std::to_string(detail::seed_of(params())) + " and " +
                  std::to_string(detail::seed_of(other.params())));
  }
  if (detail::united(params()) != detail::united(other.params())) {
    return refuse("two " + name + " filters can be merged only if all parameters and the seed are equal");
  }
  return true;
}
void filter::merge(const filter& other) {
  std::string why_not;
  if (!can_merge(other, &why_not)) throw merge_error(why_not);
  if (this == &other || !body_ || !other.body_) return;
  detail::unite(params(), *body_->engine, *other.body_->engine);
  body_->params = detail::united(std::move(body_->params));
  take_calls();  // which may be others now
}
void filter::clear() noexcept {
  if (!body_) return;
  body_->bytes.clear();
  body_->engine->set_overflow({});
  body_->engine->keys = 0;
}

std::uint32_t filter::most_folds(std::string* why_not) const {
  if (body_) return detail::most_folds_of(params(), why_not);
  if (why_not != nullptr) *why_not = "a filter that was moved from cannot be folded";
  return 0;
}
statistics filter::stats() const {
  if (!body_) return {};
  return detail::count_statistics(params(), body_->bytes.data(), body_->engine->overflow(), keys_inserted());
}
const parameters& filter::params() const& noexcept {
  static const parameters none;
  return body_ ? body_->params : none;
}
std::uint64_t filter::keys_inserted() const noexcept { return body_ ? body_->engine->keys : 0; }
std::span<const std::byte> filter::bytes() const& noexcept {
  return body_ ? std::span<const std::byte>(body_->bytes.data(), body_->bytes.size()) : std::span<const std::byte>();
}
overflow_state filter::overflow() const& noexcept { return body_ ? body_->engine->overflow() : overflow_state{}; }

std::uint64_t filter::planned_keys() const noexcept { return body_ ? body_->planned_keys : 0; }
double filter::planned_fpr() const noexcept { return body_ ? body_->planned_fpr : 0; }
void filter::set_plan(std::uint64_t keys, double fpr) noexcept {
  if (!body_) return;  // it was moved from
  body_->planned_keys = keys;
  body_->planned_fpr = fpr;
}

namespace {

/// Of two filters, or views.
template <class Filter>
bool equal(const Filter& a, const detail::engine& our_engine, const Filter& b, const detail::engine& their_engine) {
  const overflow_state ours = a.overflow();
  const overflow_state theirs = b.overflow();
  return a.params() == b.params() && std::ranges::equal(a.bytes(), b.bytes()) && ours.keys == theirs.keys &&
         ours.forced == theirs.forced && our_engine.lists_the_same(their_engine);
}

}  // namespace

bool operator==(const filter& a, const filter& b) {
  if (&a == &b) return true;
  if (!a.body_ || !b.body_) return !a.body_ && !b.body_;
  return equal(a, *a.body_->engine, b, *b.body_->engine);
}

// --- filter_view -----------------------------------------------------------------------------------------------------

namespace {

/// What a lookup relies on of a list. (That it has the keys it should have, nobody can tell.)
void require_slots(const parameters& p, const overflow_state& overflowed) {
  const std::uint64_t slots = overflowed.slots.size() / detail::bits::word_bytes;
  const bool fits = std::visit(
      [&]<class Recipe>(const Recipe& /*recipe*/) {
        using view = typename Recipe::overflow_view_type;
        if constexpr (std::is_same_v<view, detail::exact_list_view>) return slots == 0 || std::has_single_bit(slots);
        return !std::is_same_v<view, detail::no_overflow::view_type> || slots == 0;
      },
      detail::recipe_for(p));
  if (fits && overflowed.slots.size() % detail::bits::word_bytes == 0) return;
  throw layout_error("a filter of scheme " + std::string(detail::scheme_name(p)) + " cannot have a list of " +
                     std::to_string(overflowed.slots.size()) + " bytes");
}

}  // namespace

filter_view::filter_view(const parameters& p, std::span<const std::byte> bytes, const overflow_state& overflowed)
    : hash_(detail::seed_of(p)) {
  parameters q = detail::normalised(p);
  if (const std::uint64_t needed = bytes_for(q); bytes.size() != needed) {
    throw layout_error("a view needs exactly " + std::to_string(needed) + " bytes for these parameters, got " +
                       std::to_string(bytes.size()));
  }
  require_slots(q, overflowed);
  body_ = std::make_shared<const detail::view_body>(std::move(q), bytes, overflowed);
  look_up_ = body_->engine->look_up();
}
void filter_view::look_up_chunk(const detail::bulk::chunk& some, std::uint8_t* out) const noexcept {
  body_->engine->look_up_chunk(some, out);
}
std::uint64_t filter_view::count_digest(digest x) const noexcept { return body_->engine->count(x); }
void filter_view::count_chunk(const detail::bulk::chunk& some, std::uint64_t* out) const noexcept {
  body_->engine->count_chunk(some, out);
}
bool operator==(const filter_view& a, const filter_view& b) {
  return a.body_ == b.body_ || equal(a, *a.body_->engine, b, *b.body_->engine);
}
statistics filter_view::stats(std::uint64_t keys) const {
  return detail::count_statistics(params(), body_->bytes.data(), body_->engine->overflow(), keys);
}
const parameters& filter_view::params() const& noexcept { return body_->params; }
std::span<const std::byte> filter_view::bytes() const noexcept { return body_->bytes; }
overflow_state filter_view::overflow() const noexcept { return body_->engine->overflow(); }

// --- concurrent_filter -----------------------------------------------------------------------------------------------

concurrent_filter::concurrent_filter(const parameters& p, std::pmr::memory_resource* memory)
    : concurrent_filter(require_online(p), memory, to_be_filled{}) {}
concurrent_filter::concurrent_filter(const parameters& p, std::pmr::memory_resource* memory,
                                     to_be_filled /*by the caller*/)
    : hash_(detail::seed_of(p)) {
  parameters q = detail::normalised(p);
  if (!detail::can_be_shared(q)) {
    throw parameter_error("a filter of scheme " + std::string(detail::scheme_name(p)) +
                          " with counters or a list cannot be shared by threads; choose gated, blocked or bloom-g");
  }
  body_ = std::make_unique<detail::shared_body>(std::move(q), or_default(memory));
  take_calls();
}
concurrent_filter::~concurrent_filter() = default;

void concurrent_filter::take_calls() noexcept {
  look_up_ = body_->engine->look_up();
  insert_ = body_->engine->insert();
}

void concurrent_filter::look_up_chunk(const detail::bulk::chunk& some, std::uint8_t* out) const noexcept {
  body_->engine->look_up_chunk(some, out);
}
std::uint64_t concurrent_filter::insert_chunk(const detail::bulk::chunk& some, std::uint8_t* out) noexcept {
  std::uint64_t fresh = 0;
  body_->engine->insert_chunk(some, out, fresh);
  return fresh;
}
std::uint64_t concurrent_filter::insert_digests(std::span<const digest> keys, std::uint32_t threads,
                                                std::uint8_t* out) {
  if (out == nullptr) {
    std::atomic<std::uint64_t> fresh = 0;
    detail::bulk::in_shares(keys.size(), threads, [&](std::size_t first, std::size_t count) {
      fresh += insert_bulk(keys.subspan(first, count));
    });
    return fresh;
  }
  // Any share would do for the bits; equal keys must be of one.
  const auto shares = static_cast<std::uint32_t>(
      std::min<std::size_t>(detail::threads_or_all(threads), keys.size() / detail::bulk::chunk_keys + 1));
  return insert_shares(
      keys, shares, out,
      [&](std::uint64_t from, std::uint64_t to) {
        return [shares, from, to](digest x) {
          const std::uint64_t share = detail::reduce(x.value, shares);
          return share >= from && share < to;
        };
      },
      [&](const detail::bulk::chunk& some, std::uint8_t* were_new, std::uint64_t& found_new) {
        body_->engine->insert_chunk(some, were_new, found_new);
      });
}

filter concurrent_filter::snapshot(std::optional<std::uint64_t> keys) const {
  const std::span<const detail::shared_byte> shared = body_->shared();
  return {body_->params, [&](std::span<std::byte> out) {
            for (std::uint64_t word = 0; word < out.size() / detail::bits::word_bytes; ++word) {
              detail::bits::store_word(out.data(), word, detail::bits::load_word(shared.data(), word));
            }
            return keys;
          }};
}
concurrent_filter::concurrent_filter(const filter& f) : concurrent_filter(f.params(), nullptr, to_be_filled{}) {
  add_bits_of(f);
}

void concurrent_filter::merge(const filter& other) {
  if (detail::is_static(params())) throw merge_error("nothing can be merged into a static filter that threads share");
  if (detail::united(other.params()) != params()) {
    throw merge_error("a filter can be merged into a shared one only if all parameters and the seed are equal");
  }
  add_bits_of(other);
}
void concurrent_filter::add_bits_of(const filter& other) noexcept {
  const std::span<detail::shared_byte> shared = body_->shared();
  const std::span<const std::byte> bytes = other.bytes();
  for (std::uint64_t word = 0; word < bytes.size() / detail::bits::word_bytes; ++word) {
    if (const std::uint64_t more = detail::bits::load_word(bytes.data(), word))
      detail::bits::or_word(shared.data(), word, more);
  }
}
void concurrent_filter::clear() noexcept { body_->bytes.clear(); }
void concurrent_filter::fold(std::uint32_t times) {
  detail::require_folds(params(), times);
  if (times == 0) return;
  body_->fold(times);
  take_calls();
}
std::uint32_t concurrent_filter::fold_to(double fpr) {
  const std::uint32_t times = detail::folds_within(params(), {body_->bytes.data(), body_->bytes.size()}, fpr);
  fold(times);
  return times;
}
const parameters& concurrent_filter::params() const& noexcept { return body_->params; }
std::uint64_t concurrent_filter::size_bytes() const noexcept { return body_->bytes.size(); }

}  // namespace sluice
