// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// file: filters that stay. A file is written as a whole or not at all, has checksums over every byte, and is the same
// on every machine (docs/format.md).
//
//   sluice::save(f, "words.sluice", {.kind = sluice::key_kind::bytes});
//   sluice::filter again = sluice::load("words.sluice");
//
// filter_file is whatever a file has, a filter or a chain that grows, with the kind of its keys and what was promised
// of it:
//
//   const auto there = sluice::filter_file::map("words.sluice");     read-only, where it lies: only lookups read it
//   there.may_contain("key");
//
//   auto here = sluice::filter_file::load("words.sluice");          in memory, verified, ready for more keys
//   here.insert("sluice");
//   here.save("words.sluice");
//
// map() checks the header, which is small. An untrusted file can make lookups answer wrongly, which verify() finds
// unless its checksums are forged, too; it cannot make them read elsewhere, or take memory. Replace a file that is
// mapped by a new one (rename, as save() does): if it is truncated or overwritten in place, a lookup ends the program
// by SIGBUS, or answers wrongly.
//
// Invariants: every key is of the kind that the file names; what is saved and loaded again is equal. After map() the
// filter_file owns the mapping, and so do its copies; bytes that are given stay the caller's.
// Cost: that of the filter; of a chain, of every filter in it.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "sluice/detail/api.hpp"
#include "sluice/detail/overflow/overflow.hpp"
#include "sluice/errors.hpp"
#include "sluice/filter.hpp"
#include "sluice/growing_filter.hpp"
#include "sluice/hash.hpp"
#include "sluice/key_origin.hpp"
#include "sluice/parameters.hpp"

namespace sluice {

struct plan_candidate;

/// What a file says beside the filter itself.
struct saved_as {
  key_kind kind;                                    ///< lookups of another kind will be refused
  std::uint64_t planned_keys = 0;                   ///< for which the filter was made; 0: what the filter itself knows
  double planned_fpr = 0;                           ///< at that number of keys; 0: what the filter itself knows
  std::optional<key_origin> origin = std::nullopt;  ///< how the keys were made; none: it is not said

  /// Of a filter that was planned.
  [[nodiscard]] SLUICE_API static saved_as of_plan(const plan_candidate& c, key_kind kind);
};

/// What to do with a file that is there already.
enum class existing : std::uint8_t { replace, refuse };

/// One filter of a file, as it is written and read.
struct stored_filter {
  parameters params = {};                  ///< as the filter has them: normalised
  std::span<const std::byte> blocks = {};  ///< its bytes
  overflow_state overflowed = {};
  std::uint64_t keys = 0;          ///< that were inserted
  std::uint64_t planned_keys = 0;  ///< for which it was made; 0: not known
  double planned_fpr = 0;          ///< at that number of keys; 0: not known
  std::uint32_t value_bits = 0;    ///< of a sealed map: the low bits of its fingerprints; 0: it is a filter
  std::span<const std::byte> list_values = {};  ///< of a sealed map: 4 bytes for each member of its list
};

/// Everything that a file says. The spans point into the filters, or into the bytes that were read.
struct file_contents {
  /// A section of a file (docs/format.md) that this version does not know, and need not. It stays in what is read and
  /// written as it is; a filter that is loaded does not have it, because it would not stay true.
  struct skipped_section {
    std::uint32_t kind;
    std::vector<std::byte> bytes;
  };

