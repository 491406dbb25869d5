// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Arrays of Apache Arrow, from any library that gives them out by Arrow's interface for C (pyarrow, polars, nanoarrow):
// an object has __arrow_c_array__, or __arrow_c_stream__ for several arrays in a row. The structs are those that the
// interface specifies. Integers, text, binary and fixed-width binary are keys; a null is an error.
#include "arrow_keys.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "strided_integers.hpp"

namespace sluice_python {
namespace {

/// What the interface lays down: names are ours, order and types are its own. An object whose release is null is gone.
struct arrow_type {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t child_count;
  arrow_type** children;
  arrow_type* dictionary;
  void (*release)(arrow_type*);
  void* private_data;
};
struct arrow_data {
  std::int64_t length;
  std::int64_t null_count;  // -1: not counted
  std::int64_t offset;      // of the first element, in all buffers
  std::int64_t buffer_count;
  std::int64_t child_count;
  const void** buffers;
  arrow_data** children;
  arrow_data* dictionary;
  void (*release)(arrow_data*);
  void* private_data;
};
struct arrow_stream {
  int (*get_type)(arrow_stream*, arrow_type*);
  int (*get_next)(arrow_stream*, arrow_data*);
  const char* (*get_last_error)(arrow_stream*);
  void (*release)(arrow_stream*);
  void* private_data;
};

/// Throws call_error where it is gone: its producer, or an earlier reader, has let its memory go.
template <class Struct>
Struct& require_there(Struct& given) {
  if (given.release == nullptr) {
    refuse_value("an Arrow array, schema or stream was released before; each can be read once, so ask for a new one");
  }
  return given;
}

/// Ours until the end: moved out of whatever had it.
template <class Struct>
class owned {
public:
  owned() = default;
  explicit owned(Struct& other) : it(require_there(other)) { other.release = nullptr; }
  owned(const owned&) = delete;
  owned& operator=(const owned&) = delete;
  owned(owned&& other) noexcept : it(other.it) { other.it.release = nullptr; }
  owned& operator=(owned&&) = delete;
  ~owned() {
    if (it.release != nullptr) it.release(&it);
  }
  Struct it{};
};

template <class Struct>
Struct& in_capsule(py::handle capsule, const char* name) {
  void* const pointer = PyCapsule_GetPointer(capsule.ptr(), name);
  if (pointer == nullptr) throw_python_error();
  return require_there(*static_cast<Struct*>(pointer));
}

/// What one letter of the format says.
struct element_type {
  enum class shape { numbers, texts, fixed } what;
  std::size_t width;  ///< of a number, of an offset, of a text
  bool is_signed = false;
};

element_type type_of(const arrow_type& type) {
  using shape = element_type::shape;
  if (type.dictionary != nullptr) {
    refuse_type("an Arrow array with a dictionary has its keys elsewhere; decode it (dictionary_decode) first");
  }
  const std::string_view format = type.format == nullptr ? "" : type.format;
  if (format.size() == 1) {
    switch (format[0]) {
      case 'c':
      case 's':
      case 'i':
      case 'l':
        return {shape::numbers, std::size_t{1} << std::string_view("csil").find(format[0]), true};
      case 'C':
      case 'S':
      case 'I':
      case 'L':
        return {shape::numbers, std::size_t{1} << std::string_view("CSIL").find(format[0])};
      case 'u':
      case 'z':
        return {shape::texts, 4};
      case 'U':
      case 'Z':
        return {shape::texts, 8};
      default:
        break;
    }
  }
  if (format.starts_with("w:")) {
    const long width = std::strtol(type.format + 2, nullptr, 10);
    if (width >= 0) return {shape::fixed, static_cast<std::size_t>(width)};
  }
  refuse_type("an Arrow array of format '" + std::string(format) + "' has no keys; they are integers, text or binary");
}

class arrow_keys final : public key_array {
public:
  arrow_keys(const element_type& type, arrow_data& data) : type_(type), data_(data) {
    const arrow_data& d = data_.it;
    const std::int64_t wanted = type_.what == element_type::shape::texts ? 3 : 2;
    if (d.length < 0 || d.offset < 0 || (d.length > 0 && d.buffer_count != wanted)) {
      refuse_value("an Arrow array has other buffers than its format");
    }
    size_ = static_cast<std::size_t>(d.length);
    first_ = static_cast<std::size_t>(d.offset);
    kind_ = type_.what == element_type::shape::numbers ? sluice::key_kind::u64 : sluice::key_kind::bytes;
    if (empty()) return;
    if (d.buffers == nullptr) refuse_missing();
    require_no_nulls();
    values_ = static_cast<const char*>(d.buffers[1]);
    const bool has_no_bytes = type_.what == element_type::shape::fixed && type_.width == 0;
    if (values_ == nullptr && !has_no_bytes) refuse_missing();
    if (type_.what == element_type::shape::texts) texts_ = static_cast<const char*>(d.buffers[2]);
    if (type_.what != element_type::shape::numbers) return;
    const auto width = static_cast<std::ptrdiff_t>(type_.width);
    integers_ = {values_ + static_cast<std::ptrdiff_t>(first_) * width, width, type_.width, type_.is_signed};
    if (integers_.in_place()) numbers_ = integers_.as_they_are(size_);
  }

