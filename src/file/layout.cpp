// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "file/layout.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "file/checksum.hpp"
#include "file/sections.hpp"
#include "sluice/detail/recipe/recipes.hpp"
#include "sluice/errors.hpp"
#include "sluice/file.hpp"

namespace sluice::detail::file {

namespace {

/// Writes fields into bytes that are zero.
class field_writer {
public:
  field_writer(std::byte* bytes, std::vector<std::uint64_t>& sizes) noexcept : bytes_(bytes), sizes_(sizes) {}
  template <class T>
  void at(std::uint64_t offset, const T& value) {
    if constexpr (std::is_same_v<T, double>) {
      put(offset, std::bit_cast<std::uint64_t>(value), sizeof value);
    } else {
      put(offset, value, sizeof value);
    }
  }
  template <class T>
  void one_of(std::uint64_t offset, const T& value, T /*last*/) {
    put(offset, static_cast<std::uint64_t>(value), 1);
  }
  void sizes(std::uint64_t offset, const std::vector<std::uint64_t>& all) {
    put(offset, all.size(), sizeof(std::uint32_t));
    sizes_.insert(sizes_.end(), all.begin(), all.end());
  }

private:
  void put(std::uint64_t offset, std::uint64_t value, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) bytes_[offset + i] = static_cast<std::byte>(value >> (8 * i));
  }

  std::byte* bytes_;
  std::vector<std::uint64_t>& sizes_;
};

}  // namespace

std::uint64_t aligned(std::uint64_t position) { return (position + alignment - 1) / alignment * alignment; }

layout layout_for(const std::vector<filter_sizes>& filters, std::uint64_t sections_bytes) {
  layout at;
  at.header_bytes = preamble_bytes + record_bytes * filters.size() + sections_bytes;
  std::uint64_t data = 0;
  const auto place = [&](std::uint64_t bytes) {
    const std::uint64_t begin = aligned(data);
    if (bytes > most_file_bytes || begin > most_file_bytes) {
      throw parameter_error("a filter of " + std::to_string(bytes) + " bytes is larger than any file can be");
    }
    data = begin + bytes;
    return begin;
  };
  for (const filter_sizes& f : filters) {
    at.header_bytes += 8 * f.subtables;
    const std::uint64_t blocks = place(f.blocks);
    at.filters.push_back({blocks, f.blocks, f.slots == 0 ? 0 : place(f.slots), f.slots});
  }
  const std::uint64_t table = data == 0 ? 0 : 8 * ((data - 1) / chunk_bytes + 1);
  at.data_offset = aligned(at.header_bytes + table);
  at.file_bytes = at.data_offset + data;
  for (layout::positions& f : at.filters) {
    f.blocks += at.data_offset;
    if (f.slots_bytes != 0) f.slots += at.data_offset;
  }
  return at;
}

std::uint64_t subtables_of(const parameters& p) noexcept {
  const auto* const mht = std::get_if<mht_parameters>(&p);
  return mht == nullptr ? 0 : mht->subtables.size();
}

layout layout_of(const file_contents& contents) {
  std::vector<filter_sizes> sizes;
  sizes.reserve(contents.filters.size());
  for (const stored_filter& f : contents.filters) {
    sizes.push_back({f.blocks.size(), f.overflowed.slots.size() + f.list_values.size(), subtables_of(f.params)});
  }
  return layout_for(sizes, sections_of(contents).size());
}

namespace {

/// Does the record of this filter say what version 1 has no place for?
[[nodiscard]] bool needs_newer_record(const stored_filter& f) {
  const bool has_list_capacity = std::visit(
      [](const auto& p) {
        if constexpr (requires { p.list_capacity; }) return p.list_capacity != 0;
        return false;
      },
      f.params);
  return has_list_capacity || edition_of(f.params) != 0;
}

template <class Parameters>
std::uint8_t edition_of_one(const Parameters& p, std::uint8_t if_folded) noexcept {
  if constexpr (Parameters::which == scheme::sealed) return sealed_edition;
  if constexpr (Parameters::which == scheme::ledger) return ledger_edition;
  if constexpr (requires { p.folds; }) return if_folded;
  return 0;
}

}  // namespace

