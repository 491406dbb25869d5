// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "keys/fields.hpp"

#include <algorithm>

namespace sluice_keys {

void cut_fields(std::string_view line, std::optional<char> delimiter, std::vector<std::string_view>& fields) {
  fields.clear();
  if (delimiter) {
    for (std::size_t at = 0;;) {
      const std::size_t end = line.find(*delimiter, at);
      fields.push_back(line.substr(at, end - at));
      if (end == std::string_view::npos) return;
      at = end + 1;
    }
  }
  constexpr std::string_view blanks = " \t";
  for (std::size_t at = 0; (at = line.find_first_not_of(blanks, at)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
    fields.push_back(line.substr(at, end - at));
    at = end;
  }
}

}  // namespace sluice_keys
