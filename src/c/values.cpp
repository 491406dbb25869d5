// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Values of keys in C: a sealed map behind functions that never throw.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "c/calls.hpp"
#include "sluice.h"
#include "sluice/sealed_map.hpp"

/// What a handle is.
struct sluice_values {
  sluice::sealed_map<> map;
};

namespace {

using sluice::c::common_size;
using sluice::c::guarded;
using sluice::c::guarded_with_system;
using sluice::c::integers_of;
using sluice::c::require_pointer;
using sluice::c::text;
using sluice::c::texts_of;

// The members of the first versions, on whatever machine.
struct values_plan_at_first {
  std::size_t size;
  std::uint32_t value_bits, check_bits;
  std::uint64_t seed;
};
struct values_info_at_first {
  std::size_t size;
  std::uint64_t keys, bytes;
  std::uint32_t value_bits, check_bits;
  enum sluice_keys kind;
  std::uint64_t seed;
};
constexpr std::size_t first_values_plan = sizeof(values_plan_at_first);
constexpr std::size_t first_values_info = sizeof(values_info_at_first);
static_assert(sizeof(struct sluice_values_plan) ==
                  first_values_plan &&  // a member that comes later stands at first_values_plan
              offsetof(struct sluice_values_plan, seed) == offsetof(values_plan_at_first, seed));
static_assert(sizeof(struct sluice_values_info) == first_values_info &&
              offsetof(struct sluice_values_info, seed) == offsetof(values_info_at_first, seed));

sluice::sealed_map_parameters parameters_of(const struct sluice_values_plan* plan) {
  if (plan == nullptr) return {};
  const struct sluice_values_plan p = sluice::c::known_part(*plan, first_values_plan, "the plan");
  return {.value_bits = p.value_bits, .check_bits = p.check_bits, .seed = p.seed};
}

template <class Keys>
sluice_values* build(const struct sluice_values_plan* plan, const Keys& keys, const std::uint32_t* values) {
  if (!keys.empty()) require_pointer(values, "the array of values");
  return new sluice_values{sluice::sealed_map<>::build(keys, std::span(values, keys.size()), parameters_of(plan))};
}

const sluice::sealed_map<>& map_of(const sluice_values* values) { return require_pointer(values, "the values").map; }

int put_value(const std::optional<std::uint32_t>& found, std::uint32_t* value) {
  require_pointer(value, "the room for a value");
  *value = found.value_or(0);
  return found ? 1 : 0;
}

template <class Keys>
int get_bulk(const sluice_values* values, const Keys& keys, std::uint32_t* found, std::uint8_t* known) {
  if (!keys.empty()) {
    require_pointer(found, "the room for values");
    require_pointer(known, "the room for answers");
  }
  map_of(values).get_bulk(keys, std::span(found, keys.size()), std::span(known, keys.size()));
  return 0;
}

}  // namespace

extern "C" {

sluice_values* sluice_values_build(const struct sluice_values_plan* plan, const void* const* keys, const size_t* sizes,
                                   const uint32_t* values, size_t count) {
  return guarded<sluice_values*>(nullptr, [&] { return build(plan, texts_of(keys, sizes, count), values); });
}
sluice_values* sluice_values_build_u64(const struct sluice_values_plan* plan, const uint64_t* keys,
                                       const uint32_t* values, size_t count) {
  return guarded<sluice_values*>(nullptr, [&] { return build(plan, integers_of(keys, count), values); });
}
sluice_values* sluice_values_map(const char* path) {
  return guarded_with_system<sluice_values*>(
      nullptr, [&] { return new sluice_values{sluice::sealed_map<>::map(&require_pointer(path, "the path"))}; });
}
sluice_values* sluice_values_open(const char* path) {
  return guarded_with_system<sluice_values*>(nullptr, [&] {
    return new sluice_values{sluice::sealed_map<>::load(std::string(&require_pointer(path, "the path")))};
  });
}
void sluice_values_close(sluice_values* values) { delete values; }

int sluice_values_get(const sluice_values* values, const void* key, size_t size, uint32_t* value) {
  return guarded(-1, [&] { return put_value(map_of(values).get(text(key, size)), value); });
}
int sluice_values_get_u64(const sluice_values* values, uint64_t key, uint32_t* value) {
  return guarded(-1, [&] { return put_value(map_of(values).get(key), value); });
}
int sluice_values_get_bulk(const sluice_values* values, const void* const* keys, const size_t* sizes, size_t count,
                           uint32_t* found, uint8_t* known) {
  return guarded(-1, [&] { return get_bulk(values, texts_of(keys, sizes, count), found, known); });
}
int sluice_values_get_bulk_u64(const sluice_values* values, const uint64_t* keys, size_t count, uint32_t* found,
                               uint8_t* known) {
  return guarded(-1, [&] { return get_bulk(values, integers_of(keys, count), found, known); });
}

int sluice_values_save(const sluice_values* values, const char* path) {
  return guarded_with_system(-1, [&] {
    map_of(values).save(&require_pointer(path, "the path"));
    return 0;
  });
}
int sluice_values_describe(const sluice_values* values, struct sluice_values_info* info) {
  return guarded(-1, [&] {
    const sluice::sealed_map<>& m = map_of(values);
    const std::size_t size = common_size(require_pointer(info, "the room for the description"), first_values_info,
                                         "the room for the description");
    const struct sluice_values_info all = {.size = info->size,
                                           .keys = m.size(),
                                           .bytes = m.memory_bytes(),
                                           .value_bits = m.params().value_bits,
                                           .check_bits = m.params().check_bits,
                                           .kind = static_cast<enum sluice_keys>(m.kind().value()),
                                           .seed = m.params().seed};
    std::memcpy(info, &all, size);
    return 0;
  });
}

}  // extern "C"
