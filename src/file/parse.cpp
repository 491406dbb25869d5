// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "file/parse.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "file/layout.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/ledger_chain.hpp"
#include "sluice/extend/numbers.hpp"

namespace sluice::detail::file {

void refuse(const std::string& name, std::uint64_t offset, const std::string& reason, error_code code) {
  throw file_error(name + ": byte " + std::to_string(offset) + ": " + reason, code);
}

namespace {

/// Reads fields of bytes that are there.
class field_reader {
public:
  field_reader(const std::string& name, std::span<const std::byte> file, std::uint64_t base,
               std::span<const std::byte>& sizes) noexcept
      : name_(name), file_(file), base_(base), sizes_(sizes) {}

  template <class T>
  void at(std::uint64_t offset, T& value) const {
    if constexpr (std::is_same_v<T, double>) {
      value = std::bit_cast<double>(get(offset, sizeof value));
      // All are shares or rates; zero has one form.
      if (std::signbit(value) || !std::isfinite(value))
        refuse(name_, base_ + offset, "a finite number from 0 on must stand here");
    } else {
      value = static_cast<T>(get(offset, sizeof value));
    }
  }
  template <class T>
  void one_of(std::uint64_t offset, T& value, T last) const {
    const std::uint64_t number = get(offset, 1);
    if (number > static_cast<std::uint64_t>(last)) {
      refuse(name_, base_ + offset, std::to_string(number) + " is not one of the choices that there are here");
    }
    value = static_cast<T>(number);
  }
  void sizes(std::uint64_t offset, std::vector<std::uint64_t>& all) {
    const std::uint64_t count = get(offset, sizeof(std::uint32_t));
    if (count > most_candidates || count * 8 > sizes_.size()) {
      refuse(name_, base_ + offset, std::to_string(count) + " subtables have no room in the header");
    }
    for (std::uint64_t i = 0; i < count; ++i) all.push_back(bits::load_word(sizes_.data(), i));
    sizes_ = sizes_.subspan(count * 8);
  }

private:
  [[nodiscard]] std::uint64_t get(std::uint64_t offset, std::size_t width) const {
    return extend::number_at(file_, base_ + offset, width);
  }