  void read_numbers(std::size_t first, std::span<std::uint64_t> out) const override { integers_.read(first, out); }
  void read_digests(std::size_t first, const sluice::key_hasher& hash, std::span<sluice::digest> out) const override {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = hash(text(first_ + first + i));
  }

private:
  /// A buffer may be null where it would have no bytes, and that of validity where all are valid.
  [[noreturn]] static void refuse_missing() { refuse_value("an Arrow array lacks a buffer that its keys need"); }
  void require_no_nulls() const {
    const arrow_data& d = data_.it;
    const auto* const valid = static_cast<const std::uint8_t*>(d.buffers[0]);
    if (valid == nullptr && d.null_count > 0) refuse_missing();
    if (valid == nullptr || d.null_count == 0) return;
    for (std::size_t i = 0; i < size_; ++i) {
      const std::size_t bit = first_ + i;
      if ((static_cast<unsigned>(valid[bit / 8]) >> (bit % 8) & 1U) == 0) {
        refuse_type("key number " + std::to_string(i) + " of the Arrow array is null; drop_null() leaves them out");
      }
    }
  }
  [[nodiscard]] std::string_view text(std::size_t i) const {
    if (type_.what == element_type::shape::fixed) return {values_ + i * type_.width, type_.width};
    const std::int64_t from = offset(i);
    const std::int64_t to = offset(i + 1);
    if (from < 0 || to < from) refuse_value("an Arrow array has offsets that go back");
    if (to == from) return {};
    if (texts_ == nullptr) refuse_missing();
    return {texts_ + from, static_cast<std::size_t>(to - from)};
  }
  [[nodiscard]] std::int64_t offset(std::size_t i) const {
    if (type_.width == 8) {
      std::int64_t wide = 0;
      std::memcpy(&wide, values_ + i * 8, 8);
      return wide;
    }
    std::int32_t narrow = 0;
    std::memcpy(&narrow, values_ + i * 4, 4);
    return narrow;
  }

  element_type type_;
  owned<arrow_data> data_;
  std::size_t first_ = 0;
  const char* values_ = nullptr;  // numbers, texts of fixed width, or offsets
  const char* texts_ = nullptr;
  strided_integers integers_;
};

/// Several arrays in a row.
class chunked_keys final : public key_array {
public:
  explicit chunked_keys(std::vector<std::unique_ptr<key_array>> chunks) : chunks_(std::move(chunks)) {
    for (const auto& chunk : chunks_) {
      size_ += chunk->size();
      kind_ = chunk->kind();
      ends_.push_back(size_);
    }
  }
  void read_numbers(std::size_t first, std::span<std::uint64_t> out) const override {
    for_chunks(first, out, [](const key_array& chunk, std::size_t at, auto part) { chunk.read_numbers(at, part); });
  }
  void read_digests(std::size_t first, const sluice::key_hasher& hash, std::span<sluice::digest> out) const override {
    for_chunks(first, out,
               [&](const key_array& chunk, std::size_t at, auto part) { chunk.read_digests(at, hash, part); });
  }

private:
  void for_chunks(std::size_t first, auto out, const auto& read) const {
    while (!out.empty()) {
      const auto found = std::upper_bound(ends_.begin(), ends_.end(), first);
      const auto which = static_cast<std::size_t>(found - ends_.begin());
      const std::size_t begin = *found - chunks_[which]->size();
      const std::size_t count = std::min(out.size(), *found - first);
      read(*chunks_[which], first - begin, out.first(count));
      out = out.subspan(count);
      first += count;
    }
  }
  std::vector<std::unique_ptr<key_array>> chunks_;
  std::vector<std::size_t> ends_;
};

std::unique_ptr<key_array> keys_in_stream(py::handle capsule) {
  const owned<arrow_stream> stream(in_capsule<arrow_stream>(capsule, "arrow_array_stream"));
  arrow_stream* const it = const_cast<arrow_stream*>(&stream.it);
  const auto require = [&](int status) {
    if (status == 0) return;
    const char* const why = it->get_last_error(it);
    refuse_value("an Arrow stream failed: " + std::string(why != nullptr ? why : std::strerror(status)));
  };
  owned<arrow_type> type;
  require(it->get_type(it, &type.it));
  const element_type element = type_of(require_there(type.it));
  std::vector<std::unique_ptr<key_array>> chunks;
  for (;;) {
    owned<arrow_data> next;
    require(it->get_next(it, &next.it));
    if (next.it.release == nullptr) break;
    if (next.it.length != 0) chunks.push_back(std::make_unique<arrow_keys>(element, next.it));
  }
  return std::make_unique<chunked_keys>(std::move(chunks));
}

}  // namespace

std::unique_ptr<key_array> keys_in_arrow(py::handle keys) {
  if (py::hasattr(keys, "__arrow_c_array__")) {
    const py::object both = keys.attr("__arrow_c_array__")();
    const py::tuple capsules(both);
    const element_type type = type_of(in_capsule<arrow_type>(capsules[0], "arrow_schema"));
    return std::make_unique<arrow_keys>(type, in_capsule<arrow_data>(capsules[1], "arrow_array"));
  }
  if (py::hasattr(keys, "__arrow_c_stream__")) return keys_in_stream(keys.attr("__arrow_c_stream__")());
  return nullptr;
}

}  // namespace sluice_python
