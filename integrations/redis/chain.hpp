// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// chain: the value of a key. A chain of filters ("links"), each for several times the keys of the one before and with a
// smaller share of the false positives, as BF.RESERVE's EXPANSION and error rate say; without EXPANSION, one link.
//
//   link n holds capacity x expansion^n keys, at the rate error x (1 - tightening) x tightening^n
//
// Or a part of a filter that is spread over several keys (extend/part.hpp, part_header.hpp): one link, which does not
// grow and takes keys beyond its plan, because only the whole filter can be full. Only keys that belong to it may be
// asked and added.
//
// Or a chain of ledgers (CF.*, copies.cpp), which keeps items as often as they are added and gives them back: links are
// nested and have one rate (extend/ledger_chain.hpp), and new items go into the last one that has room.
//
// Links that were imported from RedisBloom come first and are only read; all others are sluice's, of one seed, so that
// a key is hashed once for all of them.
//
// Invariants: after add() says fresh or present, every lookup of the key is true; of a ledger, until it is erased. Only
// the last link is written to, but of ledgers. A chain whose bytes have not all arrived yet (BF.LOADCHUNK) is neither
// asked nor added to. Cost: a miss asks every link; keys in bulk ask each link in bulk, and go into the last one in
// bulk. A new link is planned in microseconds (plan_link.hpp); its bytes are allocated and set to zero at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "classic_filter.hpp"
#include "room.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/extend/part.hpp"
#include "sluice/file.hpp"
#include "sluice/filter.hpp"
#include "sluice/hash.hpp"
#include "sluice/parameters.hpp"
#include "sluice/statistics.hpp"
#include "tally.hpp"

namespace sluice::redis {

inline constexpr std::uint32_t most_links = 4096;
/// Of one link, whoever made it: far more than any memory holds, and small enough to be multiplied.
inline constexpr std::uint64_t most_keys_of_link = std::uint64_t{1} << 40;

/// The most ledgers of a chain: RedisBloom's limit of filters.
inline constexpr std::uint32_t most_ledgers = 32;

/// Whose commands a key answers. Each family has a type of value of its own.
enum class family : std::uint8_t {
  bloom,  ///< BF.*: an item is in it or not
  ledger  ///< CF.*: an item is in it as often as it was added, and can be taken again
};

/// What a chain is to be.
struct shape {
  double error = 0.01;      ///< of all links together
  double tightening = 0.5;  ///< what is left of the rate from one link to the next
  std::uint64_t capacity = 100;
  std::uint64_t seed = 0;
  std::uint32_t expansion = 2;  ///< 0: there is one link, and it does not grow
  std::uint32_t block_bits = 512;
  std::optional<scheme> which = std::nullopt;  ///< none: the planner's choice
  [[nodiscard]] family belongs_to() const noexcept { return which == scheme::ledger ? family::ledger : family::bloom; }
  friend bool operator==(const shape&, const shape&) = default;
};

/// The rate that link `number` of such a chain is planned for.
[[nodiscard]] double rate_of_link(const shape& s, std::size_t number) noexcept;

/// One filter of a chain.
class chain_part {
public:
  explicit chain_part(filter f, std::int64_t heap) : form_(std::move(f)), heap_(heap) {}
  explicit chain_part(std::unique_ptr<classic_filter> imported) : form_(std::move(imported)) {}
  chain_part(std::unique_ptr<extend::filter_part> p, std::int64_t heap) : form_(std::move(p)), heap_(heap) {}
  chain_part(const chain_part& other);
  chain_part& operator=(const chain_part&) = delete;
  chain_part(chain_part&&) noexcept = default;
  chain_part& operator=(chain_part&&) noexcept = default;
  ~chain_part() = default;

  /// None: it was imported. Of a part, its blocks as a filter, which keys must not be given to.
  [[nodiscard]] const filter* ours() const noexcept {
    return part() != nullptr ? &part()->local() : std::get_if<filter>(&form_);
  }
  [[nodiscard]] filter* ours() noexcept { return part() != nullptr ? &part()->local() : std::get_if<filter>(&form_); }
  /// None: it is no part of a filter, but a whole one.
  [[nodiscard]] const extend::filter_part* part() const noexcept {
    const auto* const p = std::get_if<std::unique_ptr<extend::filter_part>>(&form_);
    return p != nullptr ? p->get() : nullptr;
  }
  [[nodiscard]] extend::filter_part* part() noexcept {
    auto* const p = std::get_if<std::unique_ptr<extend::filter_part>>(&form_);
    return p != nullptr ? p->get() : nullptr;
  }
  /// Precondition: ours() has none.
  [[nodiscard]] const classic_filter& imported() const noexcept {
    return **std::get_if<std::unique_ptr<classic_filter>>(&form_);
  }
  [[nodiscard]] bool may_contain(std::string_view item, digest x) const noexcept {
    if (part() != nullptr) return part()->may_contain(x);
    return ours() != nullptr ? ours()->may_contain(x) : imported().may_contain(item);
  }
  [[nodiscard]] bool sealed() const noexcept { return ours() != nullptr && extend::is_sealed(ours()->params()); }
  // Precondition of all: it was not imported.
  void look_up(std::span<const digest> keys, std::span<std::uint8_t> answers) const;
  /// True if it was new.
  bool insert(digest x) { return part() != nullptr ? part()->insert(x) : ours()->insert(x); }
  [[nodiscard]] bool can_merge(const chain_part& other) const;
  /// Precondition: can_merge.
  void merge(const chain_part& other);
  /// Has it the same items in the same place, so that it adds nothing to the other? Never of a ledger, which keeps
  /// copies. Precondition: neither was imported.
  [[nodiscard]] bool is_copy_of(const chain_part& other) const;

