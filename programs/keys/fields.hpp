// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Fields of a line. Without a delimiter they are separated by runs of spaces and tabs, and those around the line belong
// to none, as in awk; with one, by every single delimiter, as with cut.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace sluice_keys {

/// Cuts the line. `fields` is cleared first.
void cut_fields(std::string_view line, std::optional<char> delimiter, std::vector<std::string_view>& fields);

}  // namespace sluice_keys
