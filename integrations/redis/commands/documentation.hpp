// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// documentation: the arguments of a command as COMMAND DOCS tells them, written in one line:
//
//   key item                         a key, then a string
//   error_rate:double capacity:int   numbers
//   item...                          one or more
//   [NONSCALING]                     a word that may be there
//   [EXPANSION=expansion:int]        a word with a value behind it, both or none
//   [ITEMS=item...]                  the word once, then one or more
//
// Invariant: an argument called key is the first specification of keys of its command.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "module_api.hpp"

namespace sluice::redis {

/// The server copies what it is told: this lives as long as set_command_info needs it.
class documented_arguments {
public:
  explicit documented_arguments(std::string_view line);
  /// Ended by an empty one; null where a command has none.
  [[nodiscard]] const command_argument* all() const noexcept {
    return arguments_.size() == 1 ? nullptr : arguments_.data();
  }

private:
  std::vector<std::string> words_;
  std::vector<command_argument> arguments_;
};

}  // namespace sluice::redis
