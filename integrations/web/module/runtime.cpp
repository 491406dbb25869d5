// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// runtime: what the module has in place of parts of the C++ runtime that this platform lacks, or that are large.
//
// An exception cannot be caught here. Throwing one keeps its sentence, whose place reason() tells, and ends the
// instance by a trap; the page shows the sentence and goes on with a new instance, which takes a few milliseconds. So
// nothing in plan and theory may need a catch to go on; what has one (model_allowance) is not called here.
//
// Printing a double is std::to_chars in the library, with a number of digits or as many as read back; the runtime's own
// brings 112 kB of tables, printf's has none. With a number of digits both must print the same by the standard.
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <system_error>
#include <typeinfo>

namespace {

char sentence[1024];  // of the exception that ended this instance; empty: none did

}  // namespace

extern "C" {

[[clang::export_name("reason")]] const char* sluice_web_reason() { return sentence; }

void* __cxa_allocate_exception(std::size_t size) noexcept { return std::malloc(size); }  // NOLINT
void __cxa_free_exception(void* memory) noexcept { std::free(memory); }                  // NOLINT

/// Everything that is thrown here is a std::exception, and that is its first base.
[[noreturn]] void __cxa_throw(void* thrown, std::type_info* /*type*/, void (* /*destroy*/)(void*)) {  // NOLINT
  std::strncpy(sentence, static_cast<std::exception*>(thrown)->what(), sizeof sentence - 1);
  __builtin_trap();
}

}  // extern "C"

_LIBCPP_BEGIN_NAMESPACE_STD

to_chars_result to_chars(char* first, char* last, double value, chars_format /*general*/, int digits) {
  char text[64];
  const int length = std::snprintf(text, sizeof text, "%.*g", digits, value);
  if (length < 0 || length > last - first || static_cast<std::size_t>(length) >= sizeof text) {
    return {last, errc::value_too_large};
  }
  std::memcpy(first, text, static_cast<std::size_t>(length));
  return {first + length, errc()};
}

to_chars_result to_chars(char* first, char* last, double value) {
  constexpr int enough = 17;
  for (int digits = 1; digits < enough; ++digits) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value) return to_chars(first, last, value, chars_format::general, digits);
  }
  return to_chars(first, last, value, chars_format::general, enough);
}

_LIBCPP_END_NAMESPACE_STD
