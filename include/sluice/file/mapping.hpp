// file/mapping: a whole file as bytes in memory, read by the system when they are looked at. POSIX.
//
// sluice never writes into a file that others may have mapped: it puts a new one in its place (file/replacement.hpp), and a mapping keeps the old.
// A program that cuts a mapped file short makes every reader of the missing part stop with SIGBUS; nothing can be done about that here.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "sluice/errors.hpp"
#include "sluice/file/descriptor.hpp"

namespace sluice::file {

class mapping {
public:
  /// Throws file_error with the file and the reason.
  explicit mapping(const std::string& path) {
    const descriptor file(
        ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // a pipe's writer is not waited for
    struct stat about{};
    if (file.get() < 0 || ::fstat(file.get(), &about) != 0) fail(path, "read", errno);
    if (S_ISDIR(about.st_mode)) fail(path, "read", EISDIR);
    if (!S_ISREG(about.st_mode)) throw file_error(path + " cannot be mapped into memory: it is not a regular file");
    if (about.st_size == 0) return;
    void* const at = ::mmap(nullptr, static_cast<std::size_t>(about.st_size), PROT_READ, MAP_SHARED, file.get(), 0);
    if (at == MAP_FAILED) fail(path, "mapped into memory", errno);
    bytes_ = {static_cast<const std::byte*>(at), static_cast<std::size_t>(about.st_size)};
  }
  mapping(const mapping&) = delete;
  mapping& operator=(const mapping&) = delete;
  mapping(mapping&&) = delete;
  mapping& operator=(mapping&&) = delete;
  ~mapping() {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): munmap takes no constant
    if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  }

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }

private:
  std::span<const std::byte> bytes_;
};

}  // namespace sluice::file
