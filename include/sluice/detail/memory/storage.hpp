// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// memory/storage: the bytes that a filter owns: zeroed, and aligned so that a block never straddles a line and a page
// group never straddles a page.
//
// From 2 MiB on, memory of our own is aligned to 2 MiB and the system is advised to use huge pages: a random line in a
// large filter costs half as much when its address translation is cached, and with 4 KiB pages it hardly ever is. Any
// other memory can be given as a std::pmr::memory_resource, which is then asked for aligned bytes and nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <memory_resource>
#include <new>
#include <string>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "sluice/errors.hpp"

namespace sluice::detail {

/// Memory from operator new, advised as huge pages where it is large.
class huge_page_memory final : public std::pmr::memory_resource {
public:
  static constexpr std::size_t huge_page = std::size_t{2} << 20;

private:
  [[nodiscard]] void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    // Not the throwing one, which ends the program under the address sanitizer.
    void* const memory = ::operator new(bytes, std::align_val_t{alignment}, std::nothrow);
    if (memory == nullptr) throw std::bad_alloc();
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    // A hint: where it is not taken, nothing is lost but speed.
    if (alignment >= huge_page) static_cast<void>(::madvise(memory, bytes, MADV_HUGEPAGE));
#endif
    return memory;
  }
  void do_deallocate(void* memory, std::size_t /*bytes*/, std::size_t alignment) override {
    ::operator delete(memory, std::align_val_t{alignment});
  }
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return dynamic_cast<const huge_page_memory*>(&other) != nullptr;
  }
};

/// What filters use unless they are given something else. Never destroyed: a filter may be static, too.
[[nodiscard]] inline std::pmr::memory_resource* default_memory() {
  static auto* const memory = new huge_page_memory;  // NOLINT(cppcoreguidelines-owning-memory)
  return memory;
}

class owned_bytes {
public:
  /// All zero. Throws memory_error where there is not so much.
  explicit owned_bytes(std::uint64_t size, std::pmr::memory_resource* memory = default_memory())
      : owned_bytes(size, memory, to_be_written{}) {
    clear();
  }
  struct to_be_written {};
  /// Of any content: the caller writes all of them.
  owned_bytes(std::uint64_t size, std::pmr::memory_resource* memory, to_be_written /*by the caller*/)
      : bytes_(allocate(size, memory), release{size, memory}) {}

  owned_bytes(const owned_bytes& other) : owned_bytes(other.size(), other.memory(), to_be_written{}) {
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
  [[nodiscard]] std::pmr::memory_resource* memory() const noexcept { return bytes_.get_deleter().memory; }
  void clear() noexcept {
    if (bytes_) std::memset(data(), 0, size());
  }
  /// Its memory resource has moved them, and given the old place back.
  void set_moved(std::byte* to) noexcept {
    [[maybe_unused]] const std::byte* const given_back = bytes_.release();
    bytes_.reset(to);
  }
  /// These bytes are read no more before they are written: memory of our own goes back to the system, where it is
  /// large.
  void forget(std::uint64_t first, std::uint64_t count) noexcept {
#if defined(__linux__) && defined(MADV_DONTNEED)
    if (size() < huge_page_memory::huge_page || dynamic_cast<const huge_page_memory*>(memory()) == nullptr) return;
    const std::uint64_t begin = (first + page - 1) / page * page;
    const std::uint64_t end = (first + count) / page * page;
    if (begin < end) static_cast<void>(::madvise(data() + begin, end - begin, MADV_DONTNEED));
#else
    static_cast<void>(first);
    static_cast<void>(count);
#endif
  }

private:
  static constexpr std::size_t line = 64;
  static constexpr std::size_t page = 4096;

  [[nodiscard]] static constexpr std::size_t alignment(std::uint64_t size) noexcept {
    return size >= huge_page_memory::huge_page ? huge_page_memory::huge_page : size >= page ? page : line;
  }
  [[nodiscard]] static std::byte* allocate(std::uint64_t size, std::pmr::memory_resource* memory) {
    const auto none = [size] {
      return memory_error("the system refused " + std::to_string(size) + " bytes of memory for the filter");
    };
    if (size > PTRDIFF_MAX) throw none();
    try {
      return static_cast<std::byte*>(memory->allocate(size, alignment(size)));
    } catch (const std::bad_alloc&) {
      throw none();
    }
  }
  struct release {
    std::uint64_t size = 0;
    std::pmr::memory_resource* memory = nullptr;
    void operator()(std::byte* bytes) const noexcept { memory->deallocate(bytes, size, alignment(size)); }
  };

  std::unique_ptr<std::byte, release> bytes_;
};

}  // namespace sluice::detail
