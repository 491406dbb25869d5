// file/single_header: the header of a file that has one filter, alone: what a database keeps beside the blocks, where a
// whole file with its pages of zeros would be too large. It is read with the same suspicion as that of a file.
// Cost: a few hundred bytes; of an exact list, a search for every member.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "file/layout.hpp"
#include "file/parse.hpp"
#include "sluice/errors.hpp"
#include "sluice/file.hpp"

namespace sluice::detail::file {

/// Its checksum covers the header alone. The blocks need not be there.
[[nodiscard]] inline std::vector<std::byte> single_header_of(const stored_filter& f, key_kind keys = key_kind::bytes,
                                                             const std::optional<key_origin>& origin = {}) {
  const file_contents contents{.keys = keys, .filters = {f}, .origin = origin};
  return header_of(contents,
                   layout_for({{bytes_for(f.params), f.overflowed.slots.size(), subtables_of(f.params)}},
                              sections_of(contents).size()),
                   0);
}

/// What such a header says: a filter whose spans are empty, and how many bytes belong there.
struct announced_filter {
  key_kind keys;
  stored_filter filter;
  std::uint64_t blocks_bytes;
  std::uint64_t slots_bytes;
  std::optional<key_origin> origin = std::nullopt;
};

/// Throws file_error, also for a header of something else than one filter; of byte keys, unless `any_keys`.
[[nodiscard]] inline announced_filter parse_single_header(const std::string& name, std::span<const std::byte> header,
                                                          bool any_keys = false) {
  if (header.size() < preamble_bytes) refuse(name, header.size(), "the header was cut off");
  const std::uint64_t file_bytes = bits::load_word(header.data() + in_preamble::file_bytes, 0);
  const header_contents said = parse_header(name, header, file_bytes);
  if (said.at.header_bytes != header.size()) refuse(name, header.size(), "something follows the header");
  require_held(name, said.contents, held::filters);
  if (said.contents.grows) refuse(name, in_preamble::flags, "this is a chain, not one filter");
  if (!any_keys && said.contents.keys != key_kind::bytes) refuse(name, in_preamble::keys, "the keys are no bytes");
  if (bits::load_word(header.data() + in_preamble::table_checksum, 0) != 0) {
    refuse(name, in_preamble::table_checksum, "a header alone has no table of checksums");
  }
  const layout::positions& at = said.at.filters.front();
  return {said.contents.keys, said.contents.filters.front(), at.blocks_bytes, at.slots_bytes, said.contents.origin};
}

/// Gives an announced filter its list. Throws file_error unless it is one that insertions can have made.
inline void take_list(const std::string& name, announced_filter& to, std::span<const std::byte> slots) {
  if (slots.size() != to.slots_bytes) refuse(name, 0, "the exact list is not as long as the header says");
  to.filter.overflowed.slots = slots;
  check_list(name, 0, to.filter.params, to.filter.overflowed);
}

}  // namespace sluice::detail::file
