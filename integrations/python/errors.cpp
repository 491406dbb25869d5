// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "errors.hpp"

#include <exception>
#include <new>
#include <string_view>
#include <utility>

namespace sluice_python {
namespace {

/// The library's sentences name its own types, where they say what to use instead; Python has others.
std::string in_python_words(std::string sentence) {
  constexpr std::pair<std::string_view, std::string_view> words[] = {
      {"; see sluice::theory::subtable_sizes", ""},       {"sluice::resealable_filter", "ResealableFilter"},
      {"resealable_filter", "ResealableFilter"},          {"growing_filter", "GrowingFilter"},
      {"concurrent_filter", "ConcurrentFilter"},          {"sealed_builder", "build_static()"},
      {"static_builder", "build_static(scheme='gated')"},
  };
  for (const auto& [theirs, ours] : words) {
    for (std::size_t at = 0; (at = sentence.find(theirs, at)) != std::string::npos; at += ours.size()) {
      sentence.replace(at, theirs.size(), ours);
    }
  }
  return sentence;
}

/// Throws nothing: what goes wrong here is itself set as the error.
void raise(const std::string& told, sluice::error_code code, const char* builtin) noexcept {
  try {
    const std::string sentence = in_python_words(told);
    const std::string name(sluice::name_of(code));
    const py::object error = py::module_::import("sluice.errors").attr("_error")(sentence, name, py::str(builtin));
    PyErr_SetObject(py::type::handle_of(error).ptr(), error.ptr());
  } catch (py::error_already_set& e) {
    e.restore();
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
}

/// False if the exception is none of ours.
bool raise(const std::exception_ptr& thrown) noexcept {
  try {
    std::rethrow_exception(thrown);
  } catch (const call_error& e) {
    raise(e.what(), e.code(), e.builtin());
  } catch (const sluice::error& e) {
    raise(e.what(), e.code(), "");
  } catch (const std::bad_alloc&) {
    raise("there is not enough memory", sluice::error_code::no_memory, "");
  } catch (...) {
    return false;
  }
  return true;
}

}  // namespace

void refuse_type(const std::string& sentence) { throw call_error("TypeError", sentence, sluice::error_code::bad_key); }
void refuse_range(const std::string& sentence) {
  throw call_error("OverflowError", sentence, sluice::error_code::bad_key);
}
void refuse_value(const std::string& sentence) {
  throw call_error("ValueError", sentence, sluice::error_code::bad_key);
}

void warn_overfull(std::uint64_t keys, std::uint64_t planned_keys) {
  const std::string sentence =
      "the filter was made for " + std::to_string(planned_keys) + " keys and has " + std::to_string(keys) +
      ": more absent keys are taken for stored ones than were planned, and with every key more "
      "still. Make a larger one, or a GrowingFilter";
  const py::object category = py::module_::import("sluice.errors").attr("OverfullWarning");
  if (PyErr_WarnEx(category.ptr(), sentence.c_str(), 1) != 0) throw_python_error();
}

std::string type_name(py::handle object) { return Py_TYPE(object.ptr())->tp_name; }

void set_python_error() noexcept {
  const std::exception_ptr thrown = std::current_exception();
  if (raise(thrown)) return;
  try {
    std::rethrow_exception(thrown);
  } catch (py::error_already_set& e) {
    e.restore();
  } catch (const py::builtin_exception& e) {
    e.set_error();
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, "an unknown error");
  }
}

void bind_errors() {
  py::register_local_exception_translator([](std::exception_ptr thrown) {
    if (thrown && !raise(thrown)) std::rethrow_exception(thrown);
  });
}

}  // namespace sluice_python