  key_kind kind = key_kind::bytes;
  std::optional<growth> grows = std::nullopt;  ///< of a chain; otherwise there is one filter
  std::vector<stored_filter> filters = {};
  std::optional<key_origin> origin = std::nullopt;  ///< how keys were made; none: lines, integers, or not said
  std::vector<skipped_section> skipped = {};        ///< in ascending order of their kinds
};

/// Throws file_error with the file and the reason; then what was there is there still.
SLUICE_API void save(const filter& f, const std::string& path, const saved_as& what, existing how = existing::replace);
SLUICE_API void save(const growing_filter& f, const std::string& path, key_kind kind, existing how = existing::replace);

/// The filter of a file, verified, in memory of its own. Throws file_error, also for a chain: growing_filter::load
/// reads those.
[[nodiscard]] SLUICE_API filter load(const std::string& path);
/// The bytes of a file: for a network, a database, another process.
[[nodiscard]] SLUICE_API std::vector<std::byte> to_bytes(const filter& f, const saved_as& what);
[[nodiscard]] SLUICE_API std::vector<std::byte> to_bytes(const file_contents& contents);

namespace detail {

/// Throws key_error unless both are integers or both bytes; `name` is whose keys are of kind `has`.
void require_kind(const std::string& name, key_kind has, key_kind given);

namespace file {

class mapping;  // src/file/mapping.hpp

}  // namespace file

}  // namespace detail

class SLUICE_API filter_file {
public:
  /// Read-only: the bytes of a whole file, which stay the caller's; `name` is for sentences. Throws file_error.
  explicit filter_file(std::span<const std::byte> bytes, std::string name = "the bytes");
  /// Bytes that nobody keeps are for load().
  template <detail::bytes_that_end Bytes>
  explicit filter_file(Bytes&& bytes, std::string name = {}) = delete;
  /// What a file of this filter, or of this chain, will be.
  filter_file(filter f, const saved_as& what);
  filter_file(growing_filter f, key_kind kind);

  /// Read-only. Throws file_error with the file and the reason.
  [[nodiscard]] static filter_file map(const std::string& path);
  /// Verified, in memory of its own. Throws file_error with the file and the reason.
  [[nodiscard]] static filter_file load(const std::string& path);
  /// The same of the bytes of a file; `name` is for sentences. Throws file_error.
  [[nodiscard]] static filter_file load(std::span<const std::byte> bytes, const std::string& name = "the bytes");
  /// Loads a file, calls change(it) and saves it; programs that update one file so wait for each other, and nothing is
  /// lost. Throws file_error, and what change throws; then the file is as it was.
  static void update(const std::string& path, const std::function<void(filter_file&)>& change);

  /// How large a file of a filter with these parameters will be, before there is one. An exact list, whose length
  /// depends on the keys, comes to it: give the number of its slots (of 8 bytes), if it has any. Throws
  /// parameter_error.
  [[nodiscard]] static std::uint64_t bytes_for(const parameters& p, std::uint64_t list_slots = 0);

  /// Throws file_error with the file and the reason; then what was there is there still. What is read-only is verified
  /// first: damaged bytes must not get checksums that are right.
  void save(const std::string& path, existing how = existing::replace) const;
  /// Reads the whole file and compares all checksums. Throws file_error. There is nothing to compare for one in memory
  /// of its own.
  void verify() const;

  /// True if the key was new. Throws key_error for a key of another kind, file_error (error_code::read_only) where
  /// nothing can be added.
  template <key K>
  bool insert(const K& k) {
    require_kind_of<K>();
    require_in_range(k);
    return insert_digest(hash_(k));
  }
  /// Returns how many were new. By several threads (0: all), where the scheme lets them (filter.hpp).
  template <bulk_keys Keys>
  std::uint64_t insert_bulk(const Keys& keys, std::uint32_t threads = 1) {
    return insert_all(keys, [&](auto& f, const auto& plain) { return f.insert_bulk(plain, threads); });
  }
  /// The same, and says of each key whether it was new (filter.hpp).
  template <bulk_keys Keys>
  std::uint64_t insert_bulk(const Keys& keys, detail::bulk::answers were_new, std::uint32_t threads = 1) {
    return insert_all(keys, [&](auto& f, const auto& plain) { return f.insert_bulk(plain, were_new, threads); });
  }

  /// Takes a key out of a ledger, or a chain of ledgers, again, once (filter.hpp); false: nothing in it was like it.
  /// Throws key_error for a key of another kind, parameter_error for filters of other schemes, file_error where nothing
  /// can be changed.
  template <key K>
  bool erase(const K& k) {
    require_writable();
    require_kind_of<K>();
    return erase_digest(hash_(k));
  }
  /// Returns how many were in.
  template <bulk_keys Keys>
  std::uint64_t erase_bulk(const Keys& keys) {
    return erase_all(keys, [](auto& f, const auto& plain) { return f.erase_bulk(plain); });
  }
  /// The same, and says of each key whether it was.
  template <bulk_keys Keys>
  std::uint64_t erase_bulk(const Keys& keys, detail::bulk::answers were_in) {
    return erase_all(keys, [&](auto& f, const auto& plain) { return f.erase_bulk(plain, were_in); });
  }
  /// Can keys be erased: is it a ledger, or a chain of ledgers?
  [[nodiscard]] bool erases() const noexcept;

