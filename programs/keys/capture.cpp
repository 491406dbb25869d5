// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "keys/capture.hpp"

#include <fmt/format.h>
#include <pcap/pcap.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "keys/byte_source.hpp"
#include "keys/piece_reader.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/key_letters.hpp"

namespace sluice_keys {
namespace {

using octets = std::basic_string_view<unsigned char>;

std::uint32_t big_endian_16(octets b, std::size_t at) { return static_cast<std::uint32_t>(b[at]) << 8 | b[at + 1]; }

constexpr std::uint32_t ipv4 = 0x0800;
constexpr std::uint32_t ipv6 = 0x86dd;

/// The packet from its IP header on, if there is one.
std::optional<octets> network_layer(int link, octets frame) {
  const auto of_type = [&](std::uint32_t type, std::size_t header) -> std::optional<octets> {
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
    case DLT_LINUX_SLL2:
      return frame.size() < 20 ? std::nullopt : of_type(big_endian_16(frame, 0), 20);
    case DLT_NULL:
    case DLT_LOOP:
      return frame.size() <= 4 ? std::nullopt : std::optional(frame.substr(4));
    default:
      return std::nullopt;
  }
}

bool knows_link(int link) {
  constexpr int known[] = {DLT_EN10MB, DLT_RAW, DLT_IPV4, DLT_IPV6, DLT_LINUX_SLL, DLT_LINUX_SLL2, DLT_NULL, DLT_LOOP};
  return std::find(std::begin(known), std::end(known), link) != std::end(known);
}

constexpr bool has_ports(unsigned char protocol) { return protocol == 6 || protocol == 17 || protocol == 132; }

// Of IPv6. Headers between its own and that of the protocol: hop-by-hop, routing and destination options, too.
constexpr unsigned char fragment_header = 44;
constexpr unsigned char authentication_header = 51;
constexpr bool is_extension(unsigned char header) {
  return header == 0 || header == 43 || header == fragment_header || header == authentication_header || header == 60;
}

/// protocol, source, destination, ports; empty if the packet has none, or too little of it was captured.
std::string five_tuple(octets packet) {
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
    unsigned char protocol = packet[6];
    std::size_t at = header;
    bool first_fragment = true;
    while (first_fragment && is_extension(protocol)) {
      if (packet.size() < at + 8) return {};
      const unsigned char next = packet[at];
      const std::size_t length = packet[at + 1];
      if (protocol == fragment_header) {
        first_fragment = (big_endian_16(packet, at + 2) & 0xfff8U) == 0;
        at += 8;
      } else {
        at += protocol == authentication_header ? 4 * (length + 2) : 8 * (length + 1);
      }
      protocol = next;
    }
    key.push_back(static_cast<char>(protocol));
    append(8, 32);
    if (!has_ports(protocol) || !first_fragment) {
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

/// A source as the C stream that libpcap wants.
struct source_stream {
  source_stream(const std::string& file, bool unpack) : source(file, unpack) {
    char next[4];
    while (first.size() < sizeof next) {
      const std::size_t some = source.read(next, sizeof next - first.size());
      if (some == 0) break;
      first.append(next, some);
    }
  }
  byte_source source;
  std::string first = {};  ///< bytes, that libpcap gets, too
  std::size_t first_read = 0;
  std::string trouble = {};  ///< what ended it, if it did not end by itself

  /// libpcap wants to know before it reads. pcap in microseconds is the only form that has no more.
  [[nodiscard]] bool has_nanoseconds() const { return first != "\xa1\xb2\xc3\xd4" && first != "\xd4\xc3\xb2\xa1"; }

  static ssize_t read(void* self, char* out, std::size_t room) {
    auto* const s = static_cast<source_stream*>(self);
    try {
      if (s->first_read < s->first.size()) {
        const std::size_t some = s->first.copy(out, room, s->first_read);
        s->first_read += some;
        return static_cast<ssize_t>(some);
      }
      return static_cast<ssize_t>(s->source.read(out, room));
    } catch (const std::exception& e) {  // C must not see it
      s->trouble = e.what();
      errno = EIO;
      return -1;
    }
  }
};

class capture_reader : public key_reader {
  using shape = input_format::shape;

public:
  capture_reader(const std::string& file, const input_format& format)
      : format_(format), stream_(file, format.unpack), name_(stream_.source.name()) {
    std::FILE* const in = ::fopencookie(&stream_, "rb", {source_stream::read, nullptr, nullptr, nullptr});
    if (in == nullptr) throw std::bad_alloc();
    std::array<char, PCAP_ERRBUF_SIZE> reason{};
    const unsigned precision = stream_.has_nanoseconds() ? PCAP_TSTAMP_PRECISION_NANO : PCAP_TSTAMP_PRECISION_MICRO;
    capture_.reset(
        pcap_fopen_offline_with_tstamp_precision(in, precision, reason.data()));  // which closes the stream later
    if (!capture_) {
      std::fclose(in);
      throw sluice::error(fmt::format("{} is not a packet capture: {}", name_,
                                      stream_.trouble.empty() ? std::string(reason.data()) : stream_.trouble));
    }
    if (const int link = pcap_datalink(capture_.get());
        format.made.what == shape::pcap_five_tuple && !knows_link(link)) {
      const char* const described = pcap_datalink_val_to_description_or_dlt(link);
      throw sluice::error(fmt::format("{}: 5-tuples of this link type are not known: {}", name_, described));
    }
    if (format.records) make_preface();
  }

  [[nodiscard]] bool next(key_batch& batch) override {
    batch.preface = preface_;
    // Places first: the memory may still move.
    struct place {
      std::size_t key, key_size, record, record_size;  // without a key: no bytes
    };
    std::vector<place> places;
    batch.memory.clear();
    pcap_pkthdr* header = nullptr;
    const unsigned char* data = nullptr;
    while (!ended_ && batch.memory.size() < batch_bytes) {
      const int result = pcap_next_ex(capture_.get(), &header, &data);
      if (result != 1) {
        ended_ = true;
        if (result != PCAP_ERROR_BREAK) {
          broken_ = fmt::format("{}: packet {} cannot be read: {}", name_, packets_ + 1,
                                stream_.trouble.empty() ? pcap_geterr(capture_.get()) : stream_.trouble);
        }
        break;
      }
      ++packets_;
      const octets frame(data, header->caplen);
      if (frame.size() > format_.longest) {
        ended_ = true;
        broken_ = fmt::format("{}: packet {}: {}", name_, packets_, too_long("a packet", format_.longest));
        break;
      }
      const auto key = key_of(frame);
      if (key.empty()) {
        ++summary_.without_key;
        if (!format_.records) continue;
      }
      place at{append(batch.memory, key), key.size(), batch.memory.size(), 0};
      if (format_.records) {
        at.record = append(batch.memory, record_header(*header));
        append(batch.memory, {reinterpret_cast<const char*>(frame.data()), frame.size()});
        at.record_size = batch.memory.size() - at.record;
      }
      places.push_back(at);
    }
    for (const place& at : places) {
      const std::string_view record(batch.memory.data() + at.record, at.record_size);
      if (at.key_size == 0) {
        batch.keyless.push_back({batch.size(), record});
        continue;
      }
      batch.texts.emplace_back(batch.memory.data() + at.key, at.key_size);
      if (format_.records) batch.records.push_back(record);
    }
    if (places.empty() && !broken_.empty()) throw sluice::error(broken_);
    return !places.empty();
  }
  [[nodiscard]] std::uint64_t consumed() const override { return stream_.source.consumed(); }
  [[nodiscard]] std::uint64_t packets() const noexcept { return packets_; }

private:
  static constexpr std::size_t batch_bytes = std::size_t{1} << 20;

  [[nodiscard]] std::string key_of(octets frame) const {
    const auto packet = network_layer(pcap_datalink(capture_.get()), frame);
    if (format_.made.what == shape::pcap_five_tuple) {
      std::string key = packet ? five_tuple(*packet) : std::string();
      return format_.made.both_directions && !key.empty() ? sluice::extend::either_direction(std::move(key)) : key;
    }
    const octets key = packet.value_or(frame);
    return {reinterpret_cast<const char*>(key.data()), key.size()};
  }
  static std::size_t append(std::vector<char>& memory, std::string_view text) {
    const std::size_t at = memory.size();
    memory.insert(memory.end(), text.begin(), text.end());
    return at;
  }
  /// As in a capture file of this machine.
  [[nodiscard]] static std::string record_header(const pcap_pkthdr& header) {
    const std::uint32_t words[4] = {static_cast<std::uint32_t>(header.ts.tv_sec),
                                    static_cast<std::uint32_t>(header.ts.tv_usec), header.caplen, header.len};
    std::string text(sizeof words, '\0');
    std::memcpy(text.data(), words, sizeof words);
    return text;
  }
  /// libpcap knows what a capture of this link type begins with.
  void make_preface() {
    char* text = nullptr;
    std::size_t size = 0;
    std::FILE* const memory = ::open_memstream(&text, &size);
    if (memory == nullptr) throw std::bad_alloc();
    pcap_dumper_t* const dumper = pcap_dump_fopen(capture_.get(), memory);
    if (dumper == nullptr) {
      std::fclose(memory);
      std::free(text);  // NOLINT(cppcoreguidelines-no-malloc): open_memstream's
      throw sluice::error(fmt::format("{} cannot be written again: {}", name_, pcap_geterr(capture_.get())));
    }
    pcap_dump_close(dumper);
    preface_.assign(text, size);
    std::free(text);  // NOLINT(cppcoreguidelines-no-malloc)
  }

  input_format format_;
  source_stream stream_;
  std::string name_;
  std::unique_ptr<pcap_t, close_capture> capture_;
  std::string preface_;
  std::uint64_t packets_ = 0;
  bool ended_ = false;
  std::string broken_;  // told when what came before was taken
};

}  // namespace

std::unique_ptr<key_reader> open_capture(const std::string& file, const input_format& format) {
  return std::make_unique<capture_reader>(file, format);
}

capture_summary read_capture(const std::string& file, capture_key what,
                             const std::function<void(std::string_view)>& take) {
  using shape = input_format::shape;
  capture_reader reader(file,
                        {.made = {.what = what == capture_key::packet ? shape::pcap_packet : shape::pcap_five_tuple}});
  key_batch batch;
  std::string warning;
  try {
    while (reader.next(batch)) {
      for (const std::string_view key : batch.texts) take(key);
      batch.clear();
    }
  } catch (const sluice::error& e) {
    warning = e.what();
  }
  return {reader.packets(), reader.summary().without_key, warning};
}

}  // namespace sluice_keys
