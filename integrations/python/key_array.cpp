// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Objects, each of which is a key.
#include "key_array.hpp"

#include <algorithm>
#include <string>
#include <string_view>
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

/// Objects that lie a stride apart, each of which should be a key.
class object_row {
public:
  object_row(const std::function<const char*()>& where, std::ptrdiff_t stride, std::size_t count)
      : where_(where), objects_(where()), stride_(stride), count_(count) {}

  /// An object's own code, or a signal's, may have changed what the objects lie in.
  void look_again() { objects_ = where_(); }

  [[nodiscard]] py::object held(std::size_t i) const {
    if (at(i) == nullptr) refuse_type("key number " + std::to_string(i) + " is missing");
    return py::reinterpret_borrow<py::object>(at(i));
  }

  /// The digests of the texts from `first` on, up to the first object that is neither ASCII text nor bytes, or until
  /// it is time to look at signals; where it ended. No Python code runs, so nothing need be held.
  std::size_t read_texts(std::size_t first, const sluice::key_hasher& hash, std::vector<sluice::digest>& out) const {
    return read(first, out, [&](PyObject* one, sluice::digest& to) {
      std::string_view text;
      if (PyUnicode_Check(one) && PyUnicode_IS_COMPACT_ASCII(one)) {
        text = {reinterpret_cast<const char*>(PyUnicode_1BYTE_DATA(one)),
                static_cast<std::size_t>(PyUnicode_GET_LENGTH(one))};
      } else if (PyBytes_Check(one)) {
        text = {PyBytes_AS_STRING(one), static_cast<std::size_t>(PyBytes_GET_SIZE(one))};
      } else {
        return false;
      }
      to = hash(text);
      return true;
    });
  }
  /// The same with plain integers of 64 bits.
  std::size_t read_numbers(std::size_t first, std::vector<std::uint64_t>& out) const {
    return read(first, out, [](PyObject* one, std::uint64_t& to) {
      if (!PyLong_CheckExact(one)) return false;
      int overflow = 0;
      to = static_cast<std::uint64_t>(PyLong_AsLongLongAndOverflow(one, &overflow));
      return overflow == 0;
    });
  }

private:
  [[nodiscard]] PyObject* at(std::size_t i) const {
    return *reinterpret_cast<PyObject* const*>(objects_ + static_cast<std::ptrdiff_t>(i) * stride_);
  }

  template <class Out, class Take>
  std::size_t read(std::size_t first, std::vector<Out>& out, const Take& take) const {
    constexpr std::size_t between_signals = 65'536;
    constexpr std::size_t ahead = 16;  // the objects lie anywhere in memory
    const std::size_t end = std::min(count_, first + between_signals);
    std::size_t i = first;
    for (; i < end; ++i) {
      if (i + ahead < count_) __builtin_prefetch(at(i + ahead));
      PyObject* const object = at(i);
      Out one{};
      if (object == nullptr || !take(object, one)) break;
      if (out.capacity() == 0) out.reserve(count_);
      out.push_back(one);
    }
    return i;
  }

  const std::function<const char*()>& where_;
  const char* objects_;
  std::ptrdiff_t stride_;
  std::size_t count_;
};

/// Throws call_error, which names the number of the key.
one_key key_at(std::size_t i, py::handle object, std::string& scratch) {
  try {
    return key_of(object.ptr(), scratch);
  } catch (const call_error& e) {
    throw call_error(e.builtin(), "key number " + std::to_string(i) + ": " + e.what(), e.code());
  }
}

}  // namespace

void key_array::read_numbers(std::size_t /*first*/, std::span<std::uint64_t> /*out*/) const {
  throw sluice::error("the keys of this array are no numbers");
}
void key_array::read_digests(std::size_t /*first*/, const sluice::key_hasher& /*hash*/,
                             std::span<sluice::digest> /*out*/) const {
  throw sluice::error("the keys of this array are no bytes");
}

std::unique_ptr<key_array> keys_of_objects(const std::function<const char*()>& where, std::ptrdiff_t stride,
                                           std::size_t count, const sluice::key_hasher& hash) {
  object_row row(where, stride, count);
  std::vector<std::uint64_t> numbers;
  std::vector<sluice::digest> digests;
  std::string scratch;
  for (std::size_t done = 0; done < count;) {
    // Those that need no Python code: quickly, and then one of whatever kind.
    if (numbers.empty()) done = row.read_texts(done, hash, digests);
    if (digests.empty()) done = row.read_numbers(done, numbers);
    if (PyErr_CheckSignals() != 0) throw_python_error();
    row.look_again();
    if (done == count) break;
    const py::object one = row.held(done);
    const one_key key = key_at(done, one, scratch);
    if (key.kind == sluice::key_kind::bytes && numbers.empty()) {
      digests.push_back(hash(key.text));
    } else if (key.kind != sluice::key_kind::bytes && digests.empty()) {
      numbers.push_back(key.number);
    } else {
      refuse_type("key number " + std::to_string(done) + " is " + type_name(one) +
                  ", others are not: keys are all text or bytes, or all integers");
    }
    ++done;
    row.look_again();
  }
  return std::make_unique<listed_keys>(std::move(numbers), std::move(digests));
}

}  // namespace sluice_python