  /// How often a key seems to be in (filter.hpp). Throws key_error if the file has keys of another kind.
  template <key K>
  [[nodiscard]] std::uint64_t count(const K& k) const {
    require_kind_of<K>();
    return count_digest(hash_(k));
  }
  /// The same of many: counts[i] is that of keys[i]. Throws key_error, and parameter_error if there is no room for
  /// them.
  template <bulk_keys Keys>
  void count_bulk(const Keys& keys, std::span<std::uint64_t> counts) const {
    require_kind_of<detail::element_of<Keys>>();
    hash_.with_plain(detail::span_of(keys), [&](const auto& plain) {
      detail::bulk::count_in_chunks(
          hash_.plain(), plain, counts,
          [&](const detail::bulk::chunk& some, std::uint64_t* out) { count_chunk(some, out); });
    });
  }

  /// Throws key_error if the file has keys of another kind.
  template <key K>
  [[nodiscard]] bool may_contain(const K& k) const {
    require_kind_of<K>();
    return has_digest(hash_(k));
  }
  /// Looks all keys up and writes 1 or 0 for each. Throws key_error, and parameter_error if there is no room for the
  /// answers.
  template <bulk_keys Keys>
  void may_contain_bulk(const Keys& keys, detail::bulk::answers answers) const {
    look_up_bulk(detail::span_of(keys), answers);
  }
  /// The same by several threads (0: all).
  template <bulk_keys Keys>
  void may_contain_bulk(const Keys& keys, detail::bulk::answers answers, std::uint32_t threads) const {
    require_kind_of<detail::element_of<Keys>>();
    hash_.with_plain(detail::span_of(keys), [&](const auto& plain) {
      detail::bulk::look_up_by_threads(
          hash_.plain(), plain, answers, threads,
          [&](const detail::bulk::chunk& some, std::uint8_t* out) { look_up_chunk(some, out); });
    });
  }

  /// Afterwards every key of either is found here. Throws merge_error where filters, or chains, do, and for two that
  /// are not of a kind, or of which one alone has a rule for its keys (key_origin::has_rule); file_error if this one is
  /// read-only.
  void merge(const filter_file& other);

  /// One filter that is folded, so often or to a rate (without one, that of its plan): see filter::fold. Throws
  /// parameter_error for a chain, file_error if this is read-only.
  void fold(std::uint32_t times = 1);
  std::uint32_t fold_to(std::optional<double> fpr = std::nullopt);
  /// Of a chain: see growing_filter. 0 of one filter.
  std::uint32_t fold_last_link(double room = 0);

  [[nodiscard]] key_kind kind() const noexcept { return what_.kind; }
  /// Says of which kind the keys will be, while there is none. Throws key_error if there are keys of another kind,
  /// file_error (error_code::read_only) where nothing can be added.
  void set_kind(key_kind kind);
  /// Throws key_error if keys of this kind are none of this file's: for callers that make digests themselves. Integers
  /// of 32 bits and of 64 are of one kind.
  void require_keys(key_kind kind) const;
  /// How the keys were made; none: lines or integers as they lie in memory, or nobody said so. Where it has a rule,
  /// keys of text are made by it before they are inserted or looked up, and what is no key of that form throws
  /// key_error; digests are taken as they are.
  [[nodiscard]] const std::optional<key_origin>& origin() const noexcept { return what_.origin; }
  /// Says so, from now on. Throws parameter_error for an origin that cannot be, key_error if it makes keys of another
  /// kind, file_error (error_code::read_only) where nothing can be written.
  void set_origin(const std::optional<key_origin>& origin);
  /// The hash of its keys.
  [[nodiscard]] const key_hasher& hash() const noexcept { return hash_; }
  [[nodiscard]] bool writable() const noexcept { return !std::holds_alternative<opened>(form_); }
  [[nodiscard]] bool grows() const noexcept;
  /// For which it was made; 0: not known, or it grows.
  [[nodiscard]] std::uint64_t planned_keys() const noexcept { return what_.planned_keys; }
  /// At that number of keys, or of the whole chain; 0: not known.
  [[nodiscard]] double planned_fpr() const noexcept { return what_.planned_fpr; }
  /// Of its hash: digests of keys are made with it.
  [[nodiscard]] std::uint64_t seed() const noexcept { return hash_.seed(); }
  [[nodiscard]] std::uint64_t keys_inserted() const noexcept;
  /// Of each filter, from its bits.
  [[nodiscard]] std::vector<statistics> stats() const;
  /// The spans are valid while this lives and is not written to; so not of one that ends with the expression.
  [[nodiscard]] file_contents contents() const&;
  [[nodiscard]] file_contents contents() const&& = delete;
  /// Of the file, as it is or would be.
  [[nodiscard]] std::uint64_t size_bytes() const;

private:
  /// A file where it lies.
  struct opened {
    std::string name;
    std::span<const std::byte> bytes;
    std::shared_ptr<const detail::file::mapping> mapping;  // none: the caller's
    file_contents contents;
    std::vector<filter_view> filters;
  };
  using any_form = std::variant<opened, filter, growing_filter>;

