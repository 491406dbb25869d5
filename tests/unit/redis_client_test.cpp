// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What the client of a Redis Cluster knows without one: slots, redirections, and how parts describe themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "client/slots.hpp"
#include "client/spread_filter.hpp"
#include "file/checksum.hpp"
#include "part_header.hpp"
#include "sluice/detail/memory/words.hpp"
#include "sluice/errors.hpp"

namespace sluice::redis {
namespace {

TEST(slots, are_those_of_the_servers) {
  EXPECT_EQ(crc16("123456789"), 0x31C3);  // the check value of CRC-16/XMODEM
  EXPECT_EQ(slot_of("foo"), 12'182);      // CLUSTER KEYSLOT says the same of all these
  EXPECT_EQ(slot_of(""), 0);
  EXPECT_EQ(slot_of("{user1000}.following"), slot_of("user1000"));
  EXPECT_EQ(slot_of("foo{}{bar}"), crc16("foo{}{bar}") % all_slots);
  EXPECT_EQ(slot_of("foo{{bar}}zap"), slot_of("{bar"));
  EXPECT_EQ(slot_of("foo{bar}{zap}"), slot_of("bar"));
  EXPECT_EQ(slot_of("foo{bar"), crc16("foo{bar") % all_slots);
}

TEST(slots, spread_64_parts_evenly_over_three_nodes) {
  std::array<int, 3> parts{};
  constexpr std::array<std::uint32_t, 2> ends = {5461, 10'923};  // as redis-cli deals the slots out
  for (int i = 0; i < 64; ++i) {
    const std::uint16_t slot = slot_of("any{" + std::to_string(i) + "}");
    EXPECT_EQ(slot, slot_of("other{" + std::to_string(i) + "}"));
    ++parts.at(slot < ends[0] ? 0 : slot < ends[1] ? 1 : 2);
  }
  for (const int n : parts) EXPECT_NEAR(n, 21, 1);
}

TEST(endpoints, are_read_and_written) {
  EXPECT_EQ(parse_endpoint("db1"), (endpoint{"db1", 6379}));
  EXPECT_EQ(parse_endpoint("db1:7000"), (endpoint{"db1", 7000}));
  EXPECT_EQ(parse_endpoint("[::1]:7000"), (endpoint{"::1", 7000}));
  EXPECT_EQ(parse_endpoint("[::1]"), (endpoint{"::1", 6379}));
  EXPECT_EQ(parse_endpoint("::1"), (endpoint{"::1", 6379}));
  EXPECT_EQ(parse_endpoint("2001:db8::1:7000"), (endpoint{"2001:db8::1:7000", 6379}));
  EXPECT_EQ(text_of(endpoint{"::1", 7000}), "[::1]:7000");
  EXPECT_EQ(text_of(endpoint{"db1", 7000}), "db1:7000");
  for (const char* const bad : {"", ":7000", "db1:", "db1:0", "db1:65536", "db1:7000x", "db1:-1"}) {
    EXPECT_THROW(static_cast<void>(parse_endpoint(bad)), parameter_error) << bad;
  }
}

TEST(redirections, are_read) {
  const endpoint asked{"here", 1};
  const auto moved = parse_redirection("MOVED 3999 127.0.0.1:6381", asked);
  ASSERT_TRUE(moved);
  EXPECT_FALSE(moved->only_now);
  EXPECT_EQ(moved->slot, 3999);
  EXPECT_EQ(moved->to, (endpoint{"127.0.0.1", 6381}));
  const auto ask = parse_redirection("ASK 16383 ::1:6381", asked);
  ASSERT_TRUE(ask);
  EXPECT_TRUE(ask->only_now);
  EXPECT_EQ(ask->to, (endpoint{"::1", 6381}));
  EXPECT_EQ(parse_redirection("MOVED 1 :7000", asked)->to, (endpoint{"here", 7000}));  // a node without a name
  for (const char* const other : {"", "ERR no such key", "MOVED", "MOVED 1", "MOVED x a:1", "MOVED 16384 a:1",
                                  "MOVED 1 a", "MOVED 1 a:70000", "ASKING 1 a:1", "MOVEDX 1 a:1"}) {
    EXPECT_FALSE(parse_redirection(other, asked)) << other;
  }
}

TEST(slot_map, knows_who_has_what) {
  slot_map map;
  EXPECT_EQ(map.owner(5), nullptr);
  map.set(0, 100, {"a", 1});
  map.set(101, 99'999, {"b", 1});  // more than there are
  ASSERT_NE(map.owner(100), nullptr);
  EXPECT_EQ(*map.owner(100), (endpoint{"a", 1}));
  EXPECT_EQ(*map.owner(all_slots - 1), (endpoint{"b", 1}));
  map.move(100, {"c", 1});
  EXPECT_EQ(*map.owner(100), (endpoint{"c", 1}));
  EXPECT_EQ(*map.owner(99), (endpoint{"a", 1}));
  EXPECT_EQ(map.nodes().size(), 3U);
}

TEST(replicas, are_those_of_the_node_that_was_asked) {
  const std::string own =
      "aaa 127.0.0.1:7000@17000,host myself,master - 0 0 1 connected 0-5460\n"
      "bbb 127.0.0.1:7001@17001 master - 0 1700000000000 2 connected 5461-16383\n"
      "ccc 127.0.0.1:7002@17002 slave bbb 0 1700000000000 2 connected\n";
  EXPECT_EQ(parse_replicas(own), 0U);
  EXPECT_EQ(parse_replicas(own + "ddd 127.0.0.1:7003@17003 slave aaa 0 0 1 connected\n"), 1U);
  EXPECT_EQ(parse_replicas("ddd 127.0.0.1:7003@17003 slave aaa 0 0 1 disconnected\n" + own +
                           "eee :0@0 slave,nofailover aaa 0 0 1 connected\n"),
            2U);
  EXPECT_EQ(parse_replicas(own + "ddd 127.0.0.1:7003@17003 slave,fail? aaa 0 0 1 connected\n"), 1U);  // a doubt
  for (const char* const gone : {"slave,fail", "slave,noaddr", "handshake", "slave,handshake", "master"}) {
    EXPECT_EQ(parse_replicas(own + "ddd 127.0.0.1:7003@17003 " + gone + " aaa 0 0 1 connected\n"), 0U) << gone;
  }
  for (const char* const other : {"", "\n", "OK", "bbb 127.0.0.1:7001@17001 master - 0 0 2 connected\n"}) {
    EXPECT_FALSE(parse_replicas(other)) << other;
  }
}

part_header some_header() {
  return {.part = {.whole = detail::normalised(gated_parameters{
                       .blocks = 1000, .hashes = 15, .trace = 4, .second_hashes = 12, .threshold = 177, .margin = 6}),
                   .number = 2,
                   .parts = 5,
                   .keys = 77,
                   .planned_keys = 10'000,
                   .planned_fpr = 1e-5},
          .kind = key_kind::u64,
          .arrived = 64};
}

TEST(part_header, comes_back_as_it_was_written) {
  const part_header h = some_header();
  const std::vector<std::byte> bytes = encode(h);
  ASSERT_TRUE(is_part_header(bytes));
  const part_header read = parse_part_header(bytes);
  EXPECT_EQ(read.part.whole, h.part.whole);
  EXPECT_EQ(read.part.number, 2U);
  EXPECT_EQ(read.part.parts, 5U);
  EXPECT_EQ(read.part.keys, 77U);
  EXPECT_EQ(read.part.planned_keys, 10'000U);
  EXPECT_EQ(read.part.planned_fpr, 1e-5);
  EXPECT_EQ(read.kind, key_kind::u64);
  EXPECT_EQ(read.arrived, 64U);
  EXPECT_EQ(encode(read), bytes);
}

TEST(part_header, is_refused_when_it_was_changed) {
  const std::vector<std::byte> bytes = encode(some_header());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(static_cast<void>(parse_part_header(std::span(bytes).first(size))), file_error) << size;
  }
  constexpr std::size_t own_fields = 32;  // what follows has a checksum of its own
  for (std::size_t i = own_fields; i < bytes.size(); ++i) {
    std::vector<std::byte> changed = bytes;
    changed[i] ^= std::byte{1};
    EXPECT_THROW(static_cast<void>(parse_part_header(changed)), file_error) << i;
  }
  part_header none = some_header();
  none.part.number = 5;
  EXPECT_THROW(static_cast<void>(parse_part_header(encode(none))), file_error);
  part_header many = some_header();
  many.part.parts = 1'000'000;
  EXPECT_THROW(static_cast<void>(parse_part_header(encode(many))), file_error);
  part_header much = some_header();
  much.arrived = 1'000'000;
  EXPECT_THROW(static_cast<void>(parse_part_header(encode(much))), file_error);
}

// Parts lie in files of servers: what was written must be read for ever, and be written again as it was.
TEST(part_header, has_the_bytes_that_it_always_had) {
  const auto bytes = encode(some_header());
  EXPECT_EQ(bytes.size(), 352U);
  EXPECT_EQ(detail::file::checksum(bytes), 0x1a8664ddf4524005U);
}

/// Part 2 of a sealed filter, with members of its list.
part_header sealed_header(std::span<const std::byte> list) {
  part_header h = some_header();
  h.part.whole = detail::normalised(sealed_parameters{.blocks = 700, .fingerprint_bits = 10, .seed = 3});
  h.part.overflowed = {.slots = list, .keys = list.size() / 8};
  return h;
}

std::vector<std::byte> list_of(const std::vector<std::uint64_t>& members) {
  std::vector<std::byte> list(8 * members.size());
  for (std::size_t i = 0; i < members.size(); ++i) detail::bits::store_word(list.data(), i, members[i]);
  return list;
}

TEST(part_header, of_a_sealed_filter_has_the_list) {
  constexpr std::uint64_t half = std::uint64_t{1} << 63;  // which lies in the third of five parts
  for (const std::vector<std::uint64_t>& members : {std::vector<std::uint64_t>{}, {half - 9, half, half + 1}}) {
    const std::vector<std::byte> list = list_of(members);
    const std::vector<std::byte> bytes = encode(sealed_header(list));
    EXPECT_EQ(bytes.size(), 360 + list.size());
    const part_header read = parse_part_header(bytes);
    EXPECT_TRUE(std::ranges::equal(read.part.overflowed.slots, list));
    EXPECT_EQ(read.part.overflowed.keys, members.size());
    EXPECT_EQ(encode(read), bytes);
    EXPECT_EQ(identity_of(read), identity_of(sealed_header({})));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_THROW(static_cast<void>(parse_part_header(std::span(bytes).first(size))), file_error) << size;
    }
  }
  for (const std::vector<std::uint64_t>& bad :
       {std::vector<std::uint64_t>{half, half - 1}, {half, half}, {0}, {half, ~std::uint64_t{0}}}) {
    const std::vector<std::byte> list = list_of(bad);
    EXPECT_THROW(static_cast<void>(parse_part_header(encode(sealed_header(list)))), file_error);
  }
}

TEST(identity, is_that_of_a_filter_and_its_cut) {
  const part_header h = some_header();
  part_header same = h;
  same.part.number = 0;
  same.part.keys = 0;
  same.arrived = 0;
  same.part.whole = detail::united(h.part.whole);  // a union is the same filter
  EXPECT_EQ(identity_of(same), identity_of(h));
  part_header other = h;
  other.part.parts = 4;
  EXPECT_NE(identity_of(other), identity_of(h));
  other = h;
  other.kind = key_kind::bytes;
  EXPECT_NE(identity_of(other), identity_of(h));
  other = h;
  other.part.planned_fpr = 1e-4;
  EXPECT_NE(identity_of(other), identity_of(h));
  EXPECT_EQ(text_of_identity(0x0123456789abcdef), "0123456789abcdef");
}

TEST(usual_parts, keep_keys_small_and_pages_whole) {
  const auto parts_of = [](std::uint64_t blocks) {
    return usual_parts(detail::normalised(blocked_parameters{.blocks = blocks, .hashes = 8}));
  };
  EXPECT_EQ(parts_of(1), 1U);
  EXPECT_EQ(parts_of(65), 2U);
  EXPECT_EQ(parts_of(1'000'000), 64U);
  const std::uint64_t terabyte = std::uint64_t{1} << 40;
  EXPECT_LE(terabyte / parts_of(terabyte / 64), most_part_bytes);
  EXPECT_THROW(static_cast<void>(usual_parts(detail::normalised(classic_parameters{.bits = 1 << 20, .hashes = 8}))),
               parameter_error);
}

}  // namespace
}  // namespace sluice::redis
