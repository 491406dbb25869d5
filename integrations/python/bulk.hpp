// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Bulk calls: every key of an array through a filter, without the GIL, by several threads, in steps. Between two steps
// Python is asked whether somebody wants to interrupt, and told how far it has come.
//
// Filter is sluice::filter_file, concurrent_filter or resealable_filter: the calls are theirs.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "keys_in.hpp"
#include "sluice/extend/bulk.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/file.hpp"
#include "sluice/hash.hpp"

namespace sluice_python {

/// Up to here threads are not worth their start.
inline constexpr std::size_t one_thread_up_to = 100'000;

/// threads=: as many as were asked for; None: one for few keys, all cores for many. Throws call_error.
[[nodiscard]] inline std::uint32_t threads_for(const std::optional<std::int64_t>& asked, std::size_t keys) {
  if (!asked) return keys <= one_thread_up_to ? 1 : sluice::extend::threads_or_all(0);
  if (*asked < 1 || *asked > 1024) refuse_value("threads is from 1 to 1024, or None for as many as are worth it");
  return static_cast<std::uint32_t>(*asked);
}

/// Told the share that is done, 0 to 1, with the GIL; what it raises ends the call.
class progress_teller {
public:
  /// None, something to be called, or a progress bar with update() and total: sluice/_progress.py makes one of both.
  explicit progress_teller(const py::object& progress) {
    if (!progress.is_none()) tell_ = py::module_::import("sluice._progress").attr("teller")(progress);
  }
  void operator()(double share) const {
    if (tell_) tell_(share);
  }

private:
  py::object tell_;
};

/// Calls work(first, count) without the GIL for one step after the other.
template <class Work>
void in_steps(std::size_t count, const progress_teller& tell, const Work& work) {
  constexpr std::size_t step = std::size_t{1} << 21U;
  for (std::size_t done = 0; done < count;) {
    const std::size_t some = std::min(step, count - done);
    {
      const py::gil_scoped_release no_gil;
      work(done, some);
    }
    done += some;
    if (PyErr_CheckSignals() != 0) throw_python_error();
    tell(static_cast<double>(done) / static_cast<double>(count));
  }
}

/// The keys of whatever has some, all at once.
[[nodiscard]] inline std::unique_ptr<key_array> all_keys_in(const py::object& keys, const sluice::key_hasher& hash) {
  auto array = keys_in(keys, hash);
  return array ? std::move(array) : keys_in(py::list(keys), hash);
}

/// Many keys, of which each is answered for, and the answers.
class answered_keys {
public:
  answered_keys(const py::object& keys, const sluice::key_hasher& hash)
      : array_(all_keys_in(keys, hash)), answers_(static_cast<py::ssize_t>(array_->size())) {}

  [[nodiscard]] std::size_t size() const noexcept { return array_->size(); }
  [[nodiscard]] bool empty() const noexcept { return array_->empty(); }
  [[nodiscard]] sluice::key_kind kind() const noexcept { return array_->kind(); }
  [[nodiscard]] const py::array_t<bool>& answers() const noexcept { return answers_; }
  void answer_all(bool same) { std::fill_n(answers_.mutable_data(), size(), same); }

