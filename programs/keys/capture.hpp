// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Packet captures as keys: every packet, or every flow (5-tuple), in the order of the file.
//
//   packet    the bytes of the IP packet (of the whole frame, where there is no IP)
//   5-tuple   13 bytes for IPv4, 37 for IPv6; packets without one have no key
//
//     bytes, IPv4   IPv6      what, as in the packet (most significant byte first)
//     0             0         protocol (6 TCP, 17 UDP, 132 SCTP, ...)
//     1 to 4        1 to 16   source address
//     5 to 8        17 to 32  destination address
//     9, 10         33, 34    source port; 0 where the protocol has none, and in later fragments
//     11, 12        35, 36    destination port, likewise
//
// Both directions of a flow are one key if that is wanted: of the two endpoints, each an address followed by its port,
// the one whose bytes are smaller takes the place of the source.
//
// Ethernet with any number of VLAN tags, raw IP, Linux cooked (both versions) and BSD loopback captures, pcap and
// pcapng; packed or not. Other links have no 5-tuples for us, which is an error, and so is a file that is cut off, when
// its packets have been read.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "keys/key_reader.hpp"

namespace sluice_keys {

enum class capture_key : std::uint8_t { packet, five_tuple };

struct capture_summary {
  std::uint64_t packets = 0;
  std::uint64_t skipped = 0;  ///< without a 5-tuple
  std::string warning = {};   ///< a sentence, if the file ended before its time: what came before was taken
};

/// Records, if they are wanted, are those of a capture file of the same link type and precision; also of packets that
/// have no key.
[[nodiscard]] std::unique_ptr<key_reader> open_capture(const std::string& file, const input_format& format);

/// Calls take(key) for every packet. Throws sluice::error with the file and the reason if it is no capture.
capture_summary read_capture(const std::string& file, capture_key what,
                             const std::function<void(std::string_view)>& take);

}  // namespace sluice_keys
