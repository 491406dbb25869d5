// Lists, and what kind of a thing holds keys at all.
#include "key_array.hpp"

#include <string>
#include <utility>
#include <vector>

#include "one_key.hpp"

namespace sluice_python {
namespace {

/// Of a list: numbers, or digests of texts.
class listed_keys final : public key_array {
public:
  listed_keys(std::vector<std::uint64_t> numbers, std::vector<sluice::digest> digests)
      : own_numbers_(std::move(numbers)), own_digests_(std::move(digests)) {
    size_ = own_numbers_.size() + own_digests_.size();
    kind_ = own_numbers_.empty() ? sluice::key_kind::bytes : sluice::key_kind::u64;
    numbers_ = own_numbers_;
    digests_ = own_digests_;
  }

private:
  std::vector<std::uint64_t> own_numbers_;
  std::vector<sluice::digest> own_digests_;
};

/// Is this an array by its looks: does it have a dtype of numpy's, as a Series of pandas has?
bool has_numpy_type(py::handle keys) {
  if (!py::hasattr(keys, "dtype") || !py::hasattr(keys, "__array__")) return false;
  return py::isinstance(keys.attr("dtype"), py::module_::import("numpy").attr("dtype"));
}

py::object as_numpy(py::handle keys) {
  try {
    return py::module_::import("numpy").attr("asarray")(keys);
  } catch (const py::error_already_set& e) {
    if (!e.matches(PyExc_Exception)) throw;
    refuse_type("the keys cannot be read as an array: " + std::string(py::str(e.value())));
  }
}

}  // namespace

void key_array::read_numbers(std::size_t /*first*/, std::span<std::uint64_t> /*out*/) const {
  throw sluice::error("the keys of this array are no numbers");
}
void key_array::read_digests(std::size_t /*first*/, const sluice::hasher& /*hash*/,
                             std::span<sluice::digest> /*out*/) const {
  throw sluice::error("the keys of this array are no bytes");
}

std::unique_ptr<key_array> keys_of_objects(py::handle owner, const char* objects, std::ptrdiff_t stride,
                                           std::size_t count, const sluice::hasher& hash) {
  const auto object = [&](std::size_t i) {
    return *reinterpret_cast<PyObject* const*>(objects + static_cast<std::ptrdiff_t>(i) * stride);
  };
  const bool is_list = PyList_Check(owner.ptr());
  constexpr std::size_t ahead = 12;  // the objects lie anywhere in memory
  constexpr std::size_t between_signals = 65'536;
  std::vector<std::uint64_t> numbers;
  std::vector<sluice::digest> digests;
  std::string scratch;
  for (std::size_t i = 0; i < count; ++i) {
    // An object's own __index__ may have changed the list.
    if (is_list && static_cast<std::size_t>(PyList_GET_SIZE(owner.ptr())) != count) {
      refuse_value("the list of keys changed its length while it was read");
    }
    if (i % between_signals == between_signals - 1 && PyErr_CheckSignals() != 0) throw_python_error();
    if (i + ahead < count) __builtin_prefetch(object(i + ahead));
    PyObject* const one = is_list ? PyList_GET_ITEM(owner.ptr(), static_cast<Py_ssize_t>(i)) : object(i);
    if (one == nullptr) refuse_type("key number " + std::to_string(i) + " is missing");
    const py::object held = py::reinterpret_borrow<py::object>(one);
    one_key key;
    try {
      key = key_of(one, scratch);
    } catch (const call_error& e) {
      throw call_error(e.builtin(), "key number " + std::to_string(i) + ": " + e.what(), e.code());
    }
    if (i == 0) {
      if (key.kind == sluice::key_kind::bytes) {
        digests.reserve(count);
      } else {
        numbers.reserve(count);
      }
    }
    if (key.kind == sluice::key_kind::bytes && numbers.empty()) {
      digests.push_back(hash(key.text));
    } else if (key.kind != sluice::key_kind::bytes && digests.empty()) {
      numbers.push_back(key.number);
    } else {
      refuse_type("key number " + std::to_string(i) + " is " + type_name(one) +
                  ", others are not: keys are all text or bytes, or all integers");
    }
  }
  return std::make_unique<listed_keys>(std::move(numbers), std::move(digests));
}

std::unique_ptr<key_array> keys_in(py::handle keys, const sluice::hasher& hash) {
  PyObject* const object = keys.ptr();
  if (PyList_Check(object) || PyTuple_Check(object)) {
    return keys_of_objects(keys, reinterpret_cast<const char*>(PySequence_Fast_ITEMS(object)), sizeof(PyObject*),
                           static_cast<std::size_t>(PySequence_Fast_GET_SIZE(object)), hash);
  }
  if (PyUnicode_Check(object) || PyBytes_Check(object) || PyByteArray_Check(object)) {
    refuse_type("a " + type_name(keys) + " is one key, and many are wanted; put it into a list, or use add or in");
  }
  if (py::isinstance(keys, py::module_::import("numpy").attr("ndarray"))) return keys_in_numpy(keys, hash);
  if (has_numpy_type(keys)) return keys_in_numpy(as_numpy(keys), hash);
  if (auto array = keys_in_arrow(keys)) return array;
  if (py::hasattr(keys, "__array__") || PyObject_CheckBuffer(object) != 0) return keys_in_numpy(as_numpy(keys), hash);
  if (py::hasattr(keys, "__iter__") || PySequence_Check(object) != 0) return nullptr;
  refuse_type("keys are an array, a list or another iterable of str, bytes or int, not " + type_name(keys));
}

}  // namespace sluice_python
