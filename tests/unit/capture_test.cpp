// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Packet captures as keys. Captures are made here, byte by byte.
#include "keys/capture.hpp"

#include <gtest/gtest.h>
#include <zstd.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sluice/errors.hpp"
#include "support/temporary_folder.hpp"

namespace {

using sluice_keys::capture_key;
using sluice_keys::read_capture;

std::string number(std::uint64_t value, int bytes, bool big) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * (big ? bytes - 1 - i : i)));
  return out;
}

constexpr std::uint32_t ethernet = 1;
constexpr std::uint32_t raw_ip = 101;
constexpr std::uint32_t linux_cooked_2 = 276;
constexpr std::uint32_t wireless = 105;

std::string file_header(std::uint32_t link, std::uint64_t magic = 0xa1b2c3d4) {
  return number(magic, 4, false) + number(2, 2, false) + number(4, 2, false) + number(0, 8, false) +
         number(65535, 4, false) + number(link, 4, false);
}
std::string record(const std::string& packet) {
  return number(1, 4, false) + number(2, 4, false) + number(packet.size(), 4, false) + number(packet.size(), 4, false) +
         packet;
}
/// UDP, or anything else without ports that follow.
std::string packet_v4(std::uint32_t source, std::uint32_t port, int protocol = 17) {
  return number(0x45, 1, true) + number(0, 1, true) + number(28, 2, true) + number(0, 4, true) + number(64, 1, true) +
         number(static_cast<std::uint64_t>(protocol), 1, true) + number(0, 2, true) + number(source, 4, true) +
         number(0x0a000001, 4, true) + number(port, 2, true) + number(53, 2, true) + "data";
}
/// The same on its way back.
std::string reply_v4(std::uint32_t to, std::uint32_t port) {
  const std::string there = packet_v4(to, port);
  return there.substr(0, 12) + there.substr(16, 4) + there.substr(12, 4) + there.substr(22, 2) + there.substr(20, 2) +
         there.substr(24);
}
std::string packet_v6(std::uint64_t source, std::uint32_t port, bool with_options) {
  const std::string options = with_options ? number(17, 1, true) + number(0, 1, true) + std::string(6, '\1') : "";
  return number(0x60, 1, true) + number(0, 3, true) + number(12, 2, true) + number(with_options ? 0 : 17, 1, true) +
         number(64, 1, true) + number(0, 8, true) + number(source, 8, true) + number(0, 8, true) + number(1, 8, true) +
         options + number(port, 2, true) + number(53, 2, true) + "data";
}
std::string frame(const std::string& packet, int vlans = 0) {
  std::string out(12, 'm');
  for (int i = 0; i < vlans; ++i) out += number(i == 0 ? 0x8100 : 0x88a8, 2, true) + number(7, 2, true);
  const bool v6 = (static_cast<unsigned char>(packet[0]) >> 4) == 6;
  return out + number(v6 ? 0x86dd : 0x0800, 2, true) + packet;
}

class capture : public testing::Test {
protected:
  [[nodiscard]] std::string write(const std::string& bytes) const { return folder_.write("test.pcap", bytes); }
  struct keys {
    std::vector<std::string> all;
    sluice_keys::capture_summary summary;
  };
  [[nodiscard]] keys read(const std::string& bytes, capture_key what) const {
    keys k;
    k.summary = read_capture(write(bytes), what, [&](std::string_view key) { k.all.emplace_back(key); });
    return k;
  }

  testing_support::temporary_folder folder_;
};

TEST_F(capture, packets_are_what_follows_the_link_header) {
  const std::string v4 = packet_v4(1, 1000);
  const std::string v6 = packet_v6(2, 2000, false);
  const keys k = read(file_header(ethernet) + record(frame(v4)) + record(frame(v4, 1)) + record(frame(v6, 2)) +
                          record("no IP in here, but a key all the same"),
                      capture_key::packet);
  ASSERT_EQ(k.all.size(), 4U);
  EXPECT_EQ(k.all[0], v4);
  EXPECT_EQ(k.all[1], v4) << "VLAN tags are not part of the packet";
  EXPECT_EQ(k.all[2], v6);
  EXPECT_EQ(k.all[3], "no IP in here, but a key all the same");
  EXPECT_TRUE(k.summary.warning.empty());
  EXPECT_EQ(read(file_header(raw_ip) + record(v4), capture_key::packet).all, std::vector<std::string>{v4});
}

