// One column of a CSV file as keys: RFC 4180 with a header. Fields may be quoted, with doubled quotes, commas and line
// ends inside; a record ends with \n or \r\n. Every record has as many fields as the header, but for blank lines, which
// are skipped. What breaks the rules is an error with its place, not a guess.
#pragma once

#include <memory>
#include <string>

#include "keys/key_reader.hpp"

namespace sluice_keys {

[[nodiscard]] std::unique_ptr<key_reader> open_csv(const std::string& file, const input_format& format);

}  // namespace sluice_keys
