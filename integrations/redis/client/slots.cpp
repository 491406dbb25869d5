// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "client/slots.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "sluice/errors.hpp"

namespace sluice::redis {

namespace {

constexpr std::array<std::uint16_t, 256> crc_table = [] {
  std::array<std::uint16_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte << 8;
    for (int bit = 0; bit < 8; ++bit) rest = (rest << 1) ^ ((rest & 0x8000U) != 0 ? 0x1021U : 0U);
    table[byte] = static_cast<std::uint16_t>(rest);
  }
  return table;
}();

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number n{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (failed != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return n;
}

/// What stands before the next `end`, which is taken away with it.
std::string_view take_until(std::string_view& text, char end) {
  const std::size_t at = text.find(end);
  const std::string_view word = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  return word;
}

}  // namespace

std::uint16_t crc16(std::string_view bytes) noexcept {
  std::uint32_t crc = 0;
  for (const char c : bytes) crc = (crc << 8 & 0xffffU) ^ crc_table[(crc >> 8 ^ static_cast<unsigned char>(c)) & 0xffU];
  return static_cast<std::uint16_t>(crc);
}

std::uint16_t slot_of(std::string_view key) noexcept {
  const std::size_t open = key.find('{');
  if (open != std::string_view::npos) {
    const std::size_t close = key.find('}', open + 1);
    // Empty braces are none, and the whole of the key counts.
    if (close != std::string_view::npos && close > open + 1) key = key.substr(open + 1, close - open - 1);
  }
  return static_cast<std::uint16_t>(crc16(key) % all_slots);
}

std::string text_of(const endpoint& e) {
  const bool colons = e.host.find(':') != std::string::npos;
  return (colons ? "[" + e.host + "]" : e.host) + ":" + std::to_string(e.port);
}

endpoint parse_endpoint(std::string_view text) {
  endpoint e;
  std::string_view host = text;
  const std::size_t colon = text.rfind(':');
  const bool bracketed = text.starts_with('[');
  const bool ends_in_port = bracketed ? text.find(']') < colon : text.find(':') == colon;  // else they are IPv6's
  if (colon != std::string_view::npos && ends_in_port) {
    const auto port = number_of<std::uint16_t>(text.substr(colon + 1));
    if (!port || *port == 0) throw parameter_error("'" + std::string(text) + "' has no port from 1 to 65535");
    e.port = *port;
    host = text.substr(0, colon);
  }
  if (bracketed && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host.empty()) throw parameter_error("'" + std::string(text) + "' names no host; write HOST:PORT");
  e.host = host;
  return e;
}

std::optional<redirection> parse_redirection(std::string_view error, const endpoint& asked) {
  redirection r;
  const auto take_word = [&] { return take_until(error, ' '); };
  const std::string_view what = take_word();
  if (what != "MOVED" && what != "ASK") return std::nullopt;
  r.only_now = what == "ASK";
  const auto slot = number_of<std::uint16_t>(take_word());
  const std::string_view where = take_word();
  const std::size_t colon = where.rfind(':');  // hosts may have colons of their own
  if (!slot || *slot >= all_slots || colon == std::string_view::npos) return std::nullopt;
  const auto port = number_of<std::uint16_t>(where.substr(colon + 1));
  if (!port) return std::nullopt;
  r.slot = *slot;
  r.to = {colon == 0 ? asked.host : std::string(where.substr(0, colon)), *port};
  return r;
}

std::optional<std::uint32_t> parse_replicas(std::string_view nodes) {
  std::string_view own;
  std::vector<std::string_view> primaries;  // of each replica, its own
  while (!nodes.empty()) {
    std::string_view line = take_until(nodes, '\n');
    const std::string_view id = take_until(line, ' ');
    static_cast<void>(take_until(line, ' '));  // where it is
    std::string_view flags = take_until(line, ' ');
    const std::string_view primary = take_until(line, ' ');
    bool replica = false;
    bool gone = false;
    while (!flags.empty()) {
      const std::string_view flag = take_until(flags, ',');
      if (flag == "myself") own = id;
      replica = replica || flag == "slave";
      gone = gone || flag == "fail" || flag == "handshake" || flag == "noaddr";  // not "fail?", which is a doubt
    }
    if (replica && !gone) primaries.push_back(primary);
  }
  if (own.empty()) return std::nullopt;
  return static_cast<std::uint32_t>(std::count(primaries.begin(), primaries.end(), own));
}

void slot_map::clear() {
  nodes_.clear();
  owners_.assign(all_slots, 0);
}

std::uint32_t slot_map::number_of(const endpoint& e) {
  const auto there = std::find(nodes_.begin(), nodes_.end(), e);
  if (there != nodes_.end()) return static_cast<std::uint32_t>(there - nodes_.begin());
  nodes_.push_back(e);
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

void slot_map::set(std::uint32_t first, std::uint32_t last, const endpoint& primary) {
  if (owners_.empty()) clear();
  const std::uint32_t number = number_of(primary);
  for (std::uint32_t slot = first; slot <= std::min(last, all_slots - 1); ++slot) owners_[slot] = number + 1;
}

void slot_map::move(std::uint16_t slot, const endpoint& to) {
  if (owners_.empty()) clear();
  owners_[slot] = number_of(to) + 1;
}

const endpoint* slot_map::owner(std::uint16_t slot) const noexcept {
  if (owners_.empty() || owners_[slot] == 0) return nullptr;
  return &nodes_[owners_[slot] - 1];
}

}  // namespace sluice::redis
