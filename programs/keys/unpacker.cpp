// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "keys/unpacker.hpp"

#include <bzlib.h>
#include <lz4frame.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <new>

namespace sluice_keys {
namespace {

constexpr std::size_t most_at_once = std::size_t{1} << 30;  // that every library can count

/// How many of these bytes fill up what follows a frame. Some tools do so with zeros.
std::size_t padding(const char* in, std::size_t size) {
  return std::min(std::string_view(in, size).find_first_not_of('\0'), size);
}

class zstd_unpacker : public unpacker {
public:
  zstd_unpacker() : context_(ZSTD_createDCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
  }
  zstd_unpacker(const zstd_unpacker&) = delete;
  zstd_unpacker& operator=(const zstd_unpacker&) = delete;
  zstd_unpacker(zstd_unpacker&&) = delete;
  zstd_unpacker& operator=(zstd_unpacker&&) = delete;
  ~zstd_unpacker() override { ZSTD_freeDCtx(context_); }

  [[nodiscard]] step run(const char* in, std::size_t size, char* out, std::size_t room) override {
    ZSTD_inBuffer input{in, size, 0};
    ZSTD_outBuffer output{out, room, 0};
    const std::size_t result = ZSTD_decompressStream(context_, &output, &input);
    if (ZSTD_isError(result) != 0) throw ZSTD_getErrorName(result);
    return {input.pos, output.pos, result == 0};
  }

private:
  ZSTD_DCtx* context_;  // which allows windows of 128 MiB
};

class lz4_unpacker : public unpacker {
public:
  lz4_unpacker() {
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context_, LZ4F_VERSION)) != 0) throw std::bad_alloc();
  }
  lz4_unpacker(const lz4_unpacker&) = delete;
  lz4_unpacker& operator=(const lz4_unpacker&) = delete;
  lz4_unpacker(lz4_unpacker&&) = delete;
  lz4_unpacker& operator=(lz4_unpacker&&) = delete;
  ~lz4_unpacker() override { LZ4F_freeDecompressionContext(context_); }

  [[nodiscard]] step run(const char* in, std::size_t size, char* out, std::size_t room) override {
    std::size_t used = size;
    std::size_t made = room;
    const std::size_t result = LZ4F_decompress(context_, out, &made, in, &used, nullptr);
    if (LZ4F_isError(result) != 0) throw LZ4F_getErrorName(result);
    return {used, made, result == 0};
  }

private:
  LZ4F_dctx* context_ = nullptr;
};

class gzip_unpacker : public unpacker {
public:
  gzip_unpacker() {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw std::bad_alloc();  // 16: gzip's frame
  }
  gzip_unpacker(const gzip_unpacker&) = delete;
  gzip_unpacker& operator=(const gzip_unpacker&) = delete;
  gzip_unpacker(gzip_unpacker&&) = delete;
  gzip_unpacker& operator=(gzip_unpacker&&) = delete;
  ~gzip_unpacker() override { inflateEnd(&stream_); }

  [[nodiscard]] step run(const char* in, std::size_t size, char* out, std::size_t room) override {
    if (ended_) {
      if (const std::size_t zeros = padding(in, size); zeros != 0) return {zeros, 0, true};
      if (*in != '\x1f') throw "something that is not gzip's follows it";
      inflateReset(&stream_);
    }
    const auto offered = static_cast<unsigned>(std::min(size, most_at_once));
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): zlib reads it only
    stream_.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(in));
    stream_.avail_in = offered;
    stream_.next_out = reinterpret_cast<unsigned char*>(out);
    const auto space = static_cast<unsigned>(std::min(room, most_at_once));
    stream_.avail_out = space;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
      const char* const reason = stream_.msg;
      throw reason != nullptr ? reason : "these are not gzip's bytes";
    }
    ended_ = result == Z_STREAM_END;
    return {offered - stream_.avail_in, space - stream_.avail_out, ended_};
  }

private:
  z_stream stream_{};
  bool ended_ = false;
};

class bzip2_unpacker : public unpacker {
public:
  bzip2_unpacker() { begin(); }
  bzip2_unpacker(const bzip2_unpacker&) = delete;
  bzip2_unpacker& operator=(const bzip2_unpacker&) = delete;
  bzip2_unpacker(bzip2_unpacker&&) = delete;
  bzip2_unpacker& operator=(bzip2_unpacker&&) = delete;
  ~bzip2_unpacker() override { BZ2_bzDecompressEnd(&stream_); }

  [[nodiscard]] step run(const char* in, std::size_t size, char* out, std::size_t room) override {
    if (ended_) {
      if (const std::size_t zeros = padding(in, size); zeros != 0) return {zeros, 0, true};
      if (*in != 'B') throw "something that is not bzip2's follows it";
      BZ2_bzDecompressEnd(&stream_);
      begin();
    }
    const auto offered = static_cast<unsigned>(std::min(size, most_at_once));
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): bzip2 reads it only
    stream_.next_in = const_cast<char*>(in);
    stream_.avail_in = offered;
    stream_.next_out = out;
    const auto space = static_cast<unsigned>(std::min(room, most_at_once));
    stream_.avail_out = space;
    const int result = BZ2_bzDecompress(&stream_);
    if (result == BZ_MEM_ERROR) throw std::bad_alloc();
    if (result == BZ_DATA_ERROR) throw "a block is damaged";
    if (result != BZ_OK && result != BZ_STREAM_END) throw "these are not bzip2's bytes";
    ended_ = result == BZ_STREAM_END;
    return {offered - stream_.avail_in, space - stream_.avail_out, ended_};
  }

private:
  void begin() {
    stream_ = {};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }
  bz_stream stream_{};
  bool ended_ = false;
};

