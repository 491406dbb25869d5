// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// key_origin: how the keys of a file were made from what stood in the input. A file that remembers it is asked as it
// was made: nobody has to say K of its k-mers again, and a key in another form is refused, where it would be absent in
// silence.
//
//   auto f = sluice::filter_file::load("genome.sluice");      made by `sluice build --input kmers:31 --canonical`
//   f.origin()->canonical                                     true
//   f.may_contain("ttgac...")                                 is asked for the canonical k-mer, in upper case
//
// Invariant: equal inputs have equal keys, whoever makes them: the command's readers and lookups of single keys use the
// one rule here. Cost: no block is read; a key with a rule is copied.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sluice/detail/api.hpp"
#include "sluice/hash.hpp"

namespace sluice {

/// What the keys of a file are. An integer and its text are different keys, so that asking for the wrong kind would
/// find nothing, ever.
enum class key_kind : std::uint8_t { bytes = 1, u64 = 2, u32 = 3 };

[[nodiscard]] constexpr std::string_view name_of(key_kind kind) noexcept {
  return kind == key_kind::bytes ? "bytes" : kind == key_kind::u64 ? "u64" : "u32";
}

/// How keys stand in the input (docs/keys.md). The numbers are those of files.
enum class key_form : std::uint8_t {
  lines = 1,
  nul,
  decimal,
  hex,
  u64,
  u32,
  u64be,
  fixed,
  csv,
  tsv,
  pcap_five_tuple,
  pcap_packet,
  kmers
};

struct key_origin {
  key_form what = key_form::lines;
  std::vector<std::string> columns = {};   ///< csv, tsv: at least one; in this order they make the key
  bool header = true;                      ///< csv, tsv; without one, columns are numbers
  std::uint64_t width = 0;                 ///< fixed: bytes of a key; kmers: letters
  std::vector<std::uint64_t> fields = {};  ///< lines, nul, decimal, hex: from 1, in this order; none: all of the line
  std::optional<char> delimiter = {};      ///< of fields (none: runs of blanks) and of csv (none: a comma)
  bool canonical = false;                  ///< kmers: one key for a k-mer and its reverse complement
  bool both_directions = false;            ///< pcap_five_tuple: one key for a flow and the one back
  bool keep_cr = false;                    ///< lines: \r before \n belongs to the key
  bool keep_empty = false;                 ///< lines, nul, csv, tsv: an empty key is a key

  friend bool operator==(const key_origin&, const key_origin&) = default;

  [[nodiscard]] constexpr key_kind kind() const noexcept {
    switch (what) {
      case key_form::decimal:
      case key_form::hex:
      case key_form::u64:
      case key_form::u64be:
        return key_kind::u64;
      case key_form::u32:
        return key_kind::u32;
      default:
        return key_kind::bytes;
    }
  }
  /// Do keys end with a byte, and may they be cut into fields?
  [[nodiscard]] constexpr bool is_delimited() const noexcept {
    return what == key_form::lines || what == key_form::nul || what == key_form::decimal || what == key_form::hex;
  }
  [[nodiscard]] constexpr bool is_table() const noexcept { return what == key_form::csv || what == key_form::tsv; }
  [[nodiscard]] constexpr bool is_capture() const noexcept {
    return what == key_form::pcap_five_tuple || what == key_form::pcap_packet;
  }
  /// Must a key have a certain form, whatever it was read from?
  [[nodiscard]] constexpr bool has_rule() const noexcept {
    return what == key_form::fixed || what == key_form::pcap_five_tuple || what == key_form::kmers;
  }
};

namespace detail {

[[nodiscard]] constexpr bool are_integers(key_kind kind) noexcept { return kind != key_kind::bytes; }

inline constexpr std::uint64_t most_letters_of_kmer = 1024;

/// What a reader takes keys for that is told nothing: lines, or integers as they lie in memory. Files say so by the
/// kind of their keys alone.
[[nodiscard]] bool is_usual(const key_origin& o);

/// As the command's options say it: `--input kmers:31 --canonical`.
[[nodiscard]] std::string text_of(const key_origin& o);

/// Throws parameter_error if it has something that another form has, or lacks what it needs. The sentences name the
/// command's options.
void check(const key_origin& o);

/// May a filter of keys made in one way be given keys made in the other? Where they stood in the input does not
/// matter: a column of a table is the same text as a line.
[[nodiscard]] bool have_same_keys(const key_origin& a, const key_origin& b);

/// What a filter says of its keys, if it does, and whether it has some.
struct origin_of_keys {
  const std::optional<key_origin>& said;
  bool any;
};
/// Before one is merged into the other. Throws merge_error where keys of one would not be found as the other's are
/// looked up. A filter that says nothing has lines, and may have what stands in any column; but no k-mers, flows or
/// keys of a fixed width, unless it has none at all.
void require_same_keys(const origin_of_keys& ours, const origin_of_keys& theirs);

/// The key that a filter has for `text`: of k-mers upper case, and the canonical one; of flows in both directions the
/// one that stands for both; otherwise the text itself. Throws key_error for what is no key of this form.
[[nodiscard]] std::string key_for(const key_origin& o, std::string_view text);

}  // namespace detail

/// Makes the digests of a file's keys: text by the rule of their origin, if that has one.
class SLUICE_API key_hasher {
public:
  explicit key_hasher(std::uint64_t seed = 0) noexcept : plain_(seed) {}
  key_hasher(std::uint64_t seed, const std::optional<key_origin>& origin);
  /// The same of one that is shared; null: none.
  key_hasher(std::uint64_t seed, std::shared_ptr<const key_origin> origin);

  [[nodiscard]] std::uint64_t seed() const noexcept { return plain_.seed(); }
  [[nodiscard]] const hasher& plain() const noexcept { return plain_; }
  [[nodiscard]] bool has_rule() const noexcept { return rule_ != nullptr; }

  /// Throws key_error for text that is no key of the form.
  template <key K>
  [[nodiscard]] digest operator()(const K& k) const {
    if constexpr (is_text<K>) {
      if (has_rule()) return by_rule(text_in(k));
    }
    return plain_(k);
  }

  /// Calls use(keys) with keys that plain() is the hash of: these, or where there is a rule their digests.
  template <class Key, class Use>
  void with_plain(std::span<const Key> keys, const Use& use) const {
    if constexpr (is_text<Key>) {
      if (has_rule()) {
        std::vector<digest> digests;
        digests.reserve(keys.size());
        for (const Key& k : keys) digests.push_back(by_rule(text_in(k)));
        return use(std::span<const digest>(digests));
      }
    }
    use(keys);
  }

private:
  template <class K>
  static constexpr bool is_text = std::convertible_to<const K&, std::string_view> ||
                                  std::convertible_to<const K&, std::u8string_view> || detail::byte_range<K>;
  template <class K>
  [[nodiscard]] static std::string_view text_in(const K& k) {
    if constexpr (std::convertible_to<const K&, std::string_view>) {
      return k;
    } else if constexpr (std::convertible_to<const K&, std::u8string_view>) {
      const std::u8string_view text = k;
      return {reinterpret_cast<const char*>(text.data()), text.size()};
    } else {
      return {reinterpret_cast<const char*>(std::data(k)), std::size(k)};
    }
  }
  [[nodiscard]] digest by_rule(std::string_view text) const;

  hasher plain_;
  std::shared_ptr<const key_origin> rule_;  // none: there is no rule
};

}  // namespace sluice