  [[nodiscard]] std::uint64_t keys() const noexcept {
    return ours() != nullptr ? ours()->keys_inserted() : imported().keys;
  }
  [[nodiscard]] std::uint64_t capacity() const noexcept {
    return ours() != nullptr ? ours()->planned_keys() : imported().capacity;
  }
  [[nodiscard]] double rate() const noexcept { return ours() != nullptr ? ours()->planned_fpr() : imported().error; }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept;
  [[nodiscard]] std::span<std::byte> writable_bytes() noexcept;
  /// All memory that it has.
  [[nodiscard]] std::uint64_t memory() const noexcept;

private:
  std::variant<filter, std::unique_ptr<classic_filter>, std::unique_ptr<extend::filter_part>> form_;
  std::int64_t heap_ = 0;  ///< what the filter took when it was made
};

/// A link of a filter that is stored elsewhere, in the server's memory. Throws memory_error, parameter_error.
[[nodiscard]] chain_part link_of(const stored_filter& stored);

enum class added : std::uint8_t {
  fresh,
  present,
  full,       ///< the chain does not grow; or, in ledgers, there are too many copies of this item
  no_links,   ///< it could not grow: it has as many links as there may be
  no_memory,  ///< it could not grow
  no_room,    ///< it could not grow: there is too little left of the server's memory
  no_filter   ///< it could not grow: no filter has the rate that is left
};

/// Of the exception that is being handled, when a link was to be made; `why` gets its sentence.
[[nodiscard]] added why_not_grown(std::string& why);

/// What became of items that were offered, in their order. After `full` and what follows it nothing more was done, but
/// in ledgers, where the next item may be there already, or go elsewhere.
struct add_result {
  std::vector<added> outcomes = {};
  bool changed = false;
  std::string why = {};  ///< a sentence, where it could not grow
};

/// Tells chains apart, also one from another that came to lie where it was.
class chain_id {
public:
  chain_id() noexcept : number_(next()) {}
  chain_id(const chain_id& /*another*/) noexcept : chain_id() {}
  chain_id& operator=(const chain_id&) = delete;
  ~chain_id() = default;
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }

private:
  [[nodiscard]] static std::uint64_t next() noexcept {
    static std::atomic<std::uint64_t> last = 0;
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
  }
  std::uint64_t number_;
};

class chain {
public:
  /// With one empty link: of the first share of the error, or of so many bits a key, which must reach it. Throws
  /// parameter_error, memory_error.
  chain(const shape& s, const room& space, std::optional<double> bits_per_key = std::nullopt);
  /// With one empty link of these parameters. Throws as the other.
  chain(const shape& s, const room& space, const chain_part& like);
  /// Of links that are there. Precondition: there is at least one, imported ones come first, and ours have the seed.
  chain(const shape& s, std::vector<chain_part> links);
  /// A part of a filter whose keys are of this kind.
  chain(std::unique_ptr<extend::filter_part> p, key_kind keys, std::int64_t heap);
  chain(const chain& other) = default;
  chain& operator=(const chain&) = delete;
  chain(chain&&) = delete;
  chain& operator=(chain&&) = delete;
  ~chain() = default;

  // Items are made into keys by the rule of their origin, if that has one. All throw key_error for an item that is no
  // key of that form; then nothing has changed.
  [[nodiscard]] add_result add(std::span<const std::string_view> items, const room& space);
  [[nodiscard]] bool may_contain(std::string_view item) const;
  /// 1 or 0 for each.
  [[nodiscard]] std::vector<std::uint8_t> look_up(std::span<const std::string_view> items) const;

  /// None: it is a filter of its own.
  [[nodiscard]] const extend::filter_part* part() const noexcept { return links_.front().part(); }
  [[nodiscard]] key_kind key_kinds() const noexcept { return keys_are_; }
  /// How keys were made (sluice/key_origin.hpp); none: it is not said.
  [[nodiscard]] std::optional<key_origin> origin() const {
    return origin_ != nullptr ? std::optional(*origin_) : std::nullopt;
  }
  void set_origin(const std::optional<key_origin>& origin) {
    origin_ = origin ? std::make_shared<const key_origin>(*origin) : nullptr;
  }
  [[nodiscard]] key_hasher hash() const { return key_hasher(shape_.seed, origin_); }
  /// Made from all its keys at once (docs/sealed.md): it takes no more, and is not merged.
  [[nodiscard]] bool sealed() const noexcept { return links_.back().sealed(); }
  [[nodiscard]] family belongs_to() const noexcept { return shape_.belongs_to(); }
  // Of ledgers alone. All throw key_error as the others.
  /// Items are kept as often as they are added; those that seem to be in not once more, if `unless_present`.
  [[nodiscard]] add_result add_copies(std::span<const std::string_view> items, bool unless_present, const room& space);
  /// One copy. False: nothing was like it. Precondition: it was added, and not erased as often.
  bool erase(std::string_view item);
  /// How often an item seems to be in.
  [[nodiscard]] std::uint64_t copies_of(std::string_view item) const;
  /// How many were erased.
  [[nodiscard]] std::uint64_t erased() const noexcept { return erased_; }
  void set_erased(std::uint64_t items) noexcept { erased_ = items; }

