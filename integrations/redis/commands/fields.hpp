// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// commands/fields: replies with names: a table of fields, each with what it says of a subject. The length of a map is
// counted from its table.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "commands/command.hpp"
#include "sluice/extend/names.hpp"

namespace sluice::redis {

template <class Subject>
struct reply_field {
  const char* name;
  void (*reply)(context*, const Subject&);
  bool (*is_there)(const Subject&) = nullptr;  ///< null: always
};

template <class Subject, std::size_t N>
void reply_fields(context* ctx, const std::array<reply_field<Subject>, N>& fields, const Subject& of) {
  const auto is_there = [&](const reply_field<Subject>& f) { return f.is_there == nullptr || f.is_there(of); };
  reply_map(ctx, std::count_if(fields.begin(), fields.end(), is_there));
  for (const reply_field<Subject>& f : fields) {
    if (!is_there(f)) continue;
    reply_name(ctx, f.name);
    f.reply(ctx, of);
  }
}

inline void reply_count(context* ctx, std::uint64_t number) { reply_integer(ctx, static_cast<long long>(number)); }

/// RESP2 has no numbers with fractions: six digits as text, which people can read.
inline void reply_real(context* ctx, double value) {
  if (speaks_resp3(ctx)) {
    reply_double(ctx, value);
    return;
  }
  reply_text(ctx, extend::number_text(value, 6));
}

}  // namespace sluice::redis
