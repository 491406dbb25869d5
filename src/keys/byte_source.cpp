#include "keys/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <string_view>

#include "sluice/errors.hpp"

namespace sluice_keys {

/// Unpacks what it is given, as far as there is room.
class byte_source::unpacker {
public:
  struct step {
    std::size_t used;
    std::size_t made;
    bool ended;  ///< a frame: packed bytes may end here
  };
  unpacker() = default;
  unpacker(const unpacker&) = delete;
  unpacker& operator=(const unpacker&) = delete;
  unpacker(unpacker&&) = delete;
  unpacker& operator=(unpacker&&) = delete;
  virtual ~unpacker() = default;
  /// Throws a C string with the reason.
  [[nodiscard]] virtual step run(const char* in, std::size_t size, char* out, std::size_t room) = 0;
};

namespace {

constexpr std::size_t input_bytes = std::size_t{1} << 17;

class zstd_unpacker : public byte_source::unpacker {
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
  ZSTD_DCtx* context_;
};

class gzip_unpacker : public byte_source::unpacker {
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
    if (ended_) {  // gzip files may be put one after the other
      const std::size_t zeros = std::min(std::string_view(in, size).find_first_not_of('\0'), size);
      if (zeros != 0) return {zeros, 0, true};  // some tools fill up with them
      if (*in != '\x1f') throw "something that is not gzip's follows it";
      inflateReset(&stream_);
    }
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): zlib reads it only
    stream_.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(in));
    stream_.avail_in = static_cast<unsigned>(size);
    stream_.next_out = reinterpret_cast<unsigned char*>(out);
    stream_.avail_out = static_cast<unsigned>(std::min(room, std::size_t{1} << 30));
    const auto offered = stream_.avail_out;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
      const char* const reason = stream_.msg;
      throw reason != nullptr ? reason : "these are not gzip's bytes";
    }
    ended_ = result == Z_STREAM_END;
    return {size - stream_.avail_in, offered - stream_.avail_out, ended_};
  }

private:
  z_stream stream_{};
  bool ended_ = false;
};

/// What packed files begin with. zstd's may begin with a frame to be skipped, which has one of 16 numbers.
struct packing {
  std::string_view magic;
  unsigned char first_mask;  ///< of its first byte
  std::unique_ptr<byte_source::unpacker> (*unpacker)();
};
template <class Unpacker>
std::unique_ptr<byte_source::unpacker> make_unpacker() {
  return std::make_unique<Unpacker>();
}
constexpr packing packings[] = {
    {"\x28\xb5\x2f\xfd", 0xff, make_unpacker<zstd_unpacker>},
    {"\x50\x2a\x4d\x18", 0xf0, make_unpacker<zstd_unpacker>},
    {"\x1f\x8b\x08", 0xff, make_unpacker<gzip_unpacker>},
};

/// Do these bytes, and what may follow them, begin as packed ones do?
bool may_begin(const packing& p, std::string_view first) {
  if (first.empty()) return true;
  const std::size_t common = std::min(first.size(), p.magic.size());
  return (static_cast<unsigned char>(first[0]) & p.first_mask) == static_cast<unsigned char>(p.magic[0]) &&
         first.substr(1, common - 1) == p.magic.substr(1, common - 1);
}

}  // namespace

byte_source::byte_source(const std::string& file, bool unpack)
    : name_(file == "-" ? "standard input" : file),
      descriptor_(file == "-" ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                              : ::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
  struct stat about{};
  if (descriptor_.get() < 0 || ::fstat(descriptor_.get(), &about) != 0) fail(std::strerror(errno));
  if (S_ISDIR(about.st_mode)) fail("it is a folder");
  if (file == "-" && S_ISREG(about.st_mode)) {
    const off_t at = ::lseek(descriptor_.get(), 0, SEEK_CUR);
    if (at >= 0) position_ = static_cast<std::uint64_t>(at);
  }
  if (unpack) look_at_first_bytes();
  in_frame_ = unpacker_ != nullptr;
}

void byte_source::look_at_first_bytes() {
  for (;;) {
    bool may_be_packed = false;
    for (const packing& p : packings) {
      if (!may_begin(p, input_)) continue;
      may_be_packed = true;
      if (input_.size() < p.magic.size()) continue;
      unpacker_ = p.unpacker();
      return;
    }
    if (!may_be_packed) return;
    char next = 0;  // byte by byte: another one may be the last for now
    if (read_raw(&next, 1) == 0) return;
    input_.push_back(next);
  }
}

byte_source::~byte_source() = default;

void byte_source::fail(const std::string& reason) const {
  if (consumed_ == 0) throw sluice::error(fmt::format("{} cannot be read: {}", name_, reason));
  const std::uint64_t used = consumed_ - (input_.size() - input_at_);
  throw sluice::error(fmt::format("{}: byte {}{}: {}", name_, used, is_packed() ? " of what is packed" : "", reason));
}

std::size_t byte_source::read_raw(char* out, std::size_t room) {
  for (;;) {
    const ssize_t some = position_ ? ::pread(descriptor_.get(), out, room, static_cast<off_t>(*position_ + consumed_))
                                   : ::read(descriptor_.get(), out, room);
    if (some < 0 && errno == EINTR) continue;
    if (some < 0) fail(std::strerror(errno));
    consumed_ += static_cast<std::uint64_t>(some);
    return static_cast<std::size_t>(some);
  }
}

bool byte_source::refill() {
  input_.resize(input_bytes);
  input_at_ = 0;
  const std::size_t some = read_raw(input_.data(), input_.size());
  input_.resize(some);
  return some != 0;
}

std::size_t byte_source::read(char* out, std::size_t room) {
  if (unpacker_ == nullptr) {
    if (input_at_ == input_.size()) return read_raw(out, room);
    const std::size_t some = std::min(room, input_.size() - input_at_);
    std::memcpy(out, input_.data() + input_at_, some);
    input_at_ += some;
    return some;
  }
  for (;;) {
    if (input_at_ == input_.size() && !refill()) {
      if (in_frame_) fail("the packed bytes end in the middle; the file was cut off");
      return 0;
    }
    try {
      const auto step = unpacker_->run(input_.data() + input_at_, input_.size() - input_at_, out, room);
      input_at_ += step.used;
      in_frame_ = !step.ended;
      if (step.made != 0) return step.made;
    } catch (const char* reason) {
      fail(fmt::format("it cannot be unpacked: {}", reason));
    }
  }
}

file_size size_of(const std::string& file) {
  struct stat about{};
  const int failed = file == "-" ? ::fstat(STDIN_FILENO, &about) : ::stat(file.c_str(), &about);
  if (failed != 0 && file != "-") throw sluice::error(fmt::format("{} cannot be read: {}", file, std::strerror(errno)));
  if (failed != 0 || !S_ISREG(about.st_mode)) return {};
  const off_t at = file == "-" ? ::lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
  if (at < 0) return {};
  return {true, static_cast<std::uint64_t>(std::max<off_t>(0, about.st_size - at))};
}

}  // namespace sluice_keys
