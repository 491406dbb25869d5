// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "sluice/extend/single_header.hpp"

#include "file/layout.hpp"
#include "file/parse.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/numbers.hpp"

namespace sluice::extend {

using detail::bits::load_word;
using detail::file::preamble_bytes;
using detail::file::refuse;
namespace in_preamble = detail::file::in_preamble;

std::vector<std::byte> single_header_of(const stored_filter& f, key_kind kind,
                                        const std::optional<key_origin>& origin) {
  const file_contents contents{.kind = kind, .filters = {f}, .origin = origin};
  return detail::file::header_of(
      contents,
      detail::file::layout_for({{bytes_for(f.params), f.overflowed.slots.size(), detail::file::subtables_of(f.params)}},
                               detail::file::sections_of(contents).size()),
      0);
}

std::optional<std::uint64_t> single_header_bytes(std::span<const std::byte> bytes) {
  if (bytes.size() < preamble_bytes) return std::nullopt;
  return number_at(bytes, in_preamble::header_bytes, 4);
}

announced_filter parse_single_header(const std::string& name, std::span<const std::byte> header, bool any_kind) {
  if (header.size() < preamble_bytes) refuse(name, header.size(), "the header was cut off");
  const std::uint64_t file_bytes = load_word(header.data() + in_preamble::file_bytes, 0);
  const detail::file::header_contents said = detail::file::parse_header(name, header, file_bytes);
  if (said.at.header_bytes != header.size()) refuse(name, header.size(), "something follows the header");
  detail::file::require_held(name, said.contents, detail::file::held::filters);
  if (said.contents.grows) refuse(name, in_preamble::flags, "this is a chain, not one filter");
  if (!any_kind && said.contents.kind != key_kind::bytes)
    refuse(name, in_preamble::keys, "the keys are not of kind bytes");
  if (load_word(header.data() + in_preamble::table_checksum, 0) != 0) {
    refuse(name, in_preamble::table_checksum, "a header alone has no table of checksums");
  }
  const detail::file::layout::positions& at = said.at.filters.front();
  return {said.contents.kind, said.contents.filters.front(), at.blocks_bytes, at.slots_bytes, said.contents.origin};
}

void take_list(const std::string& name, announced_filter& to, std::span<const std::byte> slots) {
  if (slots.size() != to.slots_bytes) refuse(name, 0, "the exact list is not as long as the header says");
  to.filter.overflowed.slots = slots;
  detail::file::check_list(name, 0, to.filter.params, to.filter.overflowed);
}

}  // namespace sluice::extend
