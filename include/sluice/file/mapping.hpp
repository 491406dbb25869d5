// file/mapping: a whole file as bytes in memory, read by the system when they are looked at. POSIX.
//
// sluice never writes into a file that others may have mapped: it puts a new one in its place (file/replacement.hpp), and a mapping keeps the old.
// A program that cuts a mapped file short makes every reader of the missing part stop with SIGBUS; nothing can be done about that here.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <system_error>

#include "sluice/errors.hpp"

namespace sluice::file {

[[noreturn]] inline void fail(const std::string& path, const char* what, int reason) {
  throw file_error(path + " cannot be " + what + ": " + std::generic_category().message(reason));
}

/// A file descriptor that is closed.
class descriptor {
public:
  explicit descriptor(int number = -1) noexcept : number_(number) {}
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  descriptor(descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int get() const noexcept { return number_; }

private:
  int number_;
};

class mapping {
public:
  /// Throws file_error with the file and the reason.
  explicit mapping(const std::string& path) {
    const descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
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