  const std::string& name_;
  std::span<const std::byte> file_;
  std::uint64_t base_;
  std::span<const std::byte>& sizes_;
};

/// What every version has in common, and then what ours says of the whole.
[[nodiscard]] preamble parse_preamble(const std::string& name, std::span<const std::byte> file,
                                      std::uint64_t file_bytes) {
  const std::uint64_t size = file.size();
  if (size < sizeof magic || std::memcmp(file.data(), magic, sizeof magic) != 0) {
    refuse(name, 0, "this is not a file of sluice");
  }
  if (size < preamble_bytes) refuse(name, size, "the file ends within its header; it was cut off");
  preamble p;
  std::span<const std::byte> none;
  field_reader reader(name, file, 0, none);
  preamble_fields(reader, p);
  if (p.format < plain_version || p.format > version) {
    refuse(name, in_preamble::format,
           "version " + std::to_string(p.format) + " of the format is not known; this sluice reads versions 1 to " +
               std::to_string(version),
           p.format > version ? error_code::newer_version : error_code::damaged);
  }
  if (p.header_bytes < preamble_bytes) refuse(name, in_preamble::header_bytes, "a header has at least 128 bytes");
  if (p.header_bytes > most_header_bytes) refuse(name, in_preamble::header_bytes, "a header has at most a mebibyte");
  if (p.header_bytes > size) refuse(name, size, "the file ends within its header; it was cut off");
  std::vector<std::byte> header(file.begin(), file.begin() + p.header_bytes);
  std::fill_n(header.begin() + in_preamble::header_checksum, 8, std::byte{0});
  if (checksum(header) != p.header_checksum)
    refuse(name, in_preamble::header_checksum, "the header is damaged: its checksum differs");
  if (p.file_bytes != file_bytes) {
    refuse(name, std::min(file_bytes, p.file_bytes),
           "the file has " + std::to_string(file_bytes) + " bytes, but its header says " +
               std::to_string(p.file_bytes) +
               (file_bytes < p.file_bytes ? "; it was cut off" : "; something was added"));
  }
  if ((p.flags & ~flag_grows) != 0) {
    refuse(name, in_preamble::flags,
           "flags " + std::to_string(p.flags) + " are not known; a newer sluice may read this file");
  }
  if (p.hash != hash_identity) refuse(name, in_preamble::hash, "hash " + std::to_string(p.hash) + " is not known");
  if (p.keys < 1 || p.keys > 3) refuse(name, in_preamble::keys, "key kind " + std::to_string(p.keys) + " is not known");
  if (p.filters == 0) refuse(name, in_preamble::filters, "the header names no filter");
  if (p.filters > (p.header_bytes - preamble_bytes) / record_bytes) {
    refuse(name, in_preamble::filters, std::to_string(p.filters) + " filters have no room in the header");
  }
  if (p.flags == 0 && p.filters != 1)
    refuse(name, in_preamble::filters, "only a filter that grows consists of several");
  return p;
}

/// Bytes of a member of a sorted list, with its value if it has one.
[[nodiscard]] constexpr std::uint64_t sorted_member_bytes(const stored_filter& f) noexcept {
  return bits::word_bytes + (f.value_bits != 0 ? sizeof(std::uint32_t) : 0);
}

/// Does the overflow fit the scheme?
void check_overflow(const std::string& name, std::uint64_t at, const any_recipe& recipe, const stored_filter& f,
                    std::uint64_t slots_bytes) {
  const overflow_state& o = f.overflowed;
  const auto require = [&](bool holds, std::uint64_t offset, const char* reason) {
    if (!holds) refuse(name, at + offset, reason);
  };
  std::visit(
      [&]<class Recipe>(const Recipe& r) {
        constexpr bool has_exact_list = std::is_same_v<typename Recipe::overflow_type, exact_list>;
        require(has_exact_list || o.forced == 0, in_record::forced, "no list of this scheme is ever full");
        if constexpr (has_exact_list) {
          const std::uint64_t slots = slots_bytes / 8;
          const std::uint64_t zero = o.holds_zero ? 1 : 0;  // it has no slot
          require(o.keys >= zero, in_record::overflow_keys, "the digest 0 is a member, too");
          require(slots_bytes % 8 == 0 && o.keys <= std::numeric_limits<std::uint64_t>::max() / 4 &&
                      (slots == exact_list::slots_for(o.keys) || slots == exact_list::slots_for(o.keys - zero)),
                  in_record::slots_bytes, "an exact list has as many slots as its members need");
          require(o.spent <= r.overflow_how.access_budget, in_record::spent,
                  "more accesses were spent than the budget allows");
          require(!o.budget_spent || o.spent == r.overflow_how.access_budget, in_record::overflow_flags,
                  "the budget is not spent yet");
          require(!o.budget_spent || o.spent != 0, in_record::overflow_flags, "there is no budget to spend");
          const exact_list::options& how = r.overflow_how;
          require(how.capacity == 0 || o.keys <= how.capacity, in_record::overflow_keys,
                  "the exact list has more members than it can hold");
          require(o.forced == 0 || (how.when_full != full_list_rule::refuse && o.keys == how.capacity),
                  in_record::forced, "keys are forced only where a list is full and does not refuse them");
        } else if constexpr (std::is_same_v<typename Recipe::overflow_view_type, sorted_list_view>) {
          if constexpr (requires { r.overflow_how.capacity; }) {
            require(o.keys <= r.overflow_how.capacity, in_record::overflow_keys,
                    "the list has more members than it can hold");
          }
          if constexpr (std::is_same_v<Recipe, sealed_recipe>) {
            require(o.keys <= f.keys, in_record::overflow_keys, "the list has more members than there are keys");
            require(f.keys - o.keys <= r.placement.blocks() * r.block.layout().columns, in_record::keys,
                    "there are more keys than equations find room");
          }
          const std::uint64_t each = sorted_member_bytes(f);
          require(o.keys <= most_file_bytes / each && slots_bytes == each * o.keys, in_record::slots_bytes,
                  f.value_bits != 0 ? "a sorted list has 12 bytes for every member, with its value"
                                    : "a sorted list has 8 bytes for every member");
          require(o.spent == 0 && !o.holds_zero && !o.budget_spent, in_record::overflow_flags,
                  "a sorted list has no flags and no budget");
        } else {
          require(slots_bytes == 0 && o.spent == 0 && !o.holds_zero && !o.budget_spent, in_record::slots_offset,
                  "this scheme has no exact list");
          require(std::is_same_v<typename Recipe::overflow_type, forced_overflow> || o.keys == 0,
                  in_record::overflow_keys, "this scheme has no overflow");
        }
      },
      recipe);
}

/// One filter, whose spans are left empty, and its sizes.
[[nodiscard]] std::pair<stored_filter, filter_sizes> parse_filter(const std::string& name,
                                                                  std::span<const std::byte> header,
                                                                  std::uint64_t file_bytes, std::uint64_t at,
                                                                  std::span<const std::byte>& sizes) {
  field_reader reader(name, header, at, sizes);
  record r;
  record_fields(reader, r);
  if (r.scheme < 1 || r.scheme > std::variant_size_v<parameters>) {
    refuse(name, at, "scheme " + std::to_string(r.scheme) + " is not known");
  }
  if (r.scheme == static_cast<std::uint32_t>(scheme::sealed) && r.edition < sealed_edition) {
    refuse(name, at,
           "this is a sealed filter of the first edition, which is not read any more; build it again from its keys");
  }
  if (r.edition > newest_edition(scheme{static_cast<std::uint8_t>(r.scheme)})) {
    refuse(name, at + in_record::edition,
           "this filter is of a newer edition of its scheme; a newer sluice may read this file",
           error_code::newer_version);
  }
  stored_filter f{
      .keys = r.keys, .planned_keys = r.planned_keys, .planned_fpr = r.planned_fpr, .value_bits = r.value_bits};
  [&]<std::size_t... Index>(std::index_sequence<Index...>) {
    static_assert(
        ((static_cast<std::size_t>(std::variant_alternative_t<Index, parameters>::which) == Index + 1) && ...));
    static_cast<void>(((Index + 1 == r.scheme ? (f.params.emplace<Index>(), true) : false) || ...));
  }(std::make_index_sequence<std::variant_size_v<parameters>>{});
  std::visit([&](auto& p) { parameter_fields(reader, p); }, f.params);
  if (!(f.planned_fpr >= 0 && f.planned_fpr <= 1))
    refuse(name, at + in_record::planned_fpr, "the planned rate does not lie between 0 and 1");
  if (f.value_bits != 0) {
    const auto* const sealed = std::get_if<sealed_parameters>(&f.params);
    if (sealed == nullptr || f.value_bits > sealed->fingerprint_bits) {
      refuse(name, at + in_record::value_bits, "only sealed blocks have values, of no more bits than a fingerprint");
    }
  }
  if ((r.overflow_flags & ~3U) != 0)
    refuse(name, at + in_record::overflow_flags, "there are flags here that are not known");
  const auto require_within = [&](std::uint64_t where, std::uint64_t offset, std::uint64_t bytes) {
    if (offset > file_bytes || bytes > file_bytes - offset) {
      refuse(name, at + where, "what is said to lie here ends beyond the file");
    }
  };
  require_within(in_record::blocks_offset, r.blocks_offset, r.blocks_bytes);
  require_within(in_record::slots_offset, r.slots_offset, r.slots_bytes);
  f.overflowed = {.keys = r.overflow_keys,
                  .forced = r.forced,
                  .spent = r.spent,
                  .holds_zero = (r.overflow_flags & 1U) != 0,
                  .budget_spent = (r.overflow_flags & 2U) != 0};
  try {
    if (normalised(f.params) != f.params) refuse(name, at, "these parameters are not in the form that sluice writes");
    const any_recipe recipe = recipe_for(f.params);
    const std::uint64_t needed = std::visit([](const auto& q) { return q.bytes(); }, recipe);
    if (needed != r.blocks_bytes) {
      refuse(name, at + in_record::blocks_bytes,
             "these parameters need " + std::to_string(needed) + " bytes of blocks, not " +
                 std::to_string(r.blocks_bytes));
    }
    check_overflow(name, at, recipe, f, r.slots_bytes);
  } catch (const parameter_error& e) {
    refuse(name, at, e.what());
  }
  return {f, {r.blocks_bytes, r.slots_bytes, subtables_of(f.params)}};
}

/// What growing_filter relies on.
void check_chain(const std::string& name, const growth& how, const std::vector<stored_filter>& filters,
                 const layout& where) {
  try {
    check(how);
  } catch (const parameter_error& e) {
    refuse(name, in_preamble::growth_fpr, e.what());
  }
  if (how.seed != seed_of(filters.front().params))
    refuse(name, in_preamble::growth_seed, "the chain has another seed than its filters");
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const auto require = [&](bool holds, const char* reason) {
      if (!holds) refuse(name, preamble_bytes + record_bytes * i + in_record::planned_keys, reason);
    };
    require(!is_sealed(filters[i].params), "no link of a chain is sealed: it takes no keys");
    if (how.erasable && i != 0) {
      require(extend::are_nested(filters[i - 1].params, filters[i].params),
              "a chain of ledgers has links of one remainder, each of a whole multiple of the blocks before it");
    }
    const auto* const ledger = std::get_if<ledger_parameters>(&filters[i].params);
    require((ledger != nullptr) == how.erasable, "all links of a chain are ledgers, or none is");
    require(ledger == nullptr || filters[i].planned_keys <= extend::most_keys_of_ledger(*ledger),
            "no ledger of a chain is planned for more keys than it takes");
    require(filters[i].planned_keys >= (how.erasable ? how.first_keys : 1),
            how.erasable ? "no link of a chain of ledgers holds fewer keys than the first"
                         : "every link of a chain holds a key");
    // The next link is made for `factor` times as many: a small file must not ask for much memory.
    require(filters[i].planned_keys <= 8 * where.filters[i].blocks_bytes, "no link holds more keys than it has bits");
  }
}

/// Each member is larger than the one before; or, in a ledger, one of some copies.
void check_sorted_list(const std::string& name, std::uint64_t at, const overflow_state& o, std::uint64_t most_copies) {
  const sorted_list_view list(o);
  const std::uint64_t wrong = list.first_out_of_order(most_copies);
  if (wrong < list.size()) refuse(name, at + 8 * wrong, "this member of the list is not larger than the one before");
}

}  // namespace

