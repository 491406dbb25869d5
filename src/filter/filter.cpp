#include "sluice/filter.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include "filter/body.hpp"
#include "sluice/concurrent.hpp"

namespace sluice {

namespace {

template <class Request>
auto made(const Request& q) {
  return std::visit([&](const auto& p) { return detail::make(p, q); }, q.params);
}

std::pmr::memory_resource* or_default(std::pmr::memory_resource* memory) {
  return memory != nullptr ? memory : default_memory();
}

}  // namespace

// --- filter ---------------------------------------------------------------------------------------------------------

filter::filter(const parameters& p, std::pmr::memory_resource* memory) : hash_(seed_of(p)) {
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
    look_up_ = [](const detail::filter_body*, digest) noexcept { return false; };
    insert_ = [](detail::filter_body*, digest) -> bool {
      throw parameter_error("a filter that was moved from takes no keys");
    };
  }
}

void filter::look_up_chunk(const bulk::chunk& some, std::uint8_t* out) const noexcept {
  if (body_) return body_->look_up_chunk(some, out);
  std::fill_n(out, some.count, std::uint8_t{0});
}
std::uint64_t filter::insert_chunk(const bulk::chunk& some) {
  return body_ ? body_->insert_chunk(some) : (insert_(nullptr, {}) ? 1 : 0);
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

void filter::merge(const filter& other) {
  if (scheme_name(params()) != scheme_name(other.params())) {
    throw merge_error("filters of different schemes, " + std::string(scheme_name(params())) + " and " +
                      std::string(scheme_name(other.params())) + ", cannot be merged");
  }
  if (united(params()) != united(other.params())) {
    throw merge_error("two " + std::string(scheme_name(params())) +
                      " filters can be merged only if all parameters and the seed are equal");
  }
  if (this != &other && body_ && other.body_) body_->merge(*other.body_);
}
void filter::clear() noexcept {
  if (body_) body_->clear();
}

statistics filter::stats() const { return body_ ? body_->stats() : statistics{}; }
const parameters& filter::params() const noexcept {
  static const parameters none;
  return body_ ? body_->params : none;
}
std::uint64_t filter::keys_inserted() const noexcept { return body_ ? body_->keys : 0; }
std::span<const std::byte> filter::bytes() const noexcept {
  return body_ ? std::as_const(*body_).bytes() : std::span<const std::byte>();
}
overflow_state filter::overflowed() const noexcept { return body_ ? body_->overflowed() : overflow_state{}; }

// --- filter_view ------------------------------------------------------------------------------------------------------

filter_view::filter_view(const parameters& p, std::span<const std::byte> bytes, const overflow_state& overflowed)
    : hash_(seed_of(p)) {
  const parameters q = normalised(p);
  body_ = made(detail::view_request{q, bytes, overflowed});
  look_up_ = body_->look_up();
}
void filter_view::look_up_chunk(const bulk::chunk& some, std::uint8_t* out) const noexcept {
  body_->look_up_chunk(some, out);
}
statistics filter_view::stats(std::uint64_t keys) const { return body_->stats(keys); }
const parameters& filter_view::params() const noexcept { return body_->params; }
std::span<const std::byte> filter_view::bytes() const noexcept { return body_->bytes; }
const overflow_state& filter_view::overflowed() const noexcept { return body_->overflowed; }

// --- concurrent_filter ------------------------------------------------------------------------------------------------

concurrent_filter::concurrent_filter(const parameters& p, std::pmr::memory_resource* memory) : hash_(seed_of(p)) {
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
std::uint64_t concurrent_filter::insert_chunk(const bulk::chunk& some) noexcept { return body_->insert_chunk(some); }

filter concurrent_filter::snapshot() const {
  const std::span<const shared_byte> shared = body_->bytes();
  return {body_->params, [&](std::span<std::byte> out) {
            for (std::uint64_t word = 0; word < out.size() / bits::word_bytes; ++word) {
              bits::store_word(out.data(), word, bits::load_word(shared.data(), word));
            }
          }};
}
const parameters& concurrent_filter::params() const noexcept { return body_->params; }
std::uint64_t concurrent_filter::size_bytes() const noexcept { return body_->bytes().size(); }

}  // namespace sluice
