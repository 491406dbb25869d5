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
    if (ended_) inflateReset(&stream_);  // gzip files may be put one after the other
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

std::unique_ptr<byte_source::unpacker> unpacker_for(const std::string& first) {
  if (first.starts_with("\x28\xb5\x2f\xfd")) return std::make_unique<zstd_unpacker>();
  if (first.starts_with("\x1f\x8b\x08")) return std::make_unique<gzip_unpacker>();
  return nullptr;
}

}  // namespace

byte_source::byte_source(const std::string& file)
    : name_(file == "-" ? "standard input" : file),
      descriptor_(file == "-" ? STDIN_FILENO : ::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
  struct stat about{};
  try {
    if (descriptor_ < 0 || ::fstat(descriptor_, &about) != 0) fail(std::strerror(errno));
    if (S_ISDIR(about.st_mode)) fail("it is a folder");
    // The first bytes tell the format; a pipe may give them one by one.
    char first[4];
    while (input_.size() < sizeof first) {
      const std::size_t some = read_raw(first, sizeof first - input_.size());
      if (some == 0) break;
      input_.append(first, some);
    }
    unpacker_ = unpacker_for(input_);
    in_frame_ = unpacker_ != nullptr;
  } catch (...) {
    if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
    throw;
  }
}

byte_source::~byte_source() {
  if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

void byte_source::fail(const std::string& reason) const {
  if (consumed_ == 0) throw sluice::error(fmt::format("{} cannot be read: {}", name_, reason));
  throw sluice::error(fmt::format("{}: byte {}: {}", name_, consumed_, reason));
}

std::size_t byte_source::read_raw(char* out, std::size_t room) {
  for (;;) {
    const ssize_t some = ::read(descriptor_, out, room);
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
  if (failed != 0 || file == "-" || !S_ISREG(about.st_mode)) return {};
  return {true, static_cast<std::uint64_t>(about.st_size)};
}

}  // namespace sluice_keys