void check_list(const std::string& name, std::uint64_t at, const parameters& p, const overflow_state& o) {
  if (o.slots.empty()) return;
  if (is_sealed(p)) return check_sorted_list(name, at, o, 1);
  if (erases_keys(p)) return check_sorted_list(name, at, o, ledger_list::most_copies);
  const exact_list_view list(o);
  const std::uint64_t slots = o.slots.size() / 8;
  std::uint64_t members = o.holds_zero ? 1 : 0;
  std::uint64_t steps = 0;
  for (std::uint64_t slot = 0; slot < slots; ++slot) {
    const digest member{bits::load_word(o.slots.data(), slot)};
    if (member.value == 0) continue;
    ++members;
    steps += list.steps_from_home(slot);
    if (steps > exact_list_view::most_mean_steps * o.keys || list.find(member).slot != slot) {
      refuse(name, at + 8 * slot, "this member of the exact list is not where insertions put it");
    }
  }
  if (members != o.keys) {
    refuse(name, at, "the exact list has " + std::to_string(members) + " members, not " + std::to_string(o.keys));
  }
}

namespace {

/// The sections of a header of version 2, which lie in `all`, from `at` on.
void parse_sections(const std::string& name, std::span<const std::byte> all, std::uint64_t at, file_contents& to) {
  std::uint32_t last = 0;
  while (!all.empty()) {
    if (all.size() < section_head_bytes) refuse(name, at, "a section was cut off");
    const auto kind = static_cast<std::uint32_t>(extend::number_at(all, 0, 4));
    const std::uint64_t flags = extend::number_at(all, 4, 4);
    const std::uint64_t length = extend::number_at(all, 8, 8);
    if (kind <= last) refuse(name, at, "sections have kinds from 1 on, in ascending order");
    if ((flags & ~std::uint64_t{section_may_be_skipped}) != 0)
      refuse(name, at + 4, "there are flags here that are not known");
    if (length > most_section_bytes || length > all.size() - section_head_bytes) {
      refuse(name, at + 8, "a section is longer than the header, or than any");
    }
    last = kind;
    const std::span<const std::byte> bytes = all.subspan(section_head_bytes, length);
    if (kind == section_key_origin) {
      try {
        to.origin = origin_in(bytes);
      } catch (const section_trouble& trouble) {
        refuse(name, at + section_head_bytes + trouble.at, trouble.reason);
      }
      if (to.origin->kind() != to.kind)
        refuse(name, in_preamble::keys, "keys of this origin are of another kind than the header says");
    } else if ((flags & section_may_be_skipped) != 0) {
      to.skipped.push_back({kind, {bytes.begin(), bytes.end()}});
    } else {
      refuse(name, at, "section " + std::to_string(kind) + " is not known; a newer sluice may read this file",
             error_code::newer_version);
    }
    const std::uint64_t whole = std::min<std::uint64_t>((section_head_bytes + length + 7) / 8 * 8, all.size());
    all = all.subspan(whole);
    at += whole;
  }
}

}  // namespace

