// filter/storage: the bytes that a filter owns: zeroed, and aligned so that a block never straddles a line and a page
// group never straddles a page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "sluice/errors.hpp"

namespace sluice {

class owned_bytes {
public:
  /// All zero. Throws memory_error where the system has not got so much.
  explicit owned_bytes(std::uint64_t size) : bytes_(allocate(size), release{size}) { clear(); }

  owned_bytes(const owned_bytes& other) : bytes_(allocate(other.size()), release{other.size()}) {
    std::memcpy(data(), other.data(), size());
  }
  owned_bytes& operator=(const owned_bytes& other) {
    if (this != &other) *this = owned_bytes(other);
    return *this;
  }
  owned_bytes(owned_bytes&&) noexcept = default;
  owned_bytes& operator=(owned_bytes&&) noexcept = default;
  ~owned_bytes() = default;

  [[nodiscard]] std::byte* data() noexcept { return bytes_.get(); }
  [[nodiscard]] const std::byte* data() const noexcept { return bytes_.get(); }
  [[nodiscard]] std::uint64_t size() const noexcept { return bytes_ ? bytes_.get_deleter().size : 0; }
  void clear() noexcept { std::memset(data(), 0, size()); }

private:
  static constexpr std::uint64_t line = 64;
  static constexpr std::uint64_t page = 4096;

  [[nodiscard]] static constexpr std::align_val_t alignment(std::uint64_t size) noexcept {
    return std::align_val_t{size >= page ? page : line};
  }
  [[nodiscard]] static std::byte* allocate(std::uint64_t size) {
    auto* bytes = size > PTRDIFF_MAX ? nullptr : ::operator new(size, alignment(size), std::nothrow);
    if (bytes == nullptr) {
      throw memory_error("the system has no " + std::to_string(size) + " bytes of memory for the filter");
    }
    return static_cast<std::byte*>(bytes);
  }
  struct release {
    std::uint64_t size;
    void operator()(std::byte* bytes) const noexcept { ::operator delete(bytes, alignment(size)); }
  };

  std::unique_ptr<std::byte, release> bytes_;
};

}  // namespace sluice
