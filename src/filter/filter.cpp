#include "sluice/filter.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include "filter/body.hpp"
#include "sluice/concurrent_filter.hpp"
#include "sluice/detail/memory/words.hpp"
#include "sluice/detail/overflow/exact_list.hpp"

namespace sluice {

namespace {

template <class Request>
auto made(const Request& q) {
  return std::visit([&](const auto& p) { return detail::make(p, q); }, q.params);
}

/// Checked before there is memory for the filter.
parameters demand_online(const parameters& p) {
  if (is_sealed(p)) {
    throw parameter_error(
        "these are parameters of a sealed filter, which is made from all its keys at once; build it with "
        "sealed_builder, or plan without all_keys_known");
  }
  if (!is_static(p)) return p;
  throw parameter_error(
      "these are parameters of a static filter, which would miss its rate if keys came one by one; build it with "
      "static_builder, or plan without all_keys_known");
}

std::pmr::memory_resource* or_default(std::pmr::memory_resource* memory) {
  return memory != nullptr ? memory : default_memory();
}

/// Every thread reads all keys and inserts those of its share, in their order: share(from, to) says whether a key is of
/// the shares from .. to - 1 of `shares`; insert(chunk, out) inserts. Where somebody wants to know which keys were new,
/// `out` gets 1 or 0 for each. Returns how many were. Precondition: fewer than 2^32 keys.
template <class Share, class Insert>
std::uint64_t insert_shares(std::span<const digest> keys, std::uint32_t shares, std::uint8_t* out, const Share& share,
                            const Insert& insert) {
  std::atomic<std::uint64_t> fresh = 0;
  // A part is a share here, not a part of the keys.
  bulk::in_parts(shares * bulk::chunk_keys, shares, [&](std::size_t first, std::size_t some) {
    const auto is_mine = share(first / bulk::chunk_keys, (first + some) / bulk::chunk_keys);
    std::array<digest, bulk::chunk_keys> mine;
    std::array<std::uint32_t, bulk::chunk_keys> numbers;
    std::array<std::uint8_t, bulk::chunk_keys> were_new;
    std::size_t held = 0;
    std::uint64_t found_new = 0;
    const auto insert_held = [&] {
      found_new += insert(bulk::chunk{mine.data(), held, held}, were_new.data());
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
    : filter(demand_online(p), memory, to_be_filled{}) {}
filter::filter(const parameters& p, std::pmr::memory_resource* memory, to_be_filled /*by the caller*/)
    : hash_(seed_of(p)) {
  const parameters q = normalised(p);
  body_ = made(detail::body_request{q, or_default(memory)});
  take_calls();
}
filter::filter(const filter& other) : hash_(other.hash_), body_(other.body_ ? other.body_->copy() : nullptr) {
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
    look_up_ = body_->look_up();
    insert_ = body_->insert();
  } else {
    look_up_ = {[](const void*, digest) noexcept { return false; }, nullptr};
    insert_ = [](detail::filter_body*, digest) -> bool {
      throw parameter_error("a filter that was moved from takes no keys");
    };
  }
}

void filter::look_up_chunk(const bulk::chunk& some, std::uint8_t* out) const noexcept {
  if (body_) return body_->look_up_chunk(some, out);
  std::fill_n(out, some.count, std::uint8_t{0});
}
std::uint64_t filter::insert_chunk(const bulk::chunk& some, std::uint8_t* out) {
  return body_ ? body_->insert_chunk(some, out) : (insert_(nullptr, {}) ? 1 : 0);
}
std::uint64_t filter::insert_digests(std::span<const digest> keys, std::uint32_t threads, std::uint8_t* out) {
  const block_groups groups = body_ ? body_->groups() : block_groups(1, 1);
  const std::uint64_t count = groups.blocks() / groups.group_blocks();
  const auto parts = static_cast<std::uint32_t>(std::min<std::uint64_t>(threads_or_all(threads), count));
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
      [&](const bulk::chunk& some, std::uint8_t* were_new) { return body_->insert_apart(some, were_new); });
  body_->keys += fresh;
  return fresh;
}
void filter::prefetch_digest(digest x) const noexcept {
  if (body_) body_->prefetch(x);
}
lookup_outcome filter::probe_digest(digest x) const noexcept {
  return body_ ? body_->probe(x) : lookup_outcome{false, 0};
}
insert_outcome filter::insert_digest_and_count(digest x) {
  return body_ ? body_->insert_and_count(x) : insert_outcome{insert_(nullptr, x), 0};
}

std::span<std::byte> filter::raw_bytes() noexcept { return body_->bytes(); }
void filter::set_filled(std::optional<std::uint64_t> keys, const overflow_state& overflowed) {
  body_->set_overflow(overflowed);
  body_->keys = keys ? *keys : static_cast<std::uint64_t>(std::llround(stats().keys_from_fill));
}

bool filter::can_merge(const filter& other, std::string* why_not) const {
  const auto refuse = [&](const std::string& sentence) {
    if (why_not != nullptr) *why_not = sentence;
    return false;
  };
  const std::string name(scheme_name(params()));
  if (scheme_of(params()) != scheme_of(other.params())) {
    return refuse("filters of different schemes, " + name + " and " + std::string(scheme_name(other.params())) +
                  ", cannot be merged");
  }
  if (is_sealed(params())) {
    return refuse(
        "sealed filters cannot be merged: their blocks are solved for one set of keys. Build one from the keys of "
        "both, "
        "ask both, or make filters to be merged gated");
  }
  if (seed_of(params()) != seed_of(other.params())) {
    return refuse("two " + name + " filters can be merged only if their seeds are equal; these are " +
                  std::to_string(seed_of(params())) + " and " + std::to_string(seed_of(other.params())));
  }
  if (united(params()) != united(other.params())) {
    return refuse("two " + name + " filters can be merged only if all parameters and the seed are equal");
  }
  return true;
}
void filter::merge(const filter& other) {
  std::string why_not;
  if (!can_merge(other, &why_not)) throw merge_error(why_not);
  if (this == &other || !body_ || !other.body_) return;
  body_->merge(*other.body_);
  take_calls();  // gates may be read in another way now
}
void filter::clear() noexcept {
  if (body_) body_->clear();
}

statistics filter::stats() const { return body_ ? body_->stats() : statistics{}; }
const parameters& filter::params() const& noexcept {
  static const parameters none;
  return body_ ? body_->params : none;
}
std::uint64_t filter::keys_inserted() const noexcept { return body_ ? body_->keys : 0; }
std::span<const std::byte> filter::bytes() const& noexcept {
  return body_ ? std::as_const(*body_).bytes() : std::span<const std::byte>();
}
overflow_state filter::overflowed() const& noexcept { return body_ ? body_->overflowed() : overflow_state{}; }

std::uint64_t filter::planned_keys() const noexcept { return body_ ? body_->planned_keys : 0; }
double filter::planned_fpr() const noexcept { return body_ ? body_->planned_fpr : 0; }
void filter::set_plan(std::uint64_t keys, double fpr) noexcept {
  body_->planned_keys = keys;
  body_->planned_fpr = fpr;
}

namespace {

/// Of two filters, or views.
template <class Filter>
bool equal(const Filter& a, const Filter& b) {
  const overflow_state ours = a.overflowed();
  const overflow_state theirs = b.overflowed();
  if (a.params() != b.params() || !std::ranges::equal(a.bytes(), b.bytes()) || ours.keys != theirs.keys ||
      ours.forced != theirs.forced || ours.holds_zero != theirs.holds_zero ||
      ours.budget_spent != theirs.budget_spent) {
    return false;
  }
  if (is_sealed(a.params())) return std::ranges::equal(ours.slots, theirs.slots);
  // The order in which keys came decides where they lie in the list, not which they are.
  const exact_list_view list(theirs);
  for (std::size_t i = 0; i < ours.slots.size() / bits::word_bytes; ++i) {
    const std::uint64_t member = bits::load_word(ours.slots.data(), i);
    if (member != 0 && !list.may_contain(digest{member})) return false;
  }
  return true;
}

}  // namespace

bool operator==(const filter& a, const filter& b) {
  if (&a == &b) return true;
  if (!a.body_ || !b.body_) return !a.body_ && !b.body_;
  return equal(a, b);
}

// --- filter_view ------------------------------------------------------------------------------------------------------

filter_view::filter_view(const parameters& p, std::span<const std::byte> bytes, const overflow_state& overflowed)
    : hash_(seed_of(p)) {
  const parameters q = normalised(p);
  auto body = made(detail::view_request{q, bytes, overflowed});
  look_up_ = body->look_up();
  body_ = std::move(body);
}
void filter_view::look_up_chunk(const bulk::chunk& some, std::uint8_t* out) const noexcept {
  body_->look_up_chunk(some, out);
}
bool operator==(const filter_view& a, const filter_view& b) { return a.body_ == b.body_ || equal(a, b); }
statistics filter_view::stats(std::uint64_t keys) const { return body_->stats(keys); }
const parameters& filter_view::params() const& noexcept { return body_->params; }
std::span<const std::byte> filter_view::bytes() const noexcept { return body_->bytes; }
overflow_state filter_view::overflowed() const noexcept { return body_->overflowed; }

// --- concurrent_filter ------------------------------------------------------------------------------------------------

concurrent_filter::concurrent_filter(const parameters& p, std::pmr::memory_resource* memory)
    : concurrent_filter(demand_online(p), memory, to_be_filled{}) {}
concurrent_filter::concurrent_filter(const parameters& p, std::pmr::memory_resource* memory,
                                     to_be_filled /*by the caller*/)
    : hash_(seed_of(p)) {
  const parameters q = normalised(p);
  body_ = made(detail::shared_request{q, or_default(memory)});
  if (!body_) {
    throw parameter_error("a filter of scheme " + std::string(scheme_name(p)) +
                          " with counters or a list cannot be shared by threads; choose gated, blocked or bloom-g");
  }
  look_up_ = body_->look_up();
  insert_ = body_->insert();
}
concurrent_filter::~concurrent_filter() = default;

void concurrent_filter::look_up_chunk(const bulk::chunk& some, std::uint8_t* out) const noexcept {
  body_->look_up_chunk(some, out);
}
std::uint64_t concurrent_filter::insert_chunk(const bulk::chunk& some, std::uint8_t* out) noexcept {
  return body_->insert_chunk(some, out);
}
std::uint64_t concurrent_filter::insert_digests(std::span<const digest> keys, std::uint32_t threads,
                                                std::uint8_t* out) {
  // Any share would do for the bits; equal keys must be of one.
  const auto shares =
      static_cast<std::uint32_t>(std::min<std::size_t>(threads_or_all(threads), keys.size() / bulk::chunk_keys + 1));
  return insert_shares(
      keys, shares, out,
      [&](std::uint64_t from, std::uint64_t to) {
        return [shares, from, to](digest x) {
          const std::uint64_t share = reduce(x.value, shares);
          return share >= from && share < to;
        };
      },
      [&](const bulk::chunk& some, std::uint8_t* were_new) { return body_->insert_chunk(some, were_new); });
}

filter concurrent_filter::snapshot(std::optional<std::uint64_t> keys) const {
  const std::span<const shared_byte> shared = std::as_const(*body_).bytes();
  return {body_->params, [&](std::span<std::byte> out) {
            for (std::uint64_t word = 0; word < out.size() / bits::word_bytes; ++word) {
              bits::store_word(out.data(), word, bits::load_word(shared.data(), word));
            }
            return keys;
          }};
}
concurrent_filter::concurrent_filter(const filter& f) : concurrent_filter(f.params(), nullptr, to_be_filled{}) {
  add_bits_of(f);
}

void concurrent_filter::merge(const filter& other) {
  if (is_static(params())) throw merge_error("nothing can be merged into a static filter that threads share");
  if (united(other.params()) != params()) {
    throw merge_error("a filter can be merged into a shared one only if all parameters and the seed are equal");
  }
  add_bits_of(other);
}
void concurrent_filter::add_bits_of(const filter& other) noexcept {
  const std::span<shared_byte> shared = body_->bytes();
  const std::span<const std::byte> bytes = other.bytes();
  for (std::uint64_t word = 0; word < bytes.size() / bits::word_bytes; ++word) {
    if (const std::uint64_t more = bits::load_word(bytes.data(), word)) bits::or_word(shared.data(), word, more);
  }
}
void concurrent_filter::clear() noexcept { body_->clear(); }
const parameters& concurrent_filter::params() const& noexcept { return body_->params; }
std::uint64_t concurrent_filter::size_bytes() const noexcept { return body_->bytes().size(); }

}  // namespace sluice