header_contents parse_header(const std::string& name, std::span<const std::byte> begin, std::uint64_t file_bytes) {
  const preamble p = parse_preamble(name, begin, file_bytes);
  header_contents result{.contents = {.kind = static_cast<key_kind>(p.keys)}, .at = {}};
  file_contents& contents = result.contents;
  if ((p.flags & flag_grows) != 0) contents.grows = p.grows;
  // The sizes of subtables, and then sections.
  std::span<const std::byte> rest = begin.subspan(preamble_bytes + record_bytes * p.filters,
                                                  p.header_bytes - preamble_bytes - record_bytes * p.filters);
  std::vector<filter_sizes> sizes;
  for (std::uint32_t i = 0; i < p.filters; ++i) {
    const auto [f, size] = parse_filter(name, begin, file_bytes, preamble_bytes + record_bytes * i, rest);
    contents.filters.push_back(f);
    sizes.push_back(size);
    if (seed_of(f.params) != seed_of(contents.filters.front().params)) {
      refuse(name, preamble_bytes + record_bytes * i + 64, "all filters of a chain have one seed");
    }
  }
  const std::uint64_t sections_bytes = p.format == plain_version ? 0 : rest.size();
  if (sections_bytes != 0) parse_sections(name, rest, p.header_bytes - sections_bytes, contents);
  result.at = layout_for(sizes, sections_bytes);
  // A chain of ledgers is known by its links.
  if (contents.grows) contents.grows->erasable = erases_keys(contents.filters.front().params);
  if (contents.grows) check_chain(name, *contents.grows, contents.filters, result.at);
  const std::vector<std::byte> again = header_of(contents, result.at, p.table_checksum);
  // The length is among what is compared, so that the shorter of the two suffices.
  const std::uint64_t common = std::min<std::uint64_t>(again.size(), p.header_bytes);
  for (std::uint64_t i = 0; i < common; ++i) {
    if (again[i] == begin[i]) continue;
    if (i >= in_preamble::header_checksum && i < in_preamble::header_checksum + 8)
      continue;  // it follows from the others
    refuse(name, i, "this byte is not what sluice writes with the rest of this header");
  }
  return result;
}

