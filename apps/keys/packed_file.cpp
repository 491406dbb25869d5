#include "keys/packed_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <zstd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <vector>

#include "sluice/errors.hpp"

namespace sluice_keys {
namespace {

/// State of a stream that is being unpacked; freed by close.
class unpacking {
public:
  explicit unpacking(std::FILE* packed) : packed_(packed), context_(ZSTD_createDCtx()), input_(ZSTD_DStreamInSize()) {
    if (context_ == nullptr) throw std::bad_alloc();
  }
  unpacking(const unpacking&) = delete;
  unpacking& operator=(const unpacking&) = delete;
  unpacking(unpacking&&) = delete;
  unpacking& operator=(unpacking&&) = delete;
  ~unpacking() {
    ZSTD_freeDCtx(context_);
    std::fclose(packed_);
  }

  /// So many bytes at most; 0 at the end, -1 with errno for an error.
  [[nodiscard]] ssize_t read(char* out, std::size_t room) {
    ZSTD_outBuffer buffer{out, room, 0};
    while (buffer.pos == 0) {
      if (in_.pos == in_.size) {
        in_ = {input_.data(), std::fread(input_.data(), 1, input_.size(), packed_), 0};
        if (in_.size == 0) {
          if (std::ferror(packed_) == 0 && !in_frame_) return 0;
          errno = EIO;  // cut off
          return -1;
        }
      }
      const std::size_t result = ZSTD_decompressStream(context_, &buffer, &in_);
      if (ZSTD_isError(result) != 0) {
        errno = EBADMSG;
        return -1;
      }
      in_frame_ = result != 0;
    }
    return static_cast<ssize_t>(buffer.pos);
  }

private:
  std::FILE* packed_;
  ZSTD_DCtx* context_;
  std::vector<char> input_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool in_frame_ = false;
};

ssize_t read_unpacked(void* cookie, char* out, std::size_t room) {
  return static_cast<unpacking*>(cookie)->read(out, room);
}
int close_unpacked(void* cookie) {
  delete static_cast<unpacking*>(cookie);  // NOLINT(cppcoreguidelines-owning-memory): made below, for the stream
  return 0;
}

}  // namespace

packed_file::packed_file(const std::string& file) : stream_(std::fopen(file.c_str(), "rb")) {
  const auto fail = [&](const std::string& reason) {
    if (stream_ != nullptr) std::fclose(stream_);
    throw sluice::error(fmt::format("{} cannot be read: {}", file, reason));
  };
  struct stat about{};
  if (stream_ == nullptr || ::fstat(::fileno(stream_), &about) != 0) fail(std::strerror(errno));
  if (S_ISDIR(about.st_mode)) fail("it is a folder");
  unsigned char magic[4] = {};
  const std::size_t have = std::fread(magic, 1, sizeof magic, stream_);
  if (std::fseek(stream_, 0, SEEK_SET) != 0) fail(std::strerror(errno));
  constexpr unsigned char zstd_magic[4] = {0x28, 0xb5, 0x2f, 0xfd};
  if (have != sizeof magic || std::memcmp(magic, zstd_magic, sizeof magic) != 0) return;
  auto* const state =
      new unpacking(stream_);  // NOLINT(cppcoreguidelines-owning-memory): the new stream owns it, and the old one
  stream_ = ::fopencookie(state, "rb", {read_unpacked, nullptr, nullptr, close_unpacked});
  if (stream_ == nullptr) {
    delete state;  // NOLINT(cppcoreguidelines-owning-memory)
    fail("it cannot be unpacked");
  }
}

packed_file::~packed_file() {
  if (stream_ != nullptr) std::fclose(stream_);
}

}  // namespace sluice_keys
