// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "keys/key_reader.hpp"

#include "keys/capture.hpp"
#include "keys/csv.hpp"
#include "keys/delimited.hpp"
#include "keys/fixed_width.hpp"
#include "keys/kmers.hpp"

namespace sluice_keys {

std::unique_ptr<key_reader> open_keys(const std::string& file, const input_format& format) {
  if (format.made.is_delimited()) return open_delimited(file, format);
  if (format.made.is_table()) return open_csv(file, format);
  if (format.made.is_capture()) return open_capture(file, format);
  if (format.key_bytes() != 0) return open_fixed_width(file, format);
  return open_kmers(file, format);
}

}  // namespace sluice_keys
