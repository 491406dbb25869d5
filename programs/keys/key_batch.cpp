// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "keys/key_batch.hpp"

#include <bit>
#include <string>
#include <string_view>

#include "sluice/extend/bulk.hpp"

namespace sluice_keys {
namespace {

template <class Number>
void append_little_endian(std::string& out, Number n) {
  if constexpr (std::endian::native == std::endian::little) {
    out.append(reinterpret_cast<const char*>(&n), sizeof n);
  } else {
    for (std::size_t i = 0; i < sizeof n; ++i) out.push_back(static_cast<char>(n >> (8 * i)));
  }
}

}  // namespace

void key_batch::make_digests(const sluice::hasher& hash, std::vector<sluice::digest>& out) const {
  out.resize(size());
  visit([&](const auto& keys) { sluice::extend::hash_keys(hash, std::span(keys), out.data()); });
}

void key_batch::append_records(std::span<const std::uint8_t> answers, std::uint8_t wanted, std::string& out) const {
  auto without = wanted == 0 ? keyless.begin() : keyless.end();
  for (std::size_t i = 0; i < size(); ++i) {
    for (; without != keyless.end() && without->before == i; ++without) out += without->record;
    if (answers[i] != wanted) continue;
    if (!records.empty()) {
      out += records[i];
    } else if (kind == sluice::key_kind::u64) {
      append_little_endian(out, u64[i]);
    } else if (kind == sluice::key_kind::u32) {
      append_little_endian(out, u32[i]);
    } else {
      out += texts[i];
      out += '\n';
    }
  }
  for (; without != keyless.end(); ++without) out += without->record;
}

void key_batch::append_with_values(std::span<const std::uint8_t> known, std::span<const std::uint32_t> of_each,
                                   char delimiter, bool ends_with_cr, std::string& out) const {
  for (std::size_t i = 0; i < size(); ++i) {
    if (known[i] == 0) continue;
    std::string_view end = "\n";
    if (!records.empty()) {
      const std::string_view record = records[i];
      const std::size_t ends = end_of_record(record, ends_with_cr);
      end = record.substr(record.size() - ends);
      out += record.substr(0, record.size() - ends);
    } else if (kind == sluice::key_kind::bytes) {
      out += texts[i];
    } else {
      out += std::to_string(kind == sluice::key_kind::u64 ? u64[i] : u32[i]);
    }
    out += delimiter;
    out += std::to_string(of_each[i]);
    out += end;
  }
}

}  // namespace sluice_keys
