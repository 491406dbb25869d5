// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// data_type: chains as values of keys: saved, loaded, copied, measured and freed by the server. There are two types,
// one for each family of commands, so that TYPE tells them apart and neither takes the other's payload.
//
//   RDB   the header of encoding.hpp, then the data of the links in strings of at most 16 MiB
//   AOF   BF.LOADCHUNK key 1 header, then BF.LOADCHUNK key n data for each piece, as BF.SCANDUMP gives them; of ledgers
//         CF.LOADCHUNK. Of a filter that is being loaded, what has arrived: more would make it complete
//
// Invariants: what is loaded equals what was saved, byte for byte. A payload that is cut off, changed or made up is an
// error of RESTORE or of the server's start, never a crash. A child of the server that cannot write a filter ends, so
// that the server keeps the file that it had. No exception leaves a function here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>

#include "chain.hpp"
#include "module_api.hpp"

namespace sluice::redis {

/// The name of a type: nine characters, as the server demands.
[[nodiscard]] constexpr const char* type_name(family of) noexcept {
  return of == family::ledger ? "sluice-cf" : "sluice-bf";
}
inline constexpr int type_version = 1;
/// The command that takes the pieces of such a chain.
[[nodiscard]] constexpr const char* loading_command(family of) noexcept {
  return of == family::ledger ? "CF.LOADCHUNK" : "BF.LOADCHUNK";
}

/// False if the server refuses.
[[nodiscard]] bool register_types(context* ctx);

/// What a key holds; a filter is one of the family that was asked for.
enum class holding : std::uint8_t { nothing, filter, something_else };

/// A key that is open, as long as this lives.
class open_chain {
public:
  open_chain(context* ctx, text* name, int mode, family of = family::bloom);
  open_chain(const open_chain&) = delete;
  open_chain& operator=(const open_chain&) = delete;
  open_chain(open_chain&&) = delete;
  open_chain& operator=(open_chain&&) = delete;
  ~open_chain();

  [[nodiscard]] holding holds() const noexcept { return holds_; }
  /// Something else, which the other family of commands is for.
  [[nodiscard]] bool holds_the_other_family() const noexcept { return other_family_; }
  /// None unless it holds one.
  [[nodiscard]] chain* value() const noexcept { return value_; }
  /// Precondition: it is open to be written to, and holds nothing or a filter, which is freed.
  void put(std::unique_ptr<chain> c);

private:
  key_handle* key_;
  holding holds_ = holding::nothing;
  bool other_family_ = false;
  chain* value_ = nullptr;
};

/// Calls give(number, bytes) for the header and then for every piece of the first `most` bytes of the data: numbers are
/// those of BF.SCANDUMP and BF.LOADCHUNK, the place after the piece.
template <class Give>
void give_pieces(const chain& c, std::uint64_t most, const Give& give);

}  // namespace sluice::redis

#include "encoding.hpp"

template <class Give>
void sluice::redis::give_pieces(const chain& c, std::uint64_t most, const Give& give) {
  give(std::uint64_t{1}, std::span<const std::byte>(encoded_header(c)));
  for (std::uint64_t at = 0; at < most;) {
    const std::span<const std::byte> piece = c.data_at(at, std::min<std::uint64_t>(most_chunk_bytes, most - at));
    at += piece.size();
    give(at + 1, piece);
  }
}