namespace {

[[nodiscard]] held held_by(const file_contents& contents) noexcept {
  return contents.filters.front().value_bits != 0 ? held::map : held::filters;
}

}  // namespace

void require_held(const std::string& name, const file_contents& contents, held expected) {
  const held found = held_by(contents);
  if (found == expected) return;
  throw file_error(name + (found == held::map ? ": this is a map of keys to values, not a filter"
                                              : ": this is a filter, not a map of keys to values"),
                   error_code::bad_parameter);
}

namespace {

/// No value of a list has more bits than the map's. `at` is where the values lie.
void check_list_values(const std::string& name, std::uint64_t at, const stored_filter& f) {
  for (std::uint64_t i = 0; i < f.list_values.size(); i += sizeof(std::uint32_t)) {
    if (extend::number_at(f.list_values, i, sizeof(std::uint32_t)) >> f.value_bits != 0) {
      refuse(name, at + i, "this value of the list has more bits than the values of the map");
    }
  }
}

}  // namespace

void check_lists(const std::string& name, const layout& at, const file_contents& contents) {
  for (std::size_t i = 0; i < at.filters.size(); ++i) {
    const stored_filter& f = contents.filters[i];
    if (f.value_bits != 0 && (f.overflowed.slots.size() != bits::word_bytes * f.overflowed.keys ||
                              f.list_values.size() != sizeof(std::uint32_t) * f.overflowed.keys)) {
      refuse(name, at.filters[i].slots, "every member of the list of a map has a digest and a value");
    }
    check_list(name, at.filters[i].slots, f.params, f.overflowed);
    check_list_values(name, at.filters[i].slots + f.overflowed.slots.size(), f);
  }
}

