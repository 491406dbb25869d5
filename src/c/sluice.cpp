// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The C interface: a filter file, mapped or in memory of its own, behind functions that never throw.
#include "sluice.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "c/calls.hpp"
#include "sluice/detail/bulk/answers.hpp"
#include "sluice/detail/version.hpp"
#include "sluice/file.hpp"
#include "sluice/hash.hpp"
#include "sluice/plan.hpp"
#include "sluice/sealed_map.hpp"

/// What a handle is.
struct sluice_filter {
  sluice::filter_file file;
};

namespace {

using sluice::key_kind;
using sluice::c::common_size;
using sluice::c::guarded;
using sluice::c::guarded_with_system;
using sluice::c::integers_of;
using sluice::c::kind_of;
using sluice::c::require_pointer;
using sluice::c::text;
using sluice::c::texts_of;

// The members of the first versions, on whatever machine.
struct plan_at_first {
  std::size_t size;
  std::uint64_t keys;
  double fpr;
  std::uint64_t memory, seed;
  enum sluice_keys kind;
};
struct info_at_first {
  std::size_t size;
  std::uint64_t keys, planned_keys, bytes;
  double fpr;
  enum sluice_keys kind;
  int grows, writable;
  std::uint64_t seed;
};
constexpr std::size_t first_plan = sizeof(plan_at_first);
constexpr std::size_t first_info = sizeof(info_at_first);
static_assert(offsetof(struct sluice_plan, shards) == first_plan &&
              offsetof(struct sluice_plan, kind) == offsetof(plan_at_first, kind));
static_assert(offsetof(struct sluice_info, erasable) == first_info &&  // what came later stands behind it
              offsetof(struct sluice_info, seed) == offsetof(info_at_first, seed));

const sluice::filter_file& filter_of(const sluice_filter* f) { return require_pointer(f, "the filter").file; }
sluice::filter_file& filter_to_change(sluice_filter* f) {
  require_pointer(f, "the filter");
  return f->file;
}

sluice::filter_file build(const struct sluice_plan& asked_for) {
  const struct sluice_plan plan = sluice::c::known_part(asked_for, first_plan, "the plan");
  const key_kind kind = kind_of(plan.kind);
  const bool by_memory = plan.memory != 0 && plan.fpr == 0;
  const double fpr = plan.fpr == 0 ? sluice::plan_request::usual_fpr : plan.fpr;
  if (plan.shards > 1 && plan.keys == 0) {
    throw sluice::parameter_error("shards need keys: the number of keys of all filters together");
  }
  if (plan.at_most != 0 && plan.keys == 0) throw sluice::parameter_error("at_most needs keys: the most that may come");
  if (plan.keys == 0 && plan.memory == 0) {
    return {sluice::growing_filter({.fpr = fpr, .seed = plan.seed, .erasable = plan.erasable != 0}), kind};
  }
  sluice::plan_request q;
  if (plan.keys != 0) q.keys = static_cast<double>(plan.keys);
  if (plan.memory != 0) q.memory_bits = 8 * static_cast<double>(plan.memory);
  if (!by_memory || plan.keys == 0) q.fpr = fpr;
  q.seed = plan.seed;
  q.shards = plan.shards;
  q.erase = plan.erasable != 0;
  q.keys_at_most = plan.at_most != 0;
  const sluice::plan_candidate best = sluice::best_plan(q);
  return {sluice::filter(best.params), sluice::saved_as::of_plan(best, kind)};
}

template <class Keys>
int query_bulk(const sluice_filter* filter, const Keys& keys, std::uint8_t* answers) {
  std::span<std::uint8_t> out;
  if (!keys.empty()) {
    require_pointer(answers, "the room for answers");
    out = {answers, keys.size()};
  }
  filter_of(filter).may_contain_bulk(keys, out);
  return 0;
}

template <class Keys>
std::int64_t add_new_bulk(sluice_filter* filter, const Keys& keys, std::uint8_t* answers) {
  if (!keys.empty()) require_pointer(answers, "the room for answers");
  return static_cast<std::int64_t>(filter_to_change(filter).insert_bulk(keys, std::span(answers, keys.size())));
}

}  // namespace

