// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "memory.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <new>

#include "module_api.hpp"

namespace sluice::redis {

namespace {

constexpr std::size_t line = 64;
constexpr std::size_t natural = alignof(std::max_align_t);

std::atomic<std::int64_t> held = 0;
thread_local std::int64_t held_by_thread = 0;

void count(std::int64_t bytes) noexcept {
  held.fetch_add(bytes, std::memory_order_relaxed);
  held_by_thread += bytes;
}

void* take(std::size_t bytes) {
  // Before the module is bound there is no allocator; nothing of ours allocates then.
  void* const memory = try_alloc != nullptr ? try_alloc(std::max<std::size_t>(bytes, 1)) : nullptr;
  if (memory == nullptr) throw std::bad_alloc();
  count(static_cast<std::int64_t>(size_of_memory(memory)));
  return memory;
}

void give(void* memory) noexcept {
  if (memory == nullptr) return;
  count(-static_cast<std::int64_t>(size_of_memory(memory)));
  free_memory(memory);
}

[[nodiscard]] std::size_t beyond_line(const void* memory) noexcept {
  return reinterpret_cast<std::uintptr_t>(memory) % line;
}

/// Filters that were moved within what was taken for them, and where that begins.
class moved_filters {
public:
  void add(void* filter, void* whole) {
    const std::scoped_lock lock(mutex_);
    begins_.emplace(filter, whole);
  }
  [[nodiscard]] bool has(void* filter) noexcept {
    const std::scoped_lock lock(mutex_);
    return begins_.contains(filter);
  }
  /// Where it begins: itself, unless it was moved.
  [[nodiscard]] void* remove(void* filter) noexcept {
    const std::scoped_lock lock(mutex_);
    const auto found = begins_.find(filter);
    if (found == begins_.end()) return filter;
    void* const whole = found->second;
    begins_.erase(found);
    return whole;
  }

private:
  std::mutex mutex_;
  std::map<void*, void*> begins_;
};
/// Never destroyed: another thread may free a filter while the server ends. It takes no memory until one is added.
moved_filters& all_moved() noexcept {
  alignas(moved_filters) static std::byte place[sizeof(moved_filters)];
  static auto* const all = ::new (place) moved_filters;
  return *all;
}

/// For all else that wants more than malloc's alignment: where it began stands before what is given out.
void* take_aligned(std::size_t bytes, std::size_t alignment) {
  if (alignment <= natural) return take(bytes);
  if (bytes > PTRDIFF_MAX - alignment) throw std::bad_alloc();
  auto* const whole = static_cast<std::byte*>(take(bytes + alignment));
  const std::size_t beyond = reinterpret_cast<std::uintptr_t>(whole) % alignment;
  std::byte* const aligned = whole + (alignment - beyond);  // at least a pointer further on
  std::memcpy(aligned - sizeof whole, &whole, sizeof whole);
  return aligned;
}

void give_aligned(void* memory, std::size_t alignment) noexcept {
  if (memory == nullptr || alignment <= natural) return give(memory);
  std::byte* whole = nullptr;
  std::memcpy(&whole, static_cast<std::byte*>(memory) - sizeof whole, sizeof whole);
  give(whole);
}

class server_resource final : public std::pmr::memory_resource {
  [[nodiscard]] void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (bytes > PTRDIFF_MAX - line) throw std::bad_alloc();
    void* const memory = take(bytes);
    if (alignment <= natural || beyond_line(memory) == 0) return memory;
    give(memory);
    auto* const whole = static_cast<std::byte*>(take(bytes + line));
    if (beyond_line(whole) == 0) return whole;
    std::byte* const moved = whole + (line - beyond_line(whole));
    try {
      all_moved().add(moved, whole);
    } catch (...) {
      give(whole);
      throw;
    }
    return moved;
  }
  void do_deallocate(void* memory, std::size_t /*bytes*/, std::size_t alignment) override {
    give(alignment <= natural ? memory : all_moved().remove(memory));
  }
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
};

}  // namespace

std::pmr::memory_resource* server_memory() noexcept {
  static server_resource memory;
  return &memory;
}
std::byte* move_to_fewer_holes(defrag_context* how, std::span<const std::byte> filter) noexcept {
  if (move_memory == nullptr) return nullptr;
  void* const from = const_cast<std::byte*>(filter.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  // What is no whole number of lines, or was moved within what was taken, might not be aligned there.
  if (beyond_line(from) != 0 || size_of_memory(from) % line != 0 || all_moved().has(from)) return nullptr;
  return static_cast<std::byte*>(move_memory(how, from));
}

std::int64_t bytes_held() noexcept { return held.load(std::memory_order_relaxed); }
std::int64_t bytes_of_this_thread() noexcept { return held_by_thread; }

}  // namespace sluice::redis

// All forms: the standard library makes the others of the first, but a sanitizer brings its own of whatever is missing.
namespace {

template <class Take>
void* or_null(const Take& take) noexcept {
  try {
    return take();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace

void* operator new(std::size_t bytes) { return sluice::redis::take(bytes); }
void* operator new[](std::size_t bytes) { return sluice::redis::take(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t& /*form*/) noexcept {
  return or_null([=] { return sluice::redis::take(bytes); });
}
void* operator new[](std::size_t bytes, const std::nothrow_t& /*form*/) noexcept {
  return or_null([=] { return sluice::redis::take(bytes); });
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return sluice::redis::take_aligned(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return sluice::redis::take_aligned(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t& /*form*/) noexcept {
  return or_null([=] { return sluice::redis::take_aligned(bytes, static_cast<std::size_t>(alignment)); });
}
void* operator new[](std::size_t bytes, std::align_val_t alignment, const std::nothrow_t& /*form*/) noexcept {
  return or_null([=] { return sluice::redis::take_aligned(bytes, static_cast<std::size_t>(alignment)); });
}
void operator delete(void* memory) noexcept { sluice::redis::give(memory); }
void operator delete[](void* memory) noexcept { sluice::redis::give(memory); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { sluice::redis::give(memory); }
void operator delete[](void* memory, std::size_t /*bytes*/) noexcept { sluice::redis::give(memory); }
void operator delete(void* memory, const std::nothrow_t& /*form*/) noexcept { sluice::redis::give(memory); }
void operator delete[](void* memory, const std::nothrow_t& /*form*/) noexcept { sluice::redis::give(memory); }
void operator delete(void* memory, std::align_val_t alignment) noexcept {
  sluice::redis::give_aligned(memory, static_cast<std::size_t>(alignment));
}
void operator delete[](void* memory, std::align_val_t alignment) noexcept {
  sluice::redis::give_aligned(memory, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory, std::size_t /*bytes*/, std::align_val_t alignment) noexcept {
  sluice::redis::give_aligned(memory, static_cast<std::size_t>(alignment));
}
void operator delete[](void* memory, std::size_t /*bytes*/, std::align_val_t alignment) noexcept {
  sluice::redis::give_aligned(memory, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory, std::align_val_t alignment, const std::nothrow_t& /*form*/) noexcept {
  sluice::redis::give_aligned(memory, static_cast<std::size_t>(alignment));
}
void operator delete[](void* memory, std::align_val_t alignment, const std::nothrow_t& /*form*/) noexcept {
  sluice::redis::give_aligned(memory, static_cast<std::size_t>(alignment));
}
