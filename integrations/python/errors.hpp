// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Errors on their way to Python. Whatever the library throws becomes a sluice.Error with the same sentence and code,
// which is also the built-in exception that fits (sluice/errors.py has the classes). What only Python can do wrong, a
// float as a key, is thrown here as a call_error, which names the built-in itself.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>

#include "sluice/errors.hpp"

namespace sluice_python {

namespace py = pybind11;

/// An error of the call: its built-in does not follow from the code alone.
class call_error : public sluice::error {
public:
  call_error(const char* builtin, const std::string& sentence, sluice::error_code code)
      : sluice::error(sentence, code), builtin_(builtin) {}
  [[nodiscard]] const char* builtin() const noexcept { return builtin_; }

private:
  const char* builtin_;
};

/// A key, or an array of keys, of a type that can be none: TypeError.
[[noreturn]] void refuse_type(const std::string& sentence);
/// An integer that has no 64 bits: OverflowError.
[[noreturn]] void refuse_range(const std::string& sentence);
/// A text that has no UTF-8, an array of another shape: ValueError.
[[noreturn]] void refuse_value(const std::string& sentence);

/// The name of an object's type, for sentences.
[[nodiscard]] std::string type_name(py::handle object);

/// Warns that a filter has more keys than it was made for: sluice.OverfullWarning. Throws where warnings are errors.
/// Needs the GIL.
void warn_overfull(std::uint64_t keys, std::uint64_t planned_keys);

/// Throws what Python has set.
[[noreturn]] inline void throw_python_error() { throw py::error_already_set(); }

/// Sets the Python error for the exception that is being handled; for functions that Python calls directly. Needs the
/// GIL.
void set_python_error() noexcept;

void bind_errors();

}  // namespace sluice_python
