// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Columns of a table as keys: CSV as in RFC 4180, or tabs with nothing quoted, which is TSV. Several columns are joined
// (input_format.hpp). With a header, columns are named, or numbered from 1; without one they are numbered. Every record
// has as many fields as the first, but for blank lines, which are skipped where there are several columns. What breaks
// the rules is an error with its place, not a guess.
#pragma once

#include <memory>
#include <string>

#include "keys/key_reader.hpp"

namespace sluice_keys {

[[nodiscard]] std::unique_ptr<key_reader> open_csv(const std::string& file, const input_format& format);

}  // namespace sluice_keys
