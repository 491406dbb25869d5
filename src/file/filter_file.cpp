// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// filter_file: see sluice/file.hpp. What can be asked and what can be written are three forms of one thing; every
// function says what it does for each.
#include <string>
#include <utility>

#include "file/layout.hpp"
#include "file/mapping.hpp"
#include "file/parse.hpp"
#include "sluice/extend/chain.hpp"
#include "sluice/extend/contents.hpp"
#include "sluice/extend/replacement.hpp"
#include "sluice/file.hpp"

namespace sluice {

namespace {

/// What the whole of a file was made for.
saved_as label_of(const file_contents& contents) {
  if (contents.grows) return {contents.kind, 0, contents.grows->fpr, contents.origin};
  const stored_filter& one = contents.filters.front();
  return {contents.kind, one.planned_keys, one.planned_fpr, contents.origin};
}

}  // namespace

filter_file::opened filter_file::open(std::span<const std::byte> bytes, std::string name) {
  opened o{.name = std::move(name), .bytes = bytes, .mapping = nullptr, .contents = {}, .filters = {}};
  o.contents = detail::file::parse(o.name, bytes);
  for (const stored_filter& f : o.contents.filters) o.filters.emplace_back(f.params, f.blocks, f.overflowed);
  return o;
}

filter_file::filter_file(opened o)
    : form_(std::move(o)),
      what_(label_of(std::get<opened>(form_).contents)),
      hash_(detail::seed_of(std::get<opened>(form_).contents.filters.front().params), what_.origin) {}

filter_file::filter_file(std::span<const std::byte> bytes, std::string name)
    : filter_file(open(bytes, std::move(name))) {}

filter_file::filter_file(filter f, const saved_as& what)
    : form_(std::move(f)), what_(what), hash_(detail::seed_of(std::get<filter>(form_).params())) {
  set_origin(what.origin);
  auto& inner = std::get<filter>(form_);
  if (what_.planned_keys == 0) what_.planned_keys = inner.planned_keys();
  if (what_.planned_fpr == 0) what_.planned_fpr = inner.planned_fpr();
  inner.set_plan(what_.planned_keys, what_.planned_fpr);
}

filter_file::filter_file(growing_filter f, key_kind keys)
    : form_(std::move(f)),
      what_{keys, 0, std::get<growing_filter>(form_).params().fpr, std::nullopt},
      hash_(std::get<growing_filter>(form_).params().seed) {}

filter_file filter_file::map(const std::string& path) {
  auto mapped = std::make_shared<const detail::file::mapping>(path);
  opened o = open(mapped->bytes(), path);
  o.mapping = std::move(mapped);
  return filter_file(std::move(o));
}

filter_file filter_file::load(const std::string& path) {
  const filter_file there = map(path);
  there.verify();
  return copy_of(std::get<opened>(there.form_).contents);
}

filter_file filter_file::load(std::span<const std::byte> bytes, const std::string& name) {
  const filter_file there(bytes, name);
  there.verify();
  return copy_of(std::get<opened>(there.form_).contents);
}

filter_file filter_file::copy_of(const file_contents& contents) {
  if (!contents.grows) return {extend::filter_of(contents.filters.front()), label_of(contents)};
  filter_file f(extend::growing_filter_of(contents), contents.kind);
  f.set_origin(contents.origin);
  return f;
}

void filter_file::update(const std::string& path, const std::function<void(filter_file&)>& change) {
  extend::replacement into(path);  // the lock comes first: what is read then is what will be replaced
  filter_file f = load(into.path());
  change(f);
  extend::write(f.contents(), into);
  into.commit();
}

void filter_file::save(const std::string& path, existing how) const {
  verify();
  extend::save(contents(), path, how);
}

void filter_file::verify() const {
  if (const auto* const o = std::get_if<opened>(&form_)) detail::file::verify(o->name, o->bytes, o->contents);
}

void filter_file::require_writable() const {
  if (const auto* const o = std::get_if<opened>(&form_)) {
    throw file_error(o->name + " was opened for reading and cannot be added to; load it instead",
                     error_code::read_only);
  }
}

void detail::require_kind(const std::string& name, key_kind has, key_kind given) {
  if (are_integers(has) == are_integers(given)) return;
  throw key_error(name + " has keys of kind " + std::string(name_of(has)) + ", and was given " +
                  (are_integers(given) ? "an integer" : "bytes"));
}

void filter_file::require_keys(key_kind kind) const {
  const auto* const o = std::get_if<opened>(&form_);
  sluice::detail::require_kind(o != nullptr ? o->name : "the filter", what_.kind, kind);
}

void filter_file::set_kind(key_kind kind) {
  if (kind == what_.kind) return;
  require_writable();
  if (keys_inserted() != 0) {
    throw key_error("the filter has keys of kind " + std::string(name_of(what_.kind)) + " already, not " +
                    std::string(name_of(kind)));
  }
  what_.kind = kind;
  if (what_.origin && what_.origin->kind() != kind) set_origin(std::nullopt);
}

void filter_file::set_origin(const std::optional<key_origin>& origin) {
  require_writable();
  if (origin) {
    detail::check(*origin);
    if (origin->kind() != what_.kind) {
      throw key_error("the filter has keys of kind " + std::string(name_of(what_.kind)) + ", and " +
                      detail::text_of(*origin) + " makes others");
    }
  }
  what_.origin =
      origin && !detail::is_usual(*origin) ? origin : std::nullopt;  // the kind of the keys says the usual one
  hash_ = key_hasher(hash_.seed(), what_.origin);
}

void filter_file::refuse_number(std::uint64_t number) {
  throw key_error("the filter has keys of kind u32, and " + std::to_string(number) + " does not fit in 32 bits");
}

bool filter_file::erases() const noexcept {
  if (const auto* const f = std::get_if<filter>(&form_)) return detail::erases_keys(f->params());
  if (const auto* const f = std::get_if<growing_filter>(&form_)) return f->params().erasable;
  return detail::erases_keys(std::get_if<opened>(&form_)->contents.filters.front().params);
}
bool filter_file::erase_digest(digest x) {
  if (auto* const f = std::get_if<filter>(&form_)) return f->erase(x);
  return std::get<growing_filter>(form_).erase_digest(x);
}
std::uint64_t filter_file::count_digest(digest x) const noexcept {
  if (const auto* const f = std::get_if<filter>(&form_)) return f->count(x);
  if (const auto* const f = std::get_if<growing_filter>(&form_)) return f->count_digest(x);
  if (!erases()) return has_digest(x) ? 1 : 0;
  std::uint64_t copies = 0;
  for (const filter_view& f : std::get_if<opened>(&form_)->filters) copies += f.count(x);
  return copies;
}
void filter_file::count_chunk(const detail::bulk::chunk& some, std::uint64_t* out) const noexcept {
  if (const auto* const f = std::get_if<filter>(&form_)) return f->count_chunk(some, out);
  for (std::size_t i = 0; i < some.count; ++i) out[i] = count_digest(some.digests[i]);
}
bool filter_file::insert_digest(digest x) {
  if (auto* const f = std::get_if<filter>(&form_)) return f->insert(x);
  require_writable();
  return std::get<growing_filter>(form_).insert_digest(x);
}

bool filter_file::has_digest(digest x) const noexcept {
  if (const auto* const o = std::get_if<opened>(&form_)) {
    for (std::size_t i = o->filters.size(); i-- > 0;) {
      if (o->filters[i].may_contain(x)) return true;
    }
    return false;
  }
  if (const auto* const f = std::get_if<filter>(&form_)) return f->may_contain(x);
  return std::get_if<growing_filter>(&form_)->has_digest(x);
}

void filter_file::look_up_chunk(const detail::bulk::chunk& some, std::uint8_t* out) const {
  if (const auto* const o = std::get_if<opened>(&form_)) {
    if (o->filters.size() == 1) {
      o->filters.front().look_up_chunk(some, out);
      return;
    }
    extend::look_up_chain(o->filters.size(), some, out,
                          [&](std::size_t number, std::span<const digest> asked, std::span<std::uint8_t> found) {
                            o->filters[number].may_contain_bulk(asked, found);
                          });
  } else if (const auto* const f = std::get_if<filter>(&form_)) {
    f->look_up_chunk(some, out);
  } else {
    std::get<growing_filter>(form_).look_up_chunk(some, out);
  }
}

void filter_file::merge(const filter_file& other) {
  require_writable();
  if (what_.kind != other.what_.kind) {
    throw merge_error("the keys of one are of kind " + std::string(name_of(what_.kind)) +
                      ", those of the other of kind " + std::string(name_of(other.what_.kind)));
  }
  if (grows() != other.grows()) throw merge_error("one is a chain that grows, the other is one filter");
  detail::require_same_keys({what_.origin, keys_inserted() != 0}, {other.what_.origin, other.keys_inserted() != 0});
  if (const auto* const o = std::get_if<opened>(&other.form_)) {
    other.verify();
    merge(copy_of(o->contents));
    return;
  }
  if (auto* const f = std::get_if<filter>(&form_)) {
    f->merge(std::get<filter>(other.form_));
  } else {
    std::get<growing_filter>(form_).merge(std::get<growing_filter>(other.form_));
  }
  if (!what_.origin) set_origin(other.what_.origin);
}

filter& filter_file::one_to_fold() {
  require_writable();
  if (auto* const f = std::get_if<filter>(&form_)) return *f;
  throw parameter_error("a chain of filters cannot be folded; compact it, when its keys can be offered again");
}
void filter_file::fold(std::uint32_t times) {
  filter& f = one_to_fold();
  f.fold(times);
  what_.planned_keys = f.planned_keys();
}
std::uint32_t filter_file::fold_to(std::optional<double> fpr) {
  const double most = fpr.value_or(planned_fpr());
  if (!fpr && most == 0) throw parameter_error("the filter does not say for which rate it was made: say one");
  filter& f = one_to_fold();
  const std::uint32_t times = f.fold_to(most);
  what_.planned_keys = f.planned_keys();
  return times;
}
std::uint32_t filter_file::fold_last_link(double room) {
  require_writable();
  auto* const chain = std::get_if<growing_filter>(&form_);
  return chain == nullptr ? 0 : chain->fold_last_link(room);
}

bool filter_file::grows() const noexcept {
  const auto* const o = std::get_if<opened>(&form_);
  return o != nullptr ? o->contents.grows.has_value() : std::holds_alternative<growing_filter>(form_);
}

std::uint64_t filter_file::keys_inserted() const noexcept {
  if (const auto* const f = std::get_if<filter>(&form_)) return f->keys_inserted();
  if (const auto* const f = std::get_if<growing_filter>(&form_)) return f->keys_inserted();
  std::uint64_t sum = 0;
  for (const stored_filter& f : std::get_if<opened>(&form_)->contents.filters) sum += f.keys;
  return sum;
}

std::vector<statistics> filter_file::stats() const {
  if (const auto* const f = std::get_if<filter>(&form_)) return {f->stats()};
  if (const auto* const f = std::get_if<growing_filter>(&form_)) return f->stats();
  const auto& o = std::get<opened>(form_);
  std::vector<statistics> all;
  all.reserve(o.filters.size());
  for (std::size_t i = 0; i < o.filters.size(); ++i) all.push_back(o.filters[i].stats(o.contents.filters[i].keys));
  return all;
}

file_contents filter_file::contents() const& {
  if (const auto* const f = std::get_if<filter>(&form_)) return extend::contents_of(*f, what_);
  if (const auto* const f = std::get_if<growing_filter>(&form_)) {
    file_contents contents = extend::contents_of(*f, what_.kind);
    contents.origin = what_.origin;
    return contents;
  }
  return std::get<opened>(form_).contents;
}

std::uint64_t filter_file::size_bytes() const {
  if (const auto* const o = std::get_if<opened>(&form_)) return o->bytes.size();
  return detail::file::layout_of(contents()).file_bytes;
}

}  // namespace sluice