TEST_F(capture, five_tuples_are_flows) {
  const keys k = read(file_header(ethernet) + record(frame(packet_v4(1, 1000))) + record(frame(packet_v4(1, 1000), 2)) +
                          record(frame(packet_v4(1, 1001))) + record(frame(packet_v4(2, 1000))) +
                          record(frame(packet_v4(1, 1000, 6))) + record(frame(packet_v6(9, 1000, false))) +
                          record(frame(packet_v6(9, 1000, true))) + record("nothing"),
                      capture_key::five_tuple);
  ASSERT_EQ(k.all.size(), 7U);
  EXPECT_EQ(k.all[0].size(), 13U);
  EXPECT_EQ(k.all[0], k.all[1]);
  EXPECT_NE(k.all[0], k.all[2]) << "another port";
  EXPECT_NE(k.all[0], k.all[3]) << "another address";
  EXPECT_NE(k.all[0], k.all[4]) << "another protocol";
  EXPECT_EQ(k.all[5].size(), 37U);
  EXPECT_EQ(k.all[5], k.all[6]) << "options are stepped over";
  EXPECT_EQ(k.summary.skipped, 1U);
  EXPECT_EQ(k.summary.packets, 8U);
  // A packet of which too little was captured has no flow; one of a protocol without ports has.
  EXPECT_EQ(read(file_header(raw_ip) + record(packet_v4(1, 2).substr(0, 21)), capture_key::five_tuple).summary.skipped,
            1U);
  EXPECT_EQ(read(file_header(raw_ip) + record(packet_v4(1, 2, 1).substr(0, 20)), capture_key::five_tuple).all.size(),
            1U);
  EXPECT_EQ(read(file_header(raw_ip) + record(""), capture_key::five_tuple).summary.skipped, 1U);
}

/// A packet with these extension headers, each with its number, then UDP.
std::string extended_v6(const std::vector<std::pair<int, std::string>>& headers, std::uint32_t port) {
  std::string chain;
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const int next = i + 1 < headers.size() ? headers[i + 1].first : 17;
    chain += number(static_cast<std::uint64_t>(next), 1, true) + headers[i].second;
  }
  const std::string plain = packet_v6(9, port, false);
  return plain.substr(0, 6) + number(static_cast<std::uint64_t>(headers.front().first), 1, true) + plain.substr(7, 33) +
         chain + plain.substr(40);
}

TEST_F(capture, flows_of_extended_and_of_cut_packets) {
  const std::string options = number(1, 1, true) + std::string(14, '\1');         // of 16 bytes with the first
  const std::string authentication = number(4, 1, true) + std::string(22, '\1');  // of 24
  const auto fragment = [](std::uint32_t offset) {
    return number(0, 1, true) + number(offset << 3 | 1, 2, true) + number(7, 4, true);
  };
  const auto flow = [&](const std::string& packet) {
    const keys k = read(file_header(raw_ip) + record(packet), capture_key::five_tuple);
    return k.all.empty() ? std::string("none") : k.all.front();
  };
  const std::string plain = flow(packet_v6(9, 1000, false));
  EXPECT_EQ(flow(extended_v6({{0, options}, {43, options}, {60, options}}, 1000)), plain);
  EXPECT_EQ(flow(extended_v6({{51, authentication}}, 1000)), plain);
  EXPECT_EQ(flow(extended_v6({{44, fragment(0)}, {60, options}}, 1000)), plain) << "the first fragment has the ports";
  EXPECT_NE(flow(extended_v6({{44, fragment(0)}}, 1001)), plain);
  const std::string later = flow(extended_v6({{44, fragment(100)}}, 1000));
  EXPECT_EQ(later, plain.substr(0, 33) + std::string(4, '\0')) << "a later one has none";
  // Cut off at any byte, a packet has its flow or none.
  const std::string whole = extended_v6({{0, options}, {44, fragment(0)}}, 1000);
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    EXPECT_EQ(flow(whole.substr(0, size)), size < 40 + 16 + 8 + 4 ? "none" : plain) << size;
  }
}