  // Of parts. Precondition: part()->has(), for each.
  [[nodiscard]] std::vector<std::uint8_t> look_up_digests(std::span<const digest> keys) const;
  /// How many were new. Precondition: it is not sealed.
  std::uint64_t add_digests(std::span<const digest> keys);

  /// Would merge() do? If not, `why_not` gets the sentence.
  [[nodiscard]] bool can_merge(const chain& other, std::string& why_not) const;
  /// Afterwards every key of any is found here. Links of one shape are united where both together have room, or where
  /// there is only one; others are added. Where it throws, nothing has changed. Precondition: can_merge, for each.
  void merge(std::span<const chain* const> others, const room& space);
  /// The same as a chain of its own.
  [[nodiscard]] std::unique_ptr<chain> united_with(std::span<const chain* const> others, const room& space) const;

  [[nodiscard]] const shape& params() const noexcept { return shape_; }
  [[nodiscard]] std::span<const chain_part> links() const noexcept { return links_; }
  [[nodiscard]] std::uint64_t keys() const noexcept;
  [[nodiscard]] std::uint64_t capacity() const noexcept;
  [[nodiscard]] std::uint64_t data_bytes() const noexcept;
  /// As RedisBloom counts: what the links were made with, before the allocator rounds it up.
  [[nodiscard]] std::uint64_t size() const noexcept;
  /// Of everything, as the allocator gives it.
  [[nodiscard]] std::uint64_t memory() const noexcept;
  [[nodiscard]] bool overfull() const noexcept;

  /// No other chain has it, or had it.
  [[nodiscard]] std::uint64_t id() const noexcept { return id_.number(); }

  /// Bytes of the links, one after the other: at most `most` from `offset` on, of one link. Empty at the end.
  [[nodiscard]] std::span<const std::byte> data_at(std::uint64_t offset, std::uint64_t most) const noexcept;
  /// The same, to be written to.
  [[nodiscard]] std::span<std::byte> data_to_write(std::uint64_t offset) noexcept;

  /// Offers the bytes of each link to `move`, which returns where they lie now, or null. Parts are left where they are.
  void move_bytes(const std::function<std::byte*(std::span<const std::byte>)>& move) noexcept;

  /// How many bytes of data are still to come before it can be used.
  [[nodiscard]] bool complete() const noexcept { return arrived_ == all_arrived; }
  [[nodiscard]] std::uint64_t arrived() const noexcept { return complete() ? data_bytes() : arrived_; }
  void set_arrived(std::uint64_t bytes) noexcept { arrived_ = bytes < data_bytes() ? bytes : all_arrived; }

private:
  static constexpr std::uint64_t all_arrived = ~std::uint64_t{0};

  void grow(const room& space);
  [[nodiscard]] double rate_of_next() const noexcept;
  void append(const parameters& p, std::uint64_t capacity, double rate, const room& space);
  [[nodiscard]] added add_absent(std::string_view item, digest x, std::size_t first_unknown, const room& space,
                                 std::string& why);
  void append_first_ledger(const room& space);
  /// Says what it could not; fresh: it has grown.
  [[nodiscard]] added grow_ledgers(const room& space, std::string& why);
  /// `refused` is why it could not grow, which is not tried again for every item.
  [[nodiscard]] added add_copy(digest x, const room& space, std::optional<added>& refused, std::string& why);
  [[nodiscard]] std::vector<chain_part> links_of_union(std::span<const chain* const> others, const room& space) const;
  /// Precondition: the links are those of the union.
  void take_origin(std::span<const chain* const> others);
  [[nodiscard]] bool takes_in_bulk() const noexcept;
  /// How many new keys the last link takes in bulk before it is full.
  [[nodiscard]] std::uint64_t room_in_bulk() const noexcept;
  void insert_into(std::span<const digest> keys, std::span<std::uint8_t> were_new);
  void look_up_into(std::span<const std::string_view> items, std::span<const digest> digests,
                    std::span<std::uint8_t> found) const;
  [[nodiscard]] std::size_t imported_links() const noexcept;
  void count() noexcept { tally_.update(keys(), memory(), overfull()); }

  shape shape_;
  key_kind keys_are_ = key_kind::bytes;
  std::shared_ptr<const key_origin> origin_;  // few have one, and every key pays for the room
  std::vector<chain_part> links_;
  chain_id id_;
  std::uint64_t arrived_ = all_arrived;
  std::uint64_t erased_ = 0;
  tally tally_;
};

}  // namespace sluice::redis
