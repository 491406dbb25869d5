// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "keyed.hpp"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <utility>

#include "sluice/extend/names.hpp"
#include "sluice/filter.hpp"
#include "sluice/parameters.hpp"

namespace sluice_python {

using sluice::key_kind;

std::optional<key_kind> kind_of(const py::object& kind) {
  if (kind.is_none()) return std::nullopt;
  const std::string name = py::str(kind);
  if (name == "int") return key_kind::u64;
  for (const key_kind one : {key_kind::bytes, key_kind::u64, key_kind::u32}) {
    if (name == sluice::name_of(one)) return one;
  }
  throw sluice::parameter_error("kind is 'bytes' (also of str), 'int' or 'u32', not '" + name + "'");
}

void require_same_rule(const sluice::filter_file& f, const sluice::key_hasher& hash) {
  if (f.hash().has_rule() == hash.has_rule()) return;
  throw sluice::parameter_error("a union during the call gave the filter a rule for its keys; call again");
}

void keyed::require_open() const {
  if (!file_) throw sluice::parameter_error("the filter was closed");
}

sluice::filter_file& keyed::file() const {
  require_open();
  return *file_;
}

std::optional<key_kind> keyed::kind() const { return kind_is_known_ ? std::optional(file().kind()) : std::nullopt; }

void keyed::require_kind() const {
  if (kind_is_known_) return;
  throw sluice::parameter_error(
      "the filter has no keys yet, and a file names their kind: make it with kind='bytes' or kind='int'");
}

void keyed::settle(key_kind kind) {
  sluice::filter_file& f = file();
  if (is_sealed_) {
    throw sluice::parameter_error(
        "a sealed filter takes no more keys: build it again from all of them with build_static(), make a "
        "ResealableFilter, which keeps later ones beside it, or build it with scheme='gated', which takes more");
  }
  if (!kind_is_known_) {
    f.set_kind(kind);
    kind_is_known_ = true;
  }
  f.require_keys(kind);
}

bool keyed::has(PyObject* object) {
  std::string scratch;
  const one_key key = key_of(object, scratch);
  const sluice::filter_file& f = file();
  require(f, key.kind);
  if (turns_.unwritten()) return f.may_contain(key.digest(f.hash()));
  return read([&](const sluice::filter_file& now) { return now.may_contain(key.digest(now.hash())); });
}

bool keyed::add(PyObject* object) {
  std::string scratch;
  const one_key key = key_of(object, scratch);
  sluice::filter_file& f = file();
  settle(key.kind);
  const auto insert = [&] { return key.kind == key_kind::bytes ? f.insert(key.text) : f.insert(key.number); };
  const auto held = turns_.alone() ? nullptr : file_;
  const bool was_new = held == nullptr ? insert() : turns_.write(insert);
  if (was_new) warn_once();
  return was_new;
}

py::array_t<bool> keyed::contains(const py::object& keys, const std::optional<std::int64_t>& threads,
                                  const py::object& progress) {
  const auto f = held_file();
  const sluice::key_hasher hasher = hash();
  answered_keys asked(keys, hasher);
  const std::uint32_t several = threads_for(threads, asked.size());
  if (asked.empty()) return asked.answers();
  if (!kind_is_known_) {  // it has no keys, of whatever kind
    asked.answer_all(false);
    return asked.answers();
  }
  require(*f, asked.kind());
  const progress_teller tell(progress);
  const turns::reading registered(turns_);
  asked.in_steps(tell, [&](const key_array& array, std::size_t first, std::span<std::uint8_t> out) {
    const auto lock = registered.lock();
    require_same_rule(*f, hasher);
    look_up(std::as_const(*f), hasher, array, first, out, several);
  });
  return asked.answers();
}

std::uint64_t keyed::update(const py::object& keys, const std::optional<std::int64_t>& threads,
                            const py::object& progress) {
  const auto f = held_file();
  const progress_teller tell(progress);
  std::uint64_t fresh = 0;
  const sluice::key_hasher hasher = hash();
  for_all_keys(keys, hasher, [&](const key_array& array) {
    const std::uint32_t several = threads_for(threads, array.size());
    if (array.empty()) return;
    add_of(array.kind(), [&] {
      const turns::writing registered(turns_);
      in_steps(array.size(), tell, [&](std::size_t first, std::size_t count) {
        const auto lock = registered.lock();
        require_same_rule(*f, hasher);
        fresh += insert(*f, hasher, array, first, count, several);
      });
    });
  });
  warn_once();
  return fresh;
}

py::array_t<bool> keyed::add_new(const py::object& keys, const std::optional<std::int64_t>& threads,
                                 const py::object& progress) {
  const auto f = held_file();
  const sluice::key_hasher hasher = hash();
  answered_keys added(keys, hasher);
  const std::uint32_t several = threads_for(threads, added.size());
  if (added.empty()) return added.answers();
  const progress_teller tell(progress);
  add_of(added.kind(), [&] {
    const turns::writing registered(turns_);
    added.in_steps(tell, [&](const key_array& array, std::size_t first, std::span<std::uint8_t> out) {
      const auto lock = registered.lock();
      require_same_rule(*f, hasher);
      insert_new(*f, hasher, array, first, out, several);
    });
  });
  warn_once();
  return added.answers();
}

void keyed::require_erasable() const {
  if (file().erases()) return;
  throw sluice::parameter_error(
      "keys are removed from an erasable filter alone: make it with erasable=True, or build this one again from the "
      "keys that stay");
}

bool keyed::discard(PyObject* object) {
  std::string scratch;
  const one_key key = key_of(object, scratch);
  require_erasable();
  sluice::filter_file& f = file();
  require(f, key.kind);
  if (!kind_is_known_) return false;  // it has no keys
  const auto erase_it = [&] { return f.erase(key.digest(f.hash())); };
  const auto held = file_;
  return turns_.alone() ? erase_it() : turns_.write(erase_it);
}

std::uint64_t keyed::discard_all(const py::object& keys, const py::object& progress) {
  require_erasable();
  const auto f = held_file();
  const progress_teller tell(progress);
  std::uint64_t erased = 0;
  const sluice::key_hasher hasher = hash();
  for_all_keys(keys, hasher, [&](const key_array& array) {
    if (array.empty() || !kind_is_known_) return;
    require(*f, array.kind());
    const turns::writing registered(turns_);
    in_steps(array.size(), tell, [&](std::size_t first, std::size_t count) {
      const auto lock = registered.lock();
      require_same_rule(*f, hasher);
      erased += erase(*f, hasher, array, first, count, 1);
    });
  });
  return erased;
}

std::uint64_t keyed::count_of(PyObject* object) {
  std::string scratch;
  const one_key key = key_of(object, scratch);
  const sluice::filter_file& f = file();
  require(f, key.kind);
  if (turns_.unwritten()) return f.count(key.digest(f.hash()));
  return read([&](const sluice::filter_file& now) { return now.count(key.digest(now.hash())); });
}

py::array_t<std::uint64_t> keyed::counts(const py::object& keys, const py::object& progress) {
  const auto f = held_file();
  const sluice::key_hasher hasher = hash();
  const std::unique_ptr<key_array> asked = all_keys_in(keys, hasher);
  py::array_t<std::uint64_t> out(static_cast<py::ssize_t>(asked->size()));
  std::fill_n(out.mutable_data(), asked->size(), std::uint64_t{0});
  if (asked->empty() || !kind_is_known_) return out;
  require(*f, asked->kind());
  const progress_teller tell(progress);
  const turns::reading registered(turns_);
  std::uint64_t* const to = out.mutable_data();
  in_steps(asked->size(), tell, [&](std::size_t first, std::size_t some) {
    const auto lock = registered.lock();
    require_same_rule(*f, hasher);
    count(std::as_const(*f), hasher, *asked, first, std::span(to + first, some));
  });
  return out;
}

namespace {

/// The same filter without keys.
sluice::filter_file make_empty_like(sluice::filter_file& f) {
  if (!f.writable()) f.insert(sluice::digest{});  // which refuses it
  const sluice::file_contents contents = f.contents();
  if (contents.grows) {
    sluice::filter_file chain(sluice::growing_filter(*contents.grows), f.kind());
    chain.set_origin(f.origin());
    return chain;
  }
  const sluice::stored_filter& stored = contents.filters.front();
  if (sluice::extend::is_sealed(stored.params)) {
    throw sluice::parameter_error("a sealed filter is made from its keys and cannot be emptied; make another");
  }
  return {sluice::filter(stored.params, [](std::span<std::byte> /*all zero*/) { return std::uint64_t{0}; }),
          sluice::saved_as{f.kind(), f.planned_keys(), f.planned_fpr(), f.origin()}};
}

bool equal(const sluice::file_contents& a, const sluice::file_contents& b) {
  return a.kind == b.kind && a.origin == b.origin && a.grows == b.grows &&
         std::ranges::equal(a.filters, b.filters, [](const sluice::stored_filter& x, const sluice::stored_filter& y) {
           return sluice::filter_view(x.params, x.blocks, x.overflowed) ==
                  sluice::filter_view(y.params, y.blocks, y.overflowed);
         });
}

}  // namespace

void keyed::clear() {
  sluice::filter_file& f = file();
  const auto held = file_;
  turns_.write([&] { f = make_empty_like(f); });
  keys_are_estimated_ = warned_ = false;
}

bool keyed::equals(keyed& other) {
  if (&other == this) return true;
  if (is_closed() || other.is_closed() || kind() != other.kind()) return false;
  const auto held = file_;
  const auto held_other = other.file_;
  const turns::reading registered(turns_);
  const turns::reading registered_other(other.turns_);
  const py::gil_scoped_release no_gil;
  auto lock = registered.deferred();
  auto lock_other = registered_other.deferred();
  std::lock(lock, lock_other);
  return equal(held->contents(), held_other->contents());
}

void keyed::merge(keyed& other) {
  sluice::filter_file& ours = file();
  const sluice::filter_file& theirs = other.file();
  if (&other == this) return;
  const auto unite = [&] {
    const auto held = file_;
    const auto held_other = other.file_;
    const turns::writing registered(turns_);
    const turns::reading registered_other(other.turns_);
    const py::gil_scoped_release no_gil;
    // Two threads may unite the same two the other way round.
    auto lock = registered.deferred();
    auto lock_other = registered_other.deferred();
    std::lock(lock, lock_other);
    ours.merge(theirs);
  };
  if (other.kind_is_known_) {
    add_of(theirs.kind(), unite);
  } else {
    if (theirs.kind() != ours.kind()) other.file().set_kind(ours.kind());  // it has no keys, of whatever kind
    unite();
  }
  keys_are_estimated_ = true;
}

}  // namespace sluice_python
