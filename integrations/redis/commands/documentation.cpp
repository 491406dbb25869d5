// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "commands/documentation.hpp"

#include <algorithm>

namespace sluice::redis {

documented_arguments::documented_arguments(std::string_view line) {
  words_.reserve(2 * static_cast<std::size_t>(std::ranges::count(line, ' ')) + 2);  // arguments point to them
  const auto keep = [&](std::string_view word) { return words_.emplace_back(word).c_str(); };
  while (!line.empty()) {
    std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(line.size(), word.size() + 1));
    command_argument a;
    if (word.starts_with('[')) {
      a.flags |= argument_flags::optional;
      word = word.substr(1, word.size() - 2);
    }
    if (word.ends_with("...")) {
      a.flags |= argument_flags::multiple;
      word.remove_suffix(3);
    }
    const std::size_t equals = word.find('=');
    const bool is_word = equals == std::string_view::npos && word.front() >= 'A' && word.front() <= 'Z';
    if (is_word || equals != std::string_view::npos) {
      a.token = keep(word.substr(0, equals));
      word.remove_prefix(is_word ? 0 : equals + 1);
    }
    const std::size_t colon = word.find(':');
    const std::string_view type = colon == std::string_view::npos ? "" : word.substr(colon + 1);
    std::string name(word.substr(0, colon));
    if (is_word)
      std::ranges::transform(name, name.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; });
    a.name = keep(name);
    if (is_word) {
      a.type = argument_type::word;
    } else if (name == "key") {
      a.type = argument_type::key;
      a.key_specification = 0;
    } else if (type == "int") {
      a.type = argument_type::integer;
    } else if (type == "double") {
      a.type = argument_type::real;
    }
    arguments_.push_back(a);
  }
  arguments_.emplace_back();
}

}  // namespace sluice::redis