std::uint8_t newest_edition(scheme which) noexcept {
  std::uint8_t newest = 0;
  [&]<std::size_t... Index>(std::index_sequence<Index...>) {
    const auto look_at = [&]<class P>(const P& p) {
      if (P::which == which) newest = edition_of_one(p, folded_edition);
    };
    (look_at(std::variant_alternative_t<Index, parameters>{}), ...);
  }(std::make_index_sequence<std::variant_size_v<parameters>>{});
  return newest;
}
std::uint8_t edition_of(const parameters& p) noexcept {
  const std::uint8_t if_folded = folds_of(p) != 0 ? folded_edition : std::uint8_t{0};
  return std::visit([&](const auto& q) { return edition_of_one(q, if_folded); }, p);
}

std::uint32_t version_of(const file_contents& contents) {
  const bool newer = has_origin_to_say(contents.origin) || !contents.skipped.empty() ||
                     std::ranges::any_of(contents.filters, needs_newer_record);
  return newer ? version : plain_version;
}

std::vector<std::byte> header_of(const file_contents& contents, const layout& at, std::uint64_t table_checksum) {
  if (at.header_bytes > most_header_bytes) {
    throw parameter_error("a file has no room for " + std::to_string(contents.filters.size()) + " filters");
  }
  std::vector<std::byte> header(at.header_bytes);
  std::vector<std::uint64_t> sizes;
  const std::vector<std::byte> sections = sections_of(contents);
  preamble first{.format = version_of(contents),
                 .header_bytes = static_cast<std::uint32_t>(at.header_bytes),
                 .file_bytes = at.file_bytes,
                 .data_offset = at.data_offset,
                 .table_checksum = table_checksum,
                 .flags = contents.grows ? flag_grows : 0,
                 .keys = static_cast<std::uint32_t>(contents.kind),
                 .filters = static_cast<std::uint32_t>(contents.filters.size())};
  if (contents.grows) first.grows = *contents.grows;
  field_writer preamble_writer(header.data(), sizes);
  preamble_fields(preamble_writer, first);
  for (std::size_t i = 0; i < sizeof magic; ++i) header[i] = static_cast<std::byte>(magic[i]);
  for (std::size_t i = 0; i < contents.filters.size(); ++i) {
    const stored_filter& f = contents.filters[i];
    const overflow_state& o = f.overflowed;
    field_writer writer(header.data() + preamble_bytes + record_bytes * i, sizes);
    const record r{.scheme = static_cast<std::uint32_t>(scheme_of(f.params)),
                   .keys = f.keys,
                   .planned_keys = f.planned_keys,
                   .planned_fpr = f.planned_fpr,
                   .blocks_offset = at.filters[i].blocks,
                   .blocks_bytes = at.filters[i].blocks_bytes,
                   .slots_offset = at.filters[i].slots,
                   .slots_bytes = at.filters[i].slots_bytes,
                   .overflow_keys = o.keys,
                   .spent = o.spent,
                   .overflow_flags = (o.holds_zero ? 1U : 0U) | (o.budget_spent ? 2U : 0U),
                   .forced = o.forced,
                   .edition = edition_of(f.params),
                   .value_bits = f.value_bits};
    record_fields(writer, r);
    std::visit([&](const auto& p) { parameter_fields(writer, p); }, f.params);
  }
  const std::uint64_t sizes_at = preamble_bytes + record_bytes * contents.filters.size();
  for (std::size_t i = 0; i < sizes.size(); ++i) bits::store_word(header.data() + sizes_at, i, sizes[i]);
  std::copy(sections.begin(), sections.end(), header.end() - static_cast<std::ptrdiff_t>(sections.size()));
  bits::store_word(header.data() + in_preamble::header_checksum, 0, checksum(header));
  return header;
}

}  // namespace sluice::detail::file
