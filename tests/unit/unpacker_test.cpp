// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Compressed files: every format that is read, whole, one after the other, cut off anywhere and damaged anywhere;
// bombs; and those that are refused by name.
#include "keys/unpacker.hpp"

#include <bzlib.h>
#include <gtest/gtest.h>
#include <lz4frame.h>
#include <lzma.h>
#include <zstd.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/gzip.hpp"
#include "support/peak_memory.hpp"
#include "support/read_keys.hpp"

namespace {

using sluice_keys::recognise;
using testing_support::gzip;
using testing_support::peak_memory;
using testing_support::read_slowly;
using testing_support::read_text;
using testing_support::refusal;
using testing_support::texts;
using std::literals::string_literals::operator""s;

std::string zstd(const std::string& content) {
  std::string packed(ZSTD_compressBound(content.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), content.data(), content.size(), 3));
  return packed;
}

std::string bzip2(std::string content) {
  auto size = static_cast<unsigned>(1000 + content.size() * 2);
  std::string packed(size, '\0');
  EXPECT_EQ(
      BZ2_bzBuffToBuffCompress(packed.data(), &size, content.data(), static_cast<unsigned>(content.size()), 9, 0, 0),
      BZ_OK);
  packed.resize(size);
  return packed;
}

/// With a window of this many bytes.
std::string xz(const std::string& content, std::uint32_t window = 1U << 20) {
  lzma_options_lzma options{};
  EXPECT_EQ(lzma_lzma_preset(&options, 1), 0);
  options.dict_size = window;
  const lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
  std::vector<unsigned char> packed(lzma_stream_buffer_bound(content.size()));
  std::size_t size = 0;
  EXPECT_EQ(lzma_stream_buffer_encode(const_cast<lzma_filter*>(filters), LZMA_CHECK_CRC32, nullptr,
                                      reinterpret_cast<const unsigned char*>(content.data()), content.size(),
                                      packed.data(), &size, packed.size()),
            LZMA_OK);
  return {packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(size)};
}

std::string lz4(const std::string& content) {
  LZ4F_preferences_t preferences{};
  preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
  std::string packed(LZ4F_compressFrameBound(content.size(), &preferences), '\0');
  packed.resize(LZ4F_compressFrame(packed.data(), packed.size(), content.data(), content.size(), &preferences));
  return packed;
}

struct tool {
  const char* name;
  std::string (*pack)(const std::string&);
};
const tool tools[] = {{"zstd", zstd},
                      {"gzip", [](const std::string& c) { return gzip(c); }},
                      {"bzip2", [](const std::string& c) { return bzip2(c); }},
                      {"xz", [](const std::string& c) { return xz(c); }},
                      {"lz4", lz4}};

TEST(unpacker, every_format_is_read) {
  std::string many;
  texts expected;
  for (int i = 0; i < 100'000; ++i) {
    expected.push_back(std::to_string(7 * i));
    many += expected.back() + "\n";
  }
  for (const tool& t : tools) {
    EXPECT_EQ(read_text(t.pack("one\ntwo\n"), {}).keys, (texts{"one", "two"})) << t.name;
    EXPECT_EQ(read_text(t.pack(many), {}).keys, expected) << t.name;
    EXPECT_TRUE(read_text(t.pack(""), {}).keys.empty()) << t.name;
    EXPECT_EQ(read_text(t.pack("one\nt") + t.pack("") + t.pack("wo\n"), {}).keys, (texts{"one", "two"})) << t.name;
    EXPECT_NE(read_text(t.pack("one\n"), {.unpack = false}).keys, (texts{"one"})) << t.name;
    const std::string packed = t.pack("one\ntwo\n");
    for (const std::size_t step : {1U, 3U, 7U}) {
      EXPECT_EQ(read_slowly(packed + packed, {}, step).keys, (texts{"one", "two", "one", "two"})) << t.name << step;
    }
  }
}

TEST(unpacker, what_is_cut_off_is_an_error_with_its_place) {
  for (const tool& t : tools) {
    const std::string packed = t.pack("one\ntwo\n");
    const std::size_t recognised = t.name == "bzip2"s ? 10 : 6;
    for (std::size_t size = recognised; size < packed.size(); ++size) {
      const std::string why = refusal(packed.substr(0, size), {});
      EXPECT_NE(why.find("cut off"), std::string::npos) << t.name << " " << size << why;
      EXPECT_NE(why.find(": byte "), std::string::npos) << why;
      EXPECT_NE(refusal(packed + packed.substr(0, size), {}).find("cut off"), std::string::npos) << t.name << size;
    }
    EXPECT_NE(refusal(packed + "no frame", {})
                  .find(std::to_string(packed.size()) + " of the compressed bytes: it cannot be unpacked"),
              std::string::npos)
        << t.name << refusal(packed + "no frame", {});
  }
}

