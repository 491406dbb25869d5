// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// client/slots: which node of a cluster a key belongs to. A key has one of 16,384 slots: the CRC-16 of what stands in
// its first pair of braces, or of all of it; a node has some of the slots. A node that is asked for a slot of another
// one says whose it is: MOVED, for good, or ASK, for this one time, while the slot is on its way.
// Cost: a table lookup for each byte of a key.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::redis {

inline constexpr std::uint32_t all_slots = 16'384;

/// CRC-16 with the polynomial 0x1021, from 0, not reflected (XMODEM).
[[nodiscard]] std::uint16_t crc16(std::string_view bytes) noexcept;
[[nodiscard]] std::uint16_t slot_of(std::string_view key) noexcept;

struct endpoint {
  std::string host;
  std::uint16_t port = 6379;
  friend auto operator<=>(const endpoint&, const endpoint&) = default;
};
[[nodiscard]] std::string text_of(const endpoint& e);
/// HOST:PORT, HOST or [HOST]:PORT. Throws parameter_error.
[[nodiscard]] endpoint parse_endpoint(std::string_view text);

struct redirection {
  bool only_now = false;  ///< ASK, not MOVED
  std::uint16_t slot = 0;
  endpoint to = {};
};
/// What an error says, if it is one of the two. `asked` has the host where none is named.
[[nodiscard]] std::optional<redirection> parse_redirection(std::string_view error, const endpoint& asked);

/// How many replicas a node has, by its own word: the answer to CLUSTER NODES, which has a line for each node. One that
/// is certainly gone, or was never there, is none; one that may be gone, or has nothing yet, is one. None: that is no
/// such answer.
[[nodiscard]] std::optional<std::uint32_t> parse_replicas(std::string_view nodes);

/// Who has which slots.
class slot_map {
public:
  void clear();
  /// From `first` to `last`.
  void set(std::uint32_t first, std::uint32_t last, const endpoint& primary);
  void move(std::uint16_t slot, const endpoint& to);
  /// None: nobody has it.
  [[nodiscard]] const endpoint* owner(std::uint16_t slot) const noexcept;
  [[nodiscard]] const std::vector<endpoint>& nodes() const noexcept { return nodes_; }

private:
  [[nodiscard]] std::uint32_t number_of(const endpoint& e);

  std::vector<endpoint> nodes_;
  std::vector<std::uint32_t> owners_;  // number of the node + 1; 0: none
};

}  // namespace sluice::redis