extern "C" {

const char* sluice_version(void) { return SLUICE_VERSION; }
const char* sluice_error(void) { return sluice::c::last_error.c_str(); }
enum sluice_error_code sluice_last_error(void) { return sluice::c::last_code; }

uint64_t sluice_random_seed(void) {
  return guarded_with_system<std::uint64_t>(0, [] { return sluice::random_seed(); });
}

sluice_filter* sluice_map(const char* path) {
  return guarded_with_system<sluice_filter*>(
      nullptr, [&] { return new sluice_filter{sluice::filter_file::map(&require_pointer(path, "the path"))}; });
}
sluice_filter* sluice_open(const char* path) {
  return guarded_with_system<sluice_filter*>(
      nullptr, [&] { return new sluice_filter{sluice::filter_file::load(&require_pointer(path, "the path"))}; });
}
sluice_filter* sluice_build(const struct sluice_plan* plan) {
  return guarded<sluice_filter*>(nullptr, [&] { return new sluice_filter{build(require_pointer(plan, "the plan"))}; });
}
void sluice_close(sluice_filter* filter) { delete filter; }

int sluice_query(const sluice_filter* filter, const void* key, size_t size) {
  return guarded(-1, [&] { return filter_of(filter).may_contain(text(key, size)) ? 1 : 0; });
}
int sluice_query_u64(const sluice_filter* filter, uint64_t key) {
  return guarded(-1, [&] { return filter_of(filter).may_contain(key) ? 1 : 0; });
}
int sluice_query_bulk(const sluice_filter* filter, const void* const* keys, const size_t* sizes, size_t count,
                      uint8_t* answers) {
  return guarded(-1, [&] { return query_bulk(filter, texts_of(keys, sizes, count), answers); });
}
int sluice_query_bulk_u64(const sluice_filter* filter, const uint64_t* keys, size_t count, uint8_t* answers) {
  return guarded(-1, [&] { return query_bulk(filter, integers_of(keys, count), answers); });
}

int sluice_add(sluice_filter* filter, const void* key, size_t size) {
  return guarded(-1, [&] { return filter_to_change(filter).insert(text(key, size)) ? 1 : 0; });
}
int sluice_add_u64(sluice_filter* filter, uint64_t key) {
  return guarded(-1, [&] { return filter_to_change(filter).insert(key) ? 1 : 0; });
}
int64_t sluice_add_bulk(sluice_filter* filter, const void* const* keys, const size_t* sizes, size_t count) {
  return guarded<std::int64_t>(-1, [&] {
    return static_cast<std::int64_t>(filter_to_change(filter).insert_bulk(texts_of(keys, sizes, count)));
  });
}
int64_t sluice_add_bulk_u64(sluice_filter* filter, const uint64_t* keys, size_t count) {
  return guarded<std::int64_t>(
      -1, [&] { return static_cast<std::int64_t>(filter_to_change(filter).insert_bulk(integers_of(keys, count))); });
}

int64_t sluice_add_new_bulk(sluice_filter* filter, const void* const* keys, const size_t* sizes, size_t count,
                            uint8_t* answers) {
  return guarded<std::int64_t>(-1, [&] { return add_new_bulk(filter, texts_of(keys, sizes, count), answers); });
}
int64_t sluice_add_new_bulk_u64(sluice_filter* filter, const uint64_t* keys, size_t count, uint8_t* answers) {
  return guarded<std::int64_t>(-1, [&] { return add_new_bulk(filter, integers_of(keys, count), answers); });
}

int sluice_remove(sluice_filter* filter, const void* key, size_t size) {
  return guarded(-1, [&] { return filter_to_change(filter).erase(text(key, size)) ? 1 : 0; });
}
int sluice_remove_u64(sluice_filter* filter, uint64_t key) {
  return guarded(-1, [&] { return filter_to_change(filter).erase(key) ? 1 : 0; });
}
int64_t sluice_remove_bulk(sluice_filter* filter, const void* const* keys, const size_t* sizes, size_t count) {
  return guarded<std::int64_t>(
      -1, [&] { return static_cast<std::int64_t>(filter_to_change(filter).erase_bulk(texts_of(keys, sizes, count))); });
}
int64_t sluice_remove_bulk_u64(sluice_filter* filter, const uint64_t* keys, size_t count) {
  return guarded<std::int64_t>(
      -1, [&] { return static_cast<std::int64_t>(filter_to_change(filter).erase_bulk(integers_of(keys, count))); });
}
int64_t sluice_count(const sluice_filter* filter, const void* key, size_t size) {
  return guarded<std::int64_t>(-1, [&] { return static_cast<std::int64_t>(filter_of(filter).count(text(key, size))); });
}
int64_t sluice_count_u64(const sluice_filter* filter, uint64_t key) {
  return guarded<std::int64_t>(-1, [&] { return static_cast<std::int64_t>(filter_of(filter).count(key)); });
}

int sluice_fold(sluice_filter* filter, double fpr) {
  return guarded(-1, [&] {
    sluice::filter_file& f = filter_to_change(filter);
    const std::optional<double> most = fpr == 0 ? std::nullopt : std::optional(fpr);
    return static_cast<int>(f.grows() ? f.fold_last_link() : f.fold_to(most));
  });
}

int sluice_merge(sluice_filter* filter, const sluice_filter* other) {
  return guarded(-1, [&] {
    filter_to_change(filter).merge(require_pointer(other, "the other filter").file);
    return 0;
  });
}

int sluice_save(const sluice_filter* filter, const char* path) {
  return guarded_with_system(-1, [&] {
    filter_of(filter).save(&require_pointer(path, "the path"));
    return 0;
  });
}
int sluice_verify(const char* path) {
  return guarded_with_system(-1, [&] {
    const std::string file = &require_pointer(path, "the path");
    if (sluice::detail::has_sealed_map(file)) {
      sluice::sealed_map<>::map(file).verify();
    } else {
      sluice::filter_file::map(file).verify();
    }
    return 0;
  });
}
int sluice_describe(const sluice_filter* filter, struct sluice_info* info) {
  return guarded(-1, [&] {
    const sluice::filter_file& f = filter_of(filter);
    const std::size_t size =
        common_size(require_pointer(info, "the room for the description"), first_info, "the room for the description");
    struct sluice_info all = {.size = info->size,
                              .keys = f.keys_inserted(),
                              .planned_keys = f.planned_keys(),
                              .bytes = 0,
                              .fpr = sluice::detail::fpr_of_any(f.stats()),
                              .kind = static_cast<enum sluice_keys>(f.kind()),
                              .grows = f.grows() ? 1 : 0,
                              .writable = f.writable() ? 1 : 0,
                              .seed = f.seed(),
                              .erasable = f.erases() ? 1 : 0};
    for (const sluice::stored_filter& one : f.contents().filters) {
      all.bytes += one.blocks.size() + one.overflowed.slots.size();
    }
    std::memcpy(info, &all, size);
    return 0;
  });
}

}  // extern "C"
