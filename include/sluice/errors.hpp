// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// errors: every failure the library can report is one of these types. It has a code, for programs, and a sentence that
// says what was wrong and what would be right, for people. The library never prints, asserts or aborts. The memory of
// filters that the system would not give is a memory_error; what the standard library wants beside that, for lists and
// buffers, is std::bad_alloc as usual.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sluice/detail/api.hpp"

namespace sluice {

/// Why. The numbers are those of the C interface, and never change.
enum class error_code : std::uint8_t {
  other = 1,
  bad_parameter = 2,   ///< a number out of range, or parameters that describe no filter
  bad_key = 3,         ///< of another kind than the filter's, or chosen against it
  cannot_merge = 4,    ///< other parameters, another seed, another kind
  bad_layout = 5,      ///< bytes that cannot be the filter that their parameters describe
  no_memory = 6,       ///< the system would not give it
  not_found = 7,       ///< there is no such file
  exists = 8,          ///< there is a file, which must not be replaced
  damaged = 9,         ///< no filter file, or one that was changed or cut off
  newer_version = 10,  ///< a file of a format that this version does not know
  read_only = 11,      ///< a file that was mapped, or bytes of the caller, cannot be added to
  system = 12,         ///< the operating system refused something else
  full = 13,           ///< a filter that was made for fewer keys has no room for this one
};

/// As the enumerator is called.
[[nodiscard]] constexpr std::string_view name_of(error_code code) noexcept {
  constexpr std::string_view names[] = {"other",     "bad_parameter", "bad_key", "cannot_merge", "bad_layout",
                                        "no_memory", "not_found",     "exists",  "damaged",      "newer_version",
                                        "read_only", "system",        "full"};
  return names[static_cast<std::uint8_t>(code) - 1];
}

/// The base of all sluice errors: catch this one, and std::bad_alloc, to catch them all.
class SLUICE_API error : public std::runtime_error {
public:
  explicit error(const std::string& sentence, error_code code = error_code::other)
      : std::runtime_error(sentence), code_(code) {}
  [[nodiscard]] error_code code() const noexcept { return code_; }

private:
  error_code code_;
};

/// Parameters that describe no filter: a zero, a range violated, a product that does not fit in 64 bits.
class SLUICE_API parameter_error : public error {
public:
  explicit parameter_error(const std::string& sentence) : error(sentence, error_code::bad_parameter) {}
};

/// Two filters that cannot be united: different schemes, parameters or seeds.
class SLUICE_API merge_error : public error {
public:
  explicit merge_error(const std::string& sentence) : error(sentence, error_code::cannot_merge) {}
};

/// Bytes handed to a view that cannot be the filter that its parameters describe.
class SLUICE_API layout_error : public error {
public:
  explicit layout_error(const std::string& sentence) : error(sentence, error_code::bad_layout) {}
};

/// Keys that a filter cannot take: of another kind than its own (bytes where it has integers, or the other way round),
/// or chosen so that they would make its exact list slow.
class SLUICE_API key_error : public error {
public:
  explicit key_error(const std::string& sentence) : error(sentence, error_code::bad_key) {}
};

/// A key for which a filter of bounded size has no room. The filter holds what it held before the key came.
class SLUICE_API full_error : public error {
public:
  explicit full_error(const std::string& sentence) : error(sentence, error_code::full) {}
};

/// A file that cannot be read or written, or bytes that are no filter: the sentence names the file, the place and the
/// reason.
class SLUICE_API file_error : public error {
public:
  explicit file_error(const std::string& sentence, error_code code = error_code::system) : error(sentence, code) {}
};

/// Random bytes that the system would not give.
class SLUICE_API random_error : public error {
public:
  explicit random_error(const std::string& sentence) : error(sentence, error_code::system) {}
};

/// Memory that the system would not give.
class SLUICE_API memory_error : public error {
public:
  explicit memory_error(const std::string& sentence) : error(sentence, error_code::no_memory) {}
};

}  // namespace sluice
