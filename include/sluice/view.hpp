// view: lookups in a filter file, where it lies: mapped from disk, or in anybody's bytes.
//
//   const auto v = sluice::view::map("words.sluice");
//   v.may_contain("key");
//   v.verify();                                        reads everything and compares checksums; throws sluice::file_error
//
// map() and the constructor check the header, which is small, and read nothing else: a lookup then touches the blocks that it asks, and the system
// reads those pages alone. A file from a stranger can make lookups answer wrongly, which verify() finds unless the stranger has made the
// checksums, too; it cannot make them read elsewhere, or take memory.
// Invariants: after map() the view owns the mapping, and so do its copies; over bytes, somebody else keeps them.
// Cost: of the scheme; of a file that grew, of every filter of its chain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include "sluice/file/contents.hpp"
#include "sluice/filter.hpp"
#include "sluice/filter/chain.hpp"

namespace sluice {

namespace file {

class mapping;

}  // namespace file

class view {
public:
  /// The bytes of a whole file, which somebody else keeps; `name` is for sentences. Throws file_error.
  explicit view(std::span<const std::byte> file, std::string name = "the bytes");

  /// Throws file_error with the file and the reason.
  [[nodiscard]] static view map(const std::string& path);

  /// Throws key_error if the file has keys of another kind.
  template <key K>
  [[nodiscard]] bool may_contain(const K& k) const {
    demand_kind<K>(contents_.keys, name_);
    const digest x = hash_(k);
    for (std::size_t i = filters_.size(); i-- > 0;) {
      if (filters_[i].may_contain(x)) return true;
    }
    return false;
  }

  /// Looks all keys up and writes 1 or 0 for each. Throws key_error, and parameter_error if there is no room for so many answers.
  template <bulk_keys Keys>
  void may_contain_bulk(const Keys& keys, std::span<std::uint8_t> answers) const {
    demand_kind<std::ranges::range_value_t<Keys>>(contents_.keys, name_);
    if (filters_.size() == 1) {
      filters_.front().may_contain_bulk(keys, answers);
      return;
    }
    detail::look_up_chain(filters_.size(), hash_, detail::span_of(keys), answers,
                          [&](std::size_t number, std::span<const digest> asked, std::span<std::uint8_t> found) {
                            filters_[number].may_contain_bulk(asked, found);
                          });
  }

  /// Reads the whole file and compares all checksums. Throws file_error.
  void verify() const;

  [[nodiscard]] const file_contents& contents() const noexcept { return contents_; }
  [[nodiscard]] key_kind keys() const noexcept { return contents_.keys; }
  [[nodiscard]] std::uint64_t size_bytes() const noexcept { return file_.size(); }
  [[nodiscard]] std::uint64_t keys_inserted() const noexcept;
  /// Of each filter, from its bits.
  [[nodiscard]] std::vector<statistics> stats() const;

private:
  std::string name_;
  std::span<const std::byte> file_;
  std::shared_ptr<const file::mapping> mapping_;
  file_contents contents_;
  hasher hash_;
  std::vector<filter_view> filters_;
};

}  // namespace sluice
