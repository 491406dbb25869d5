// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// c/calls: how functions of the C interface are called: what they throw becomes a number and a sentence of the thread,
// and what a caller gives is looked at before it is used.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sluice.h"
#include "sluice/detail/version.hpp"
#include "sluice/errors.hpp"
#include "sluice/key_origin.hpp"

namespace sluice::c {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): as errno
inline thread_local std::string last_error;
inline thread_local enum sluice_error_code last_code = SLUICE_OK;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

static_assert(static_cast<int>(SLUICE_SYSTEM) == static_cast<int>(sluice::error_code::system));
static_assert(static_cast<int>(SLUICE_FULL) == static_cast<int>(sluice::error_code::full));

/// Calls body, and turns what it throws into `failed` and a sentence.
template <class Result, class Body>
Result guarded(Result failed, const Body& body) noexcept {
  try {
    try {
      return body();
    } catch (const sluice::error& e) {
      last_code = static_cast<enum sluice_error_code>(e.code());
      last_error = e.what();
    } catch (const std::bad_alloc&) {
      last_code = SLUICE_NO_MEMORY;
      last_error = "there is not enough memory";
    } catch (const std::exception& e) {
      last_code = SLUICE_OTHER;
      last_error = e.what();
    } catch (...) {  // thrown by what the program has put in the place of the system's functions
      last_code = SLUICE_OTHER;
      last_error = "something was thrown that is no std::exception";
    }
  } catch (...) {
    last_error = "out of memory";  // for a sentence; this one is short enough to need none
  }
  return failed;
}

/// A thread that is cancelled meanwhile ends at the next place after this one: what unwinds it must not pass through
/// functions that never throw, and would leave half a file behind.
class not_cancelled {
public:
  not_cancelled() noexcept { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  not_cancelled(const not_cancelled&) = delete;
  not_cancelled& operator=(const not_cancelled&) = delete;
  not_cancelled(not_cancelled&&) = delete;
  not_cancelled& operator=(not_cancelled&&) = delete;
  ~not_cancelled() { pthread_setcancelstate(before_, nullptr); }

private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

/// The same for calls that ask the system for more than memory, where a thread can be cancelled.
template <class Result, class Body>
Result guarded_with_system(Result failed, const Body& body) noexcept {
  const not_cancelled now;
  return guarded(failed, body);
}

template <class T>
const T& require_pointer(const T* pointer, const char* what) {
  if (pointer == nullptr) throw sluice::parameter_error(std::string(what) + " is a null pointer");
  return *pointer;
}

inline std::string_view text(const void* key, std::size_t size) {
  if (key == nullptr && size != 0) throw sluice::parameter_error("the key is a null pointer");
  return {static_cast<const char*>(key), size};
}

/// Of an array that can be in memory.
template <class T>
void require_count(std::size_t count) {
  constexpr std::size_t most = PTRDIFF_MAX / sizeof(T);
  if (count <= most) return;
  throw sluice::parameter_error("no array has " + std::to_string(count) + " keys; " + std::to_string(most) +
                                " of them are more than any memory");
}

/// How many bytes of a struct the caller's version of it and ours have in common. Its first member is its size; `first`
/// is the size of the first version that there was, which every caller has. No version will have more than a page.
template <class Struct>
std::size_t common_size(const Struct& s, std::size_t first, const char* what) {
  constexpr std::size_t most = 4096;
  if (s.size < first || s.size > most) {
    throw sluice::parameter_error(std::string(what) + " has no size: set its member size to sizeof of the struct");
  }
  return std::min(s.size, sizeof(Struct));
}

inline std::vector<std::string_view> texts_of(const void* const* keys, const std::size_t* sizes, std::size_t count) {
  require_count<std::string_view>(count);
  std::vector<std::string_view> texts;
  texts.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    texts.push_back(
        text((&require_pointer(keys, "the array of keys"))[i], (&require_pointer(sizes, "the array of sizes"))[i]));
  }
  return texts;
}

inline std::span<const std::uint64_t> integers_of(const std::uint64_t* keys, std::size_t count) {
  require_count<std::uint64_t>(count);
  if (count != 0) require_pointer(keys, "the array of keys");
  return {keys, count};
}

/// A caller's number need not be one of the enum's, and is not read as one.
inline key_kind kind_of(const enum sluice_keys& kind) {
  int number = 0;
  static_assert(sizeof number == sizeof kind);
  std::memcpy(&number, &kind, sizeof number);
  switch (number) {
    case 0:
    case SLUICE_BYTES:
      return key_kind::bytes;
    case SLUICE_U64:
      return key_kind::u64;
    case SLUICE_U32:
      return key_kind::u32;
    default:
      throw sluice::parameter_error("there are no keys of kind " + std::to_string(number) +
                                    "; the kinds are those of enum sluice_keys");
  }
}

/// What a caller asks for, as our version of the struct. What an older caller does not have is 0; what a newer one has,
/// and we do not know, must be.
template <class Struct>
Struct known_part(const Struct& asked_for, std::size_t first, const char* what) {
  Struct ours{};
  std::memcpy(&ours, &asked_for, common_size(asked_for, first, what));
  const auto* const bytes = reinterpret_cast<const unsigned char*>(&asked_for);
  if (asked_for.size > sizeof ours &&
      std::any_of(bytes + sizeof ours, bytes + asked_for.size, [](unsigned char byte) { return byte != 0; })) {
    throw parameter_error(std::string(what) +
                          " asks for something that this version of sluice, " SLUICE_VERSION
                          ", does not know: set the members that its sluice.h does not have to zero, or use a newer "
                          "library");
  }
  return ours;
}

}  // namespace sluice::c