file_contents parse(const std::string& name, std::span<const std::byte> file, held expected) {
  auto [contents, at] = parse_header(name, file, file.size());
  require_held(name, contents, expected);
  for (std::size_t i = 0; i < contents.filters.size(); ++i) {
    stored_filter& f = contents.filters[i];
    const layout::positions& where = at.filters[i];
    f.blocks = file.subspan(where.blocks, where.blocks_bytes);
    const std::uint64_t digests = f.value_bits != 0 ? bits::word_bytes * f.overflowed.keys : where.slots_bytes;
    f.overflowed.slots = file.subspan(where.slots, digests);
    f.list_values = file.subspan(where.slots + digests, where.slots_bytes - digests);
  }
  return contents;
}

held held_in(const std::string& name, std::span<const std::byte> file) {
  return held_by(parse_header(name, file, file.size()).contents);
}

void verify(const std::string& name, std::span<const std::byte> file, const file_contents& contents) {
  const layout at = layout_of(contents);
  const auto table = file.subspan(at.header_bytes, 8 * at.chunks());
  if (checksum(table) != bits::load_word(file.data() + 48, 0)) {
    refuse(name, at.header_bytes, "the table of checksums is damaged");
  }
  std::uint64_t end = at.header_bytes + table.size();  // of the last part
  const auto require_zeros_until = [&](std::uint64_t begin, std::uint64_t bytes) {
    for (; end < begin; ++end) {
      if (file[end] != std::byte{0}) refuse(name, end, "this byte must be zero");
    }
    end = begin + bytes;
  };
  for (const layout::positions& f : at.filters) {
    require_zeros_until(f.blocks, f.blocks_bytes);
    if (f.slots != 0) require_zeros_until(f.slots, f.slots_bytes);
  }
  for (std::uint64_t chunk = 0; chunk < at.chunks(); ++chunk) {
    const std::uint64_t begin = at.data_offset + chunk * chunk_bytes;
    const auto bytes = file.subspan(begin, std::min(chunk_bytes, at.file_bytes - begin));
    if (checksum(bytes) != bits::load_word(table.data(), chunk)) {
      refuse(name, begin, "the next " + std::to_string(bytes.size()) + " bytes are damaged: their checksum differs");
    }
  }
  check_lists(name, at, contents);
}

}  // namespace sluice::detail::file