class xz_unpacker : public unpacker {
public:
  xz_unpacker() { begin(); }
  xz_unpacker(const xz_unpacker&) = delete;
  xz_unpacker& operator=(const xz_unpacker&) = delete;
  xz_unpacker(xz_unpacker&&) = delete;
  xz_unpacker& operator=(xz_unpacker&&) = delete;
  ~xz_unpacker() override { lzma_end(&stream_); }

  [[nodiscard]] step run(const char* in, std::size_t size, char* out, std::size_t room) override {
    if (ended_) {
      if (const std::size_t zeros = padding(in, size); zeros != 0) return {zeros, 0, true};
      if (*in != '\xfd') throw "something that is not xz's follows it";
      begin();
    }
    stream_.next_in = reinterpret_cast<const unsigned char*>(in);
    stream_.avail_in = size;
    stream_.next_out = reinterpret_cast<unsigned char*>(out);
    stream_.avail_out = room;
    switch (lzma_code(&stream_, LZMA_RUN)) {
      case LZMA_OK:
      case LZMA_BUF_ERROR:
        ended_ = false;
        break;
      case LZMA_STREAM_END:
        ended_ = true;
        break;
      case LZMA_MEM_ERROR:
        throw std::bad_alloc();
      case LZMA_MEMLIMIT_ERROR:
        throw "it needs a window of more than 128 MiB";
      case LZMA_DATA_ERROR:
        throw "a block is damaged";
      case LZMA_OPTIONS_ERROR:
        throw "it has options that this version of liblzma does not know";
      default:
        throw "these are not xz's bytes";
    }
    return {size - stream_.avail_in, room - stream_.avail_out, ended_};
  }

private:
  void begin() {
    constexpr std::uint64_t window = std::uint64_t{128} << 20;
    constexpr std::uint64_t besides = std::uint64_t{1} << 20;
    if (lzma_stream_decoder(&stream_, window + besides, 0) != LZMA_OK) throw std::bad_alloc();
  }
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool ended_ = false;
};

template <class Unpacker>
std::unique_ptr<unpacker> make() {
  return std::make_unique<Unpacker>();
}

using std::literals::string_view_literals::operator""sv;

// Long enough that neither a line nor an integer begins so by chance. zstd's files may begin with a frame to be
// skipped, which has one of 16 numbers; bzip2's say how large their blocks are, and may have none; compress's how wide
// its codes are; lzma's how large a window is, and usually that their length is not known.
constexpr packing packings[] = {
    {"zstd", "\x28\xb5\x2f\xfd"sv, ""sv, make<zstd_unpacker>},
    {"zstd", "\x50\x2a\x4d\x18"sv, "\xf0\xff\xff\xff"sv, make<zstd_unpacker>},
    {"gzip", "\x1f\x8b\x08"sv, ""sv, make<gzip_unpacker>},
    {"xz", "\xfd\x37\x7a\x58\x5a\x00"sv, ""sv, make<xz_unpacker>},
    {"bzip2", "BZh01AY&SY"sv, "\xff\xff\xff\xf0\xff\xff\xff\xff\xff\xff"sv, make<bzip2_unpacker>},
    {"bzip2", "BZh0\x17\x72\x45\x38\x50\x90"sv, "\xff\xff\xff\xf0\xff\xff\xff\xff\xff\xff"sv, make<bzip2_unpacker>},
    {"lz4", "\x04\x22\x4d\x18"sv, ""sv, make<lz4_unpacker>},
    {"compressed by lz4 in its legacy format", "\x02\x21\x4c\x18"sv, ""sv, nullptr},
    {"compressed by compress (.Z)", "\x1f\x9d\x80"sv, "\xff\xff\xe0"sv, nullptr},
    {"compressed by lzip", "LZIP\x01"sv, ""sv, nullptr},
    {"compressed by lzma", "\x5d\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff"sv,
     "\xff\xff\xff\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff"sv, nullptr},
    {"compressed by lzop", "\x89LZO\x00\x0d\x0a\x1a\x0a"sv, ""sv, nullptr},
    {"compressed by snappy", "\xff\x06\x00\x00sNaPpY"sv, ""sv, nullptr},
    {"a zip archive", "PK\x03\x04"sv, ""sv, nullptr},
    {"a zip archive without files", "PK\x05\x06"sv, ""sv, nullptr},
    {"a part of a zip archive", "PK\x07\x08"sv, ""sv, nullptr},
    {"a 7z archive", "7z\xbc\xaf\x27\x1c"sv, ""sv, nullptr},
    {"a rar archive", "Rar!\x1a\x07"sv, ""sv, nullptr},
    {"an ar archive", "!<arch>\n"sv, ""sv, nullptr},
};

/// Do these bytes, and what may follow them, begin as such files do?
bool may_begin(const packing& p, std::string_view first) {
  for (std::size_t i = 0; i < std::min(first.size(), p.magic.size()); ++i) {
    const auto mask = static_cast<unsigned char>(p.mask.empty() ? '\xff' : p.mask[i]);
    if ((static_cast<unsigned char>(first[i]) & mask) != (static_cast<unsigned char>(p.magic[i]) & mask)) return false;
  }
  return true;
}

}  // namespace

recognition recognise(std::string_view first) {
  recognition answer;
  for (const packing& p : packings) {
    if (!may_begin(p, first)) continue;
    if (first.size() >= p.magic.size()) return {&p, false};
    answer.undecided = true;
  }
  return answer;
}

bool has_tar_header(std::string_view bytes, std::size_t at) {
  constexpr std::size_t place = 257;
  if (at > place || at + bytes.size() < place + 8) return false;
  const std::string_view magic = bytes.substr(place - at, 8);
  return magic.starts_with("ustar\0"sv) || magic == "ustar  \0"sv;  // POSIX's and GNU's
}

}  // namespace sluice_keys
