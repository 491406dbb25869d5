// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// One record of a table, cut into its fields: RFC 4180, where fields may be quoted, with doubled quotes, delimiters and
// line ends inside; or plainly at every delimiter. A record ends with \n or \r\n.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice_keys {

struct record_syntax {
  char delimiter = ',';
  bool quotes = true;
};

struct field {
  std::string_view raw = {};  ///< between the delimiters, or between the quotes
  bool has_quotes = false;    ///< doubled ones, in between
};

struct broken_record {
  std::size_t at;
  const char* reason;
};

/// One record from the beginning of the text: its fields, and how long it is with its end. Nothing if the text may go
/// on, unless it `is_all`. Throws broken_record.
[[nodiscard]] std::optional<std::size_t> parse_record(std::string_view text, const record_syntax& syntax, bool is_all,
                                                      std::vector<field>& fields);

/// What a field says.
[[nodiscard]] std::string unescape(const field& f);

}  // namespace sluice_keys