// docs/keys.md has the same bytes.
TEST_F(capture, five_tuples_byte_by_byte) {
  const keys v4 = read(file_header(raw_ip) + record(packet_v4(0xc0a80102, 0x1234)), capture_key::five_tuple);
  EXPECT_EQ(v4.all, (std::vector<std::string>{"\x11" + number(0xc0a80102, 4, true) + number(0x0a000001, 4, true) +
                                              number(0x1234, 2, true) + number(53, 2, true)}));
  const keys v6 = read(file_header(raw_ip) + record(packet_v6(9, 0x1234, false)), capture_key::five_tuple);
  EXPECT_EQ(v6.all, (std::vector<std::string>{"\x11" + number(0, 8, true) + number(9, 8, true) + number(0, 8, true) +
                                              number(1, 8, true) + number(0x1234, 2, true) + number(53, 2, true)}));
}

TEST_F(capture, a_flow_and_the_one_back_are_one_key_if_wanted) {
  using shape = sluice_keys::input_format::shape;
  const auto flows = [&](const std::string& packets, bool both) {
    const auto reader = sluice_keys::open_capture(write(file_header(raw_ip) + packets),
                                                  {.made = {.what = shape::pcap_five_tuple, .both_directions = both}});
    sluice_keys::key_batch batch;
    EXPECT_TRUE(reader->next(batch));
    return std::vector<std::string>(batch.texts.begin(), batch.texts.end());
  };
  for (const std::uint32_t address : {0x01000001U, 0x0a000001U, 0x0a000002U, 0xc0a80102U}) {
    for (const std::uint32_t port : {1U, 53U, 54U, 60000U}) {
      const std::string there_and_back = record(packet_v4(address, port)) + record(reply_v4(address, port));
      const auto one = flows(there_and_back, true);
      EXPECT_EQ(one[0], one[1]) << address << ":" << port;
      const auto two = flows(there_and_back, false);
      EXPECT_EQ(two[0] == two[1], address == 0x0a000001U && port == 53) << address << ":" << port;
      EXPECT_TRUE(one[0] == two[0] || one[0] == two[1]) << "it is the key of one of the two";
    }
  }
  // The smaller endpoint comes first, as bytes: the address, then the port.
  EXPECT_EQ(flows(record(packet_v4(0x0a000001, 60)), true)[0].substr(9), number(53, 2, true) + number(60, 2, true));
  // Two flows between the same ports of other addresses stay two.
  const auto others = flows(record(packet_v4(1, 53)) + record(packet_v4(2, 53)), true);
  EXPECT_NE(others[0], others[1]);
  const auto six = flows(record(packet_v6(9, 7, false)), true);
  EXPECT_EQ(six[0].substr(1, 16), number(0, 8, true) + number(1, 8, true)) << "the smaller address comes first";
}

// A packet without a key is printed with what is absent, in its place.
TEST_F(capture, packets_without_a_key_are_records) {
  const std::string first = file_header(ethernet) + record("nothing") + record(frame(packet_v4(1, 1)));
  const std::string whole = first + record("nothing, too");
  const auto reader = sluice_keys::open_capture(
      write(whole), {.made = {.what = sluice_keys::input_format::shape::pcap_five_tuple}, .records = true});
  sluice_keys::key_batch batch;
  ASSERT_TRUE(reader->next(batch));
  ASSERT_EQ(batch.size(), 1U);
  const std::vector<std::uint8_t> no = {0};
  std::string absent;
  batch.append_records(no, 0, absent);
  EXPECT_EQ(batch.preface + absent, whole);
  std::string present;
  batch.append_records(no, 1, present);
  EXPECT_EQ(present, "");
}

TEST_F(capture, links_are_known_or_refused) {
  const std::string cooked = number(0x0800, 2, true) + std::string(18, 'h') + packet_v4(1, 1);
  EXPECT_EQ(read(file_header(linux_cooked_2) + record(cooked), capture_key::five_tuple).all,
            read(file_header(raw_ip) + record(packet_v4(1, 1)), capture_key::five_tuple).all);
  EXPECT_THROW(static_cast<void>(read(file_header(wireless) + record("frame"), capture_key::five_tuple)),
               sluice::error);
  EXPECT_EQ(read(file_header(wireless) + record("frame"), capture_key::packet).all,
            (std::vector<std::string>{"frame"}));
}