  explicit filter_file(opened o);
  [[nodiscard]] static opened open(std::span<const std::byte> bytes, std::string name);
  [[nodiscard]] static filter_file copy_of(const file_contents& contents);
  [[noreturn]] static void refuse_number(std::uint64_t number);
  void require_writable() const;
  [[nodiscard]] filter& one_to_fold();

  bool insert_digest(digest x);
  bool erase_digest(digest x);
  [[nodiscard]] std::uint64_t count_digest(digest x) const noexcept;
  void count_chunk(const detail::bulk::chunk& some, std::uint64_t* out) const noexcept;
  [[nodiscard]] bool has_digest(digest x) const noexcept;
  void look_up_chunk(const detail::bulk::chunk& some, std::uint8_t* out) const;

  template <class Keys, class Erase>
  std::uint64_t erase_all(const Keys& keys, const Erase& erase) {
    require_writable();
    require_kind_of<detail::element_of<Keys>>();
    std::uint64_t erased = 0;
    hash_.with_plain(detail::span_of(keys), [&](const auto& plain) {
      if (auto* const f = std::get_if<filter>(&form_)) {
        erased = erase(*f, plain);
      } else {
        erased = erase(std::get<growing_filter>(form_), plain);
      }
    });
    return erased;
  }

  /// insert(f, keys) with the filter or the chain, and with keys that its hash is right for.
  template <class Keys, class Insert>
  std::uint64_t insert_all(const Keys& keys, const Insert& insert) {
    require_writable();
    require_all(keys);
    std::uint64_t fresh = 0;
    hash_.with_plain(detail::span_of(keys), [&](const auto& plain) {
      if (auto* const f = std::get_if<filter>(&form_)) {
        fresh = insert(*f, plain);
      } else {
        fresh = insert(std::get<growing_filter>(form_), plain);
      }
    });
    return fresh;
  }

  template <class Key>
  void look_up_bulk(std::span<const Key> keys, detail::bulk::answers& answers) const {
    require_kind_of<Key>();
    hash_.with_plain(keys, [&](const auto& plain) {
      detail::bulk::look_up_in_chunks(
          hash_.plain(), plain, answers,
          [&](const detail::bulk::chunk& some, std::uint8_t* out) { look_up_chunk(some, out); });
    });
  }

  /// Digests can be of any kind: their maker knows.
  template <class Key>
  void require_kind_of() const {
    if constexpr (!std::same_as<std::remove_cvref_t<Key>, digest>) {
      constexpr key_kind kind = detail::integer_key<std::remove_cvref_t<Key>> ? key_kind::u64 : key_kind::bytes;
      if (detail::are_integers(kind) != detail::are_integers(what_.kind)) require_keys(kind);
    }
  }
  template <class Keys>
  void require_all(const Keys& keys) const {
    require_kind_of<detail::element_of<Keys>>();
    if (what_.kind == key_kind::u32) {
      for (const auto& k : keys) require_in_range(k);
    }
  }
  /// A number of more bits is no u32, whatever its type.
  template <class Key>
  void require_in_range(const Key& k) const {
    if constexpr (detail::integer_key<Key>) {
      if (what_.kind == key_kind::u32 && static_cast<std::uint64_t>(k) > std::numeric_limits<std::uint32_t>::max()) {
        refuse_number(static_cast<std::uint64_t>(k));
      }
    }
  }

  any_form form_;
  saved_as what_;
  key_hasher hash_;
};

}  // namespace sluice
