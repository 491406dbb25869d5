#include "keys/capture.hpp"

#include <fmt/format.h>
#include <pcap/pcap.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>

#include "keys/packed_file.hpp"
#include "sluice/errors.hpp"

namespace sluice_keys {
namespace {

using bytes = std::basic_string_view<unsigned char>;

std::uint32_t big_endian_16(bytes b, std::size_t at) { return static_cast<std::uint32_t>(b[at]) << 8 | b[at + 1]; }

constexpr std::uint32_t ipv4 = 0x0800;
constexpr std::uint32_t ipv6 = 0x86dd;

/// The packet from its IP header on, if there is one.
std::optional<bytes> network_layer(int link, bytes frame) {
  const auto of_type = [&](std::uint32_t type, std::size_t header) -> std::optional<bytes> {
    if (type != ipv4 && type != ipv6) return std::nullopt;
    if (frame.size() <= header) return std::nullopt;
    return frame.substr(header);
  };
  switch (link) {
    case DLT_EN10MB: {
      std::size_t at = 12;
      while (frame.size() >= at + 2) {
        const std::uint32_t type = big_endian_16(frame, at);
        const bool tagged = type == 0x8100 || type == 0x88a8 || type == 0x9100;
        if (!tagged) return of_type(type, at + 2);
        at += 4;
      }
      return std::nullopt;
    }
    case DLT_RAW:
    case DLT_IPV4:
    case DLT_IPV6:
      return frame.empty() ? std::nullopt : std::optional(frame);
    case DLT_LINUX_SLL:
      return frame.size() < 16 ? std::nullopt : of_type(big_endian_16(frame, 14), 16);
    case DLT_NULL:
    case DLT_LOOP:
      return frame.size() <= 4 ? std::nullopt : std::optional(frame.substr(4));
    default:
      return std::nullopt;
  }
}

constexpr bool has_ports(unsigned char protocol) { return protocol == 6 || protocol == 17 || protocol == 132; }

/// protocol, source, destination, ports; empty if the packet has none, or too little of it was captured.
std::string five_tuple(bytes packet) {
  const unsigned version = packet[0] >> 4;
  std::string key;
  const auto append = [&](std::size_t from, std::size_t count) {
    key.append(reinterpret_cast<const char*>(packet.data()) + from, count);
  };
  if (version == 4) {
    const std::size_t header = std::size_t{4} * (packet[0] & 15U);
    if (header < 20 || packet.size() < header) return {};
    const bool first_fragment = (big_endian_16(packet, 6) & 0x1fffU) == 0;
    key.push_back(static_cast<char>(packet[9]));
    append(12, 8);
    if (!has_ports(packet[9]) || !first_fragment) {
      key.append(4, '\0');
    } else {
      if (packet.size() < header + 4) return {};
      append(header, 4);
    }
    return key;
  }
  if (version == 6) {
    constexpr std::size_t header = 40;
    if (packet.size() < header) return {};
    // Hop-by-hop, routing and destination options are stepped over.
    unsigned char protocol = packet[6];
    std::size_t at = header;
    while ((protocol == 0 || protocol == 43 || protocol == 60) && packet.size() >= at + 2) {
      protocol = packet[at];
      at += std::size_t{8} * (packet[at + 1] + 1U);
    }
    key.push_back(static_cast<char>(protocol));
    append(8, 32);
    if (!has_ports(protocol)) {
      key.append(4, '\0');
    } else {
      if (packet.size() < at + 4) return {};
      append(at, 4);
    }
    return key;
  }
  return {};
}

struct close_capture {
  void operator()(pcap_t* p) const noexcept { pcap_close(p); }
};

}  // namespace

capture_summary read_capture(const std::string& file, capture_key what,
                             const std::function<void(std::string_view)>& take) {
  packed_file in(file);
  std::array<char, PCAP_ERRBUF_SIZE> reason{};
  // The capture owns the stream from here on, unless it could not be opened.
  const std::unique_ptr<pcap_t, close_capture> capture(pcap_fopen_offline(in.get(), reason.data()));
  if (!capture) throw sluice::error(fmt::format("{} is not a packet capture: {}", file, reason.data()));
  in.release();
  const int link = pcap_datalink(capture.get());
  capture_summary summary;
  pcap_pkthdr* header = nullptr;
  const unsigned char* data = nullptr;
  for (;;) {
    const int result = pcap_next_ex(capture.get(), &header, &data);
    if (result == PCAP_ERROR_BREAK) break;
    if (result != 1) {
      summary.warning =
          fmt::format("{} ends in the middle of packet {}: {}", file, summary.packets + 1, pcap_geterr(capture.get()));
      break;
    }
    ++summary.packets;
    const bytes frame(data, header->caplen);
    const auto packet = network_layer(link, frame);
    if (what == capture_key::packet) {
      const bytes key = packet.value_or(frame);
      take(std::string_view(reinterpret_cast<const char*>(key.data()), key.size()));
      continue;
    }
    const std::string key = packet ? five_tuple(*packet) : std::string();
    if (key.empty()) {
      ++summary.skipped;
    } else {
      take(key);
    }
  }
  return summary;
}

}  // namespace sluice_keys
