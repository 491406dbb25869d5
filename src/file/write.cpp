// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "file/write.hpp"

#include <string>

#include "file/layout.hpp"
#include "file/parse.hpp"
#include "sluice/errors.hpp"
#include "sluice/file.hpp"

namespace sluice::detail::file {

void require_readable(const file_contents& contents, const layout& at) {
  const std::string name = "the new file";
  try {
    static_cast<void>(parse_header(name, header_of(contents, at, 0), at.file_bytes));
    check_lists(name, at, contents);
  } catch (const file_error& e) {
    throw parameter_error(std::string("nothing was written, because it could not be read again: ") + e.what());
  }
}

}  // namespace sluice::detail::file