  /// Calls work(keys, first, answers) without the GIL for one step after the other. Precondition: there are keys.
  template <class Work>
  void in_steps(const progress_teller& tell, const Work& work) {
    auto* const out = reinterpret_cast<std::uint8_t*>(answers_.mutable_data());
    sluice_python::in_steps(size(), tell, [&](std::size_t first, std::size_t count) {
      work(*array_, first, std::span(out + first, count));
    });
  }

private:
  std::unique_ptr<key_array> array_;
  py::array_t<bool> answers_;
};

/// Answers for the keys from `first` on. Needs no GIL.
template <class Filter>
void look_up(const Filter& f, const sluice::key_hasher& hash, const key_array& keys, std::size_t first,
             std::span<std::uint8_t> out, std::uint32_t threads) {
  if (!keys.numbers_in_place().empty()) {
    f.may_contain_bulk(keys.numbers_in_place().subspan(first, out.size()), out, threads);
  } else if (!keys.digests_in_place().empty()) {
    f.may_contain_bulk(keys.digests_in_place().subspan(first, out.size()), out, threads);
  } else {
    sluice::extend::in_shares(out.size(), threads, [&](std::size_t from, std::size_t count) {
      constexpr std::size_t piece = 4096;  // stays in the first-level cache
      std::vector<std::uint64_t> numbers(keys.kind() == sluice::key_kind::bytes ? 0 : std::min(piece, count));
      std::vector<sluice::digest> digests(keys.kind() == sluice::key_kind::bytes ? std::min(piece, count) : 0);
      for (std::size_t done = 0; done < count;) {
        const std::size_t some = std::min(piece, count - done);
        const std::span<std::uint8_t> answers = out.subspan(from + done, some);
        if (keys.kind() == sluice::key_kind::bytes) {
          const std::span<sluice::digest> room = std::span(digests).first(some);
          keys.read_digests(first + from + done, hash, room);
          f.may_contain_bulk(room, answers);
        } else {
          const std::span<std::uint64_t> room = std::span(numbers).first(some);
          keys.read_numbers(first + from + done, room);
          f.may_contain_bulk(room, answers);
        }
        done += some;
      }
    });
  }
}

/// The digests of the keys from `first` on. Needs no GIL.
inline void digests_of(const key_array& keys, const sluice::key_hasher& hash, std::size_t first,
                       std::span<sluice::digest> out, std::uint32_t threads) {
  sluice::extend::in_shares(out.size(), threads, [&](std::size_t from, std::size_t count) {
    const std::span<sluice::digest> mine = out.subspan(from, count);
    if (!keys.digests_in_place().empty()) {
      std::ranges::copy(keys.digests_in_place().subspan(first + from, count), mine.begin());
    } else if (keys.kind() == sluice::key_kind::bytes) {
      keys.read_digests(first + from, hash, mine);
    } else if (!keys.numbers_in_place().empty()) {
      for (std::size_t i = 0; i < count; ++i) mine[i] = hash(keys.numbers_in_place()[first + from + i]);
    } else {
      std::vector<std::uint64_t> numbers(count);
      keys.read_numbers(first + from, numbers);
      for (std::size_t i = 0; i < count; ++i) mine[i] = hash(numbers[i]);
    }
  });
}

/// The digests of all keys, of an iterator too. `any`: keys are of this `kind`; where they were not of any before, both
/// are set. Throws key_error for keys of another.
inline std::vector<sluice::digest> digests_of_all(const py::object& keys, const sluice::key_hasher& hash,
                                                  const std::optional<std::int64_t>& threads, sluice::key_kind& kind,
                                                  bool& any) {
  std::vector<sluice::digest> digests;
  for_all_keys(keys, hash, [&](const key_array& array) {
    if (array.empty()) return;
    if (any) sluice::extend::require_kind("the filter", kind, array.kind());
    kind = array.kind(), any = true;
    const std::size_t before = digests.size();
    digests.resize(before + array.size());
    const std::span<sluice::digest> out = std::span(digests).subspan(before);
    in_steps(array.size(), progress_teller(py::none()), [&](std::size_t first, std::size_t count) {
      digests_of(array, hash, first, out.subspan(first, count), threads_for(threads, array.size()));
    });
  });
  return digests;
}

/// Calls use(keys, how many came before them) for `count` keys from `first` on, some at a time, as filters take
/// them: where they lie, or numbers or digests that are read. Returns the sum of what it returns. Needs no GIL.
template <class Use>
std::uint64_t in_pieces(const sluice::key_hasher& hash, const key_array& keys, std::size_t first, std::size_t count,
                        std::uint32_t threads, const Use& use) {
  if (!keys.numbers_in_place().empty()) return use(keys.numbers_in_place().subspan(first, count), 0);
  if (!keys.digests_in_place().empty()) return use(keys.digests_in_place().subspan(first, count), 0);
  const auto read_and_use = [&](auto& read, const auto& read_part) {
    std::uint64_t sum = 0;
    for (std::size_t done = 0; done < count;) {
      const std::size_t some = std::min(read.size(), count - done);
      sluice::extend::in_shares(some, threads, [&](std::size_t from, std::size_t part) {
        read_part(first + done + from, std::span(read).subspan(from, part));
      });
      sum += use(std::span<const typename std::decay_t<decltype(read)>::value_type>(read).first(some), done);
      done += some;
    }
    return sum;
  };
  // By one thread, a few keys at a time: what is read stays in the first-level cache.
  constexpr std::size_t for_one_thread = 4096;
  const std::size_t at_once = std::min(count, threads == 1 ? for_one_thread : sluice::extend::digests_at_once);
  if (keys.kind() == sluice::key_kind::bytes) {
    std::vector<sluice::digest> digests(at_once);
    return read_and_use(digests, [&](std::size_t from, auto out) { keys.read_digests(from, hash, out); });
  }
  std::vector<std::uint64_t> numbers(at_once);
  return read_and_use(numbers, [&](std::size_t from, auto out) { keys.read_numbers(from, out); });
}

/// Inserts `count` keys from `first` on; how many were new. Needs no GIL.
template <class Filter>
std::uint64_t insert(Filter& f, const sluice::key_hasher& hash, const key_array& keys, std::size_t first,
                     std::size_t count, std::uint32_t threads) {
  return in_pieces(hash, keys, first, count, threads,
                   [&](const auto& some, std::size_t /*before*/) { return f.insert_bulk(some, threads); });
}

/// Inserts the keys from `first` on and writes 1 or 0 for each: whether it was new, as single insertions in their order
/// would have said. Needs no GIL.
template <class Filter>
std::uint64_t insert_new(Filter& f, const sluice::key_hasher& hash, const key_array& keys, std::size_t first,
                         std::span<std::uint8_t> out, std::uint32_t threads) {
  return in_pieces(hash, keys, first, out.size(), threads, [&](const auto& some, std::size_t before) {
    return f.insert_bulk(some, out.subspan(before, some.size()), threads);
  });
}

/// Erases `count` keys from `first` on; how many were in. Needs no GIL.
inline std::uint64_t erase(sluice::filter_file& f, const sluice::key_hasher& hash, const key_array& keys,
                           std::size_t first, std::size_t count, std::uint32_t threads) {
  return in_pieces(hash, keys, first, count, threads,
                   [&](const auto& some, std::size_t /*before*/) { return f.erase_bulk(some); });
}

/// Counts the keys from `first` on. Needs no GIL.
inline void count(const sluice::filter_file& f, const sluice::key_hasher& hash, const key_array& keys,
                  std::size_t first, std::span<std::uint64_t> out) {
  in_pieces(hash, keys, first, out.size(), 1, [&](const auto& some, std::size_t before) {
    f.count_bulk(some, out.subspan(before, some.size()));
    return std::uint64_t{0};
  });
}

}  // namespace sluice_python
