// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Arrays of numpy, and what numpy reads as such (buffers, a Series of pandas): integers of every width and byte order,
// texts of fixed width, objects; strided or not.
#include "numpy_keys.hpp"

#include <pybind11/numpy.h>

#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "one_key.hpp"
#include "strided_integers.hpp"

namespace sluice_python {
namespace {

/// Where the elements of an array of one dimension lie.
struct elements {
  py::array owner;
  const char* data;
  std::ptrdiff_t stride;
  std::size_t count;
  std::size_t width;
  bool swapped;  ///< not in the byte order of this machine

  explicit elements(const py::array& a)
      : owner(a),
        data(static_cast<const char*>(a.data())),
        stride(a.strides(0)),
        count(static_cast<std::size_t>(a.shape(0))),
        width(static_cast<std::size_t>(a.itemsize())),
        swapped(a.dtype().byteorder() == (std::endian::native == std::endian::little ? '>' : '<')) {}
  [[nodiscard]] const char* at(std::size_t i) const noexcept { return data + static_cast<std::ptrdiff_t>(i) * stride; }
};

class numpy_numbers final : public key_array {
public:
  numpy_numbers(const elements& e, bool is_signed)
      : owner_(e.owner), integers_{e.data, e.stride, e.width, is_signed, e.swapped} {
    size_ = e.count;
    kind_ = sluice::key_kind::u64;
    if (integers_.in_place()) numbers_ = integers_.as_they_are(e.count);
  }
  void read_numbers(std::size_t first, std::span<std::uint64_t> out) const override { integers_.read(first, out); }

private:
  py::array owner_;
  strided_integers integers_;
};

/// Texts that all have the same room, `S16`, `U16` or `V16`. As numpy gives them out: zeros behind the last character
/// are room, not text, except in raw bytes.
class numpy_texts final : public key_array {
public:
  numpy_texts(const elements& e, char type) : elements_(e), type_(type) {
    size_ = e.count;
    kind_ = sluice::key_kind::bytes;
  }
  void read_digests(std::size_t first, const sluice::key_hasher& hash, std::span<sluice::digest> out) const override {
    std::string scratch;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const char* const text = elements_.at(first + i);
      if (type_ == 'U') {
        scratch.clear();
        append_utf8(text, length_of(text, 4), 4, elements_.swapped, scratch);
        out[i] = hash(std::string_view(scratch));
      } else {
        out[i] = hash(std::string_view(text, type_ == 'V' ? elements_.width : length_of(text, 1)));
      }
    }
  }

private:
  /// In units of so many bytes.
  [[nodiscard]] std::size_t length_of(const char* text, std::size_t unit) const noexcept {
    static constexpr char zeros[4] = {};
    std::size_t length = elements_.width / unit;
    while (length > 0 && std::memcmp(text + (length - 1) * unit, zeros, unit) == 0) --length;
    return length;
  }

  elements elements_;
  char type_;
};

class no_keys final : public key_array {};

/// The memory of an array, and of the arrays that it is a view of: any of them may be resized.
class array_memory {
public:
  explicit array_memory(const py::array& a) {
    for (py::object one = a; one && py::isinstance<py::array>(one); one = parts_.back().array.base()) {
      parts_.emplace_back(py::reinterpret_borrow<py::array>(one));
    }
  }
  void require_unchanged() const {
    for (const part& one : parts_) {
      if (one == part(one.array)) continue;
      refuse_value("the array of keys, or what it is a view of, changed while it was read");
    }
  }

private:
  struct part {
    py::array array;
    const void* data;
    py::ssize_t bytes;
    py::dtype type;

    explicit part(const py::array& a) : array(a), data(a.data()), bytes(a.nbytes()), type(a.dtype()) {}
    [[nodiscard]] bool operator==(const part& other) const {
      return data == other.data && bytes == other.bytes && type.is(other.type);
    }
  };
  std::vector<part> parts_;
};

}  // namespace

std::unique_ptr<key_array> keys_in_numpy(py::handle array, const sluice::key_hasher& hash) {
  const auto a = py::reinterpret_borrow<py::array>(array);
  if (a.ndim() != 1) {
    refuse_value("keys are an array of one dimension, not of " + std::to_string(a.ndim()) +
                 (a.ndim() == 0 ? "; a single key needs add or in" : "; ravel() makes one of it"));
  }
  if (a.shape(0) == 0) return std::make_unique<no_keys>();  // numpy.array([]) is one of floats, which nobody meant
  if (py::hasattr(array, "mask") && py::hasattr(array, "filled")) {
    refuse_type("a masked array has keys that are none; give array.compressed()");
  }
  const elements e(a);
  const char type = a.dtype().kind();
  switch (type) {
    case 'i':
    case 'u':
      return std::make_unique<numpy_numbers>(e, type == 'i');
    case 'S':
    case 'U':
      return std::make_unique<numpy_texts>(e, type);
    case 'V':
      if (!a.dtype().has_fields()) return std::make_unique<numpy_texts>(e, type);
      break;
    case 'O': {
      const array_memory memory(a);
      const auto where = [&] { return memory.require_unchanged(), e.data; };
      return keys_of_objects(where, e.stride, e.count, hash);
    }
    default:
      break;
  }
  const std::string name = py::str(a.dtype());
  refuse_type("an array of " + name + " has no keys; they are integers, or texts (S, U, object)" +
              (type == 'f'                  ? ": round and cast it, if that is what you mean"
               : type == 'M' || type == 'm' ? ": its integers are array.view('i8')"
                                            : ""));
}

}  // namespace sluice_python