TEST(unpacker, what_is_damaged_is_an_error) {
  for (const tool& t : tools) {
    const std::string packed = t.pack("one\ntwo\nthree\nfour\n");
    std::size_t noticed = 0;
    for (std::size_t at = 10; at < packed.size(); ++at) {
      std::string damaged = packed;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
      try {
        static_cast<void>(read_text(damaged, {}));
      } catch (const sluice::error&) {
        ++noticed;
      }
    }
    if (t.name == "zstd"s) continue;  // ours have no checksum
    EXPECT_GE(noticed + 12, packed.size() - 10) << t.name << noticed << " of " << packed.size();
  }
}

TEST(unpacker, zeros_fill_up) {
  for (const tool& t : tools) {
    if (t.name == "zstd"s || t.name == "lz4"s) continue;
    EXPECT_EQ(read_text(t.pack("one\n") + std::string(8, '\0') + t.pack("two\n") + std::string(4, '\0'), {}).keys,
              (texts{"one", "two"}))
        << t.name;
  }
}

TEST(unpacker, bombs_are_bounded) {
  const std::size_t longest = std::size_t{1} << 20;
  for (const tool& t : tools) {
    std::string bomb;
    const std::string some = t.pack(std::string(std::size_t{8} << 20, 'a'));
    for (int i = 0; i < 16; ++i) bomb += some;
    const std::size_t before = peak_memory();
    EXPECT_EQ(refusal(bomb, {.longest = longest}),
              ": byte 0: a key of more than 1048576 bytes; --longest-key takes longer ones")
        << t.name;
    EXPECT_LT(peak_memory() - before, 32 * longest) << t.name;
  }
  EXPECT_EQ(read_text(xz("one\n", 128U << 20), {}).keys, (texts{"one"}));
  EXPECT_NE(refusal(xz("one\n", 512U << 20), {}).find("a window of more than 128 MiB"), std::string::npos);
}

TEST(unpacker, other_formats_are_refused_by_name) {
  const std::pair<std::string, std::string> others[] = {
      {"PK\x03\x04\x14"s, "a zip archive"},
      {"PK\x05\x06\0"s, "a zip archive"},
      {"7z\xbc\xaf\x27\x1c\0"s, "a 7z archive"},
      {"Rar!\x1a\x07\x01\0"s, "a rar archive"},
      {"\x1f\x9d\x90more"s, "compressed by compress"},
      {"\x1f\x9d\x8cmore"s, "compressed by compress"},
      {"LZIP\x01\x0c"s, "compressed by lzip"},
      {"\x5d\0\0\x80\0\xff\xff\xff\xff\xff\xff\xff\xff\0"s, "compressed by lzma"},
      {"\x89LZO\0\r\n\x1a\n"s, "compressed by lzop"},
      {"\xff\x06\0\0sNaPpY"s, "compressed by snappy"},
      {"\x02\x21\x4c\x18more"s, "compressed by lz4 in its legacy format"},
      {"!<arch>\ndebian-binary"s, "an ar archive"},
  };
  for (const auto& [bytes, name] : others) {
    const std::string why = refusal(bytes, {});
    EXPECT_NE(why.find(" is " + name), std::string::npos) << why;
    EXPECT_NE(why.find("which is not read; unpack it first"), std::string::npos) << why;
    EXPECT_FALSE(read_text(bytes, {.unpack = false}).keys.empty()) << name;
  }
  // Text that begins nearly so is text, and so are integers.
  for (const char* const text : {"PK\n", "7z\n", "Rar!\n", "LZIP\n", "BZh9\n", "BZh91AY&S\n", "!<arch>x\n", "]\n"}) {
    EXPECT_EQ(read_text(text, {}).keys, (texts{std::string(text).substr(0, std::string(text).size() - 1)}));
  }
  const std::string number("\x5d\0\0\0\0\0\0\0", 8);
  EXPECT_EQ(read_text(number, {.made = {.what = sluice_keys::input_format::shape::u64}}).numbers,
            (std::vector<std::uint64_t>{93}));
}

TEST(unpacker, an_archive_of_files_is_refused_packed_or_not) {
  std::string tar(1024, '\0');
  tar.replace(0, 4, "name");
  for (const std::string& magic : {"ustar\0"s + "00", "ustar  \0"s}) {
    tar.replace(257, 8, magic);
    EXPECT_NE(refusal(tar, {}).find(" is a tar archive"), std::string::npos);
    for (const tool& t : tools)
      EXPECT_NE(refusal(t.pack(tar), {}).find(" is a tar archive"), std::string::npos) << t.name;
  }
  EXPECT_FALSE(read_text(tar, {.unpack = false}).keys.empty());
  std::string text(600, 'x');
  text.replace(257, 5, "ustar");
  EXPECT_EQ(read_text(text, {}).keys, (texts{text})) << "the word alone is text";
}

TEST(unpacker, formats_are_recognised_as_soon_as_they_can_be) {
  EXPECT_TRUE(recognise("").undecided);
  EXPECT_TRUE(recognise("P").undecided);
  EXPECT_FALSE(recognise("Px").undecided);
  EXPECT_EQ(recognise("x").what, nullptr);
  EXPECT_STREQ(recognise("BZh51AY&SYmore").what->name, "bzip2");
  EXPECT_STREQ(recognise("\x5f\x2a\x4d\x18").what->name, "zstd");
}

}  // namespace
