// digest_store: a growing array of digests that needs 8 bytes for each while it grows. A std::vector holds the old and
// the new array at once; realloc moves the pages of a large one instead.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <type_traits>

#include "sluice/errors.hpp"
#include "sluice/hash.hpp"

namespace sluice {

class digest_store {
public:
  void push_back(digest x) {
    if (size_ == room_) grow(room_ / 4 + 1024);
    digests_.get()[size_++] = x;
  }
  void reserve_more(std::size_t count) {
    if (count > room_ - size_) grow(count - (room_ - size_));
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<digest> all() & noexcept { return {digests_.get(), size_}; }

private:
  static_assert(std::is_trivially_copyable_v<digest>);

  /// Throws memory_error, and keeps what is there.
  void grow(std::size_t more) {
    const std::size_t room = room_ + more;
    void* const moved = room <= std::numeric_limits<std::ptrdiff_t>::max() / sizeof(digest)
                            ? std::realloc(digests_.get(), room * sizeof(digest))
                            : nullptr;
    if (moved == nullptr) {
      throw memory_error("the system refused memory for the digests of " + std::to_string(room) + " keys");
    }
    digest* const old = digests_.release();  // realloc has freed it, or moved it to where it was
    static_cast<void>(old);
    digests_.reset(static_cast<digest*>(moved));
    room_ = room;
  }
  struct release {
    void operator()(digest* digests) const noexcept { std::free(digests); }  // NOLINT(cppcoreguidelines-no-malloc)
  };

  std::unique_ptr<digest, release> digests_;
  std::size_t size_ = 0;
  std::size_t room_ = 0;
};

}  // namespace sluice