// What is found is printed as it stood: the precision of time, too.
TEST_F(capture, records_are_those_of_the_file) {
  for (const std::uint64_t magic : {0xa1b2c3d4U, 0xa1b23c4dU}) {
    const std::string whole = file_header(raw_ip, magic) + record(packet_v4(1, 1)) + record(packet_v4(2, 2));
    const auto reader = sluice_keys::open_capture(
        write(whole), {.made = {.what = sluice_keys::input_format::shape::pcap_packet}, .records = true});
    sluice_keys::key_batch batch;
    ASSERT_TRUE(reader->next(batch));
    std::string again = batch.preface;
    for (const std::string_view one : batch.records) again += one;
    EXPECT_EQ(again, whole);
  }
}

TEST_F(capture, cut_off_files_are_read_as_far_as_they_go) {
  const std::string whole = file_header(raw_ip) + record(packet_v4(1, 1)) + record(packet_v4(2, 2));
  const keys k = read(whole.substr(0, whole.size() - 3), capture_key::packet);
  EXPECT_EQ(k.all.size(), 1U);
  EXPECT_NE(k.summary.warning.find("packet 2 cannot be read"), std::string::npos) << k.summary.warning;
  EXPECT_TRUE(read(file_header(raw_ip), capture_key::packet).all.empty());
}

TEST_F(capture, packed_files_are_unpacked_and_cut_off_ones_are_reported) {
  const std::string plain = file_header(raw_ip) + record(packet_v4(1, 1)) + record(packet_v4(2, 2));
  std::string packed(ZSTD_compressBound(plain.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 3));
  EXPECT_EQ(read(packed, capture_key::packet).all.size(), 2U);
  EXPECT_EQ(read(packed + packed.substr(0, 0), capture_key::packet).all, read(plain, capture_key::packet).all);
  try {
    const keys k = read(packed.substr(0, packed.size() - 2), capture_key::packet);
    EXPECT_FALSE(k.summary.warning.empty());
  } catch (const sluice::error&) {
    SUCCEED() << "so little was left that it is no capture";
  }
}

// What a query prints for packets is a capture again, with the same packets.
TEST_F(capture, records_make_a_capture) {
  const std::string plain = file_header(raw_ip) + record(packet_v4(1, 1)) + record(packet_v6(2, 2, false));
  const auto reader = sluice_keys::open_capture(
      write(plain), {.made = {.what = sluice_keys::input_format::shape::pcap_five_tuple}, .records = true});
  sluice_keys::key_batch batch;
  ASSERT_TRUE(reader->next(batch));
  ASSERT_EQ(batch.records.size(), 2U);
  std::string again = batch.preface;
  for (const std::string_view r : batch.records) again += r;
  EXPECT_EQ(read(again, capture_key::packet).all, read(plain, capture_key::packet).all);
  EXPECT_EQ(read(again, capture_key::five_tuple).all, read(plain, capture_key::five_tuple).all);
}

// What came before is taken, and then the packet is named.
TEST_F(capture, no_packet_is_longer_than_the_longest) {
  const std::string v4 = packet_v4(1, 1000);
  const std::string path = write(file_header(raw_ip) + record(v4) + record(v4 + "x") + record(v4));
  using shape = sluice_keys::input_format::shape;
  const auto reader = sluice_keys::open_capture(path, {.made = {.what = shape::pcap_packet}, .longest = v4.size()});
  sluice_keys::key_batch batch;
  ASSERT_TRUE(reader->next(batch));
  EXPECT_EQ(batch.texts, (std::vector<std::string_view>{v4}));
  batch.clear();
  try {
    static_cast<void>(reader->next(batch));
    FAIL() << "a long packet is taken";
  } catch (const sluice::error& e) {
    EXPECT_EQ(e.what(), path + ": packet 2: a packet of more than " + std::to_string(v4.size()) +
                            " bytes; --longest-key takes longer ones");
  }
}

TEST_F(capture, what_is_no_capture_is_refused) {
  const auto none = [](std::string_view) {};
  for (const std::string& bytes : {std::string(), std::string("hello"), std::string(100, '\xff')}) {
    EXPECT_THROW(static_cast<void>(read_capture(write(bytes), capture_key::packet, none)), sluice::error);
  }
  EXPECT_THROW(static_cast<void>(read_capture(folder_ / "nowhere", capture_key::packet, none)), sluice::error);
  EXPECT_THROW(static_cast<void>(read_capture(folder_ / ".", capture_key::packet, none)), sluice::error);
}

}  // namespace
