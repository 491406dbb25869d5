// The C interface: a filter file, mapped or in memory of its own, behind functions that never throw.
#include "sluice.h"

#include <pthread.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sluice/detail/bulk/answers.hpp"
#include "sluice/file.hpp"
#include "sluice/plan.hpp"
#include "sluice/random_seed.hpp"
#include "sluice/version.hpp"

/// What a handle is.
struct sluice_filter {
  sluice::filter_file file;
};

namespace {

using sluice::key_kind;

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): as errno
thread_local std::string last_error;
thread_local enum sluice_error_code last_code = SLUICE_OK;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

static_assert(static_cast<int>(SLUICE_SYSTEM) == static_cast<int>(sluice::error_code::system));
static_assert(static_cast<int>(SLUICE_FULL) == static_cast<int>(sluice::error_code::full));

/// Calls body, and turns what it throws into `failed` and a sentence.
template <class Result, class Body>
Result guarded(Result failed, const Body& body) noexcept {
  try {
    try {
      return body();
    } catch (const sluice::error& e) {
      last_code = static_cast<enum sluice_error_code>(e.code());
      last_error = e.what();
    } catch (const std::bad_alloc&) {
      last_code = SLUICE_NO_MEMORY;
      last_error = "there is not enough memory";
    } catch (const std::exception& e) {
      last_code = SLUICE_OTHER;
      last_error = e.what();
    } catch (...) {  // thrown by what the program has put in the place of the system's functions
      last_code = SLUICE_OTHER;
      last_error = "something was thrown that is no std::exception";
    }
  } catch (...) {
    last_error = "out of memory";  // for a sentence; this one is short enough to need none
  }
  return failed;
}

/// A thread that is cancelled meanwhile ends at the next place after this one: what unwinds it must not pass through
/// functions that never throw, and would leave half a file behind.
class not_cancelled {
public:
  not_cancelled() noexcept { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  not_cancelled(const not_cancelled&) = delete;
  not_cancelled& operator=(const not_cancelled&) = delete;
  not_cancelled(not_cancelled&&) = delete;
  not_cancelled& operator=(not_cancelled&&) = delete;
  ~not_cancelled() { pthread_setcancelstate(before_, nullptr); }

private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

/// The same for calls that ask the system for more than memory, where a thread can be cancelled.
template <class Result, class Body>
Result guarded_with_system(Result failed, const Body& body) noexcept {
  const not_cancelled now;
  return guarded(failed, body);
}

template <class T>
const T& given(const T* pointer, const char* what) {
  if (pointer == nullptr) throw sluice::parameter_error(std::string(what) + " is a null pointer");
  return *pointer;
}

std::string_view text(const void* key, std::size_t size) {
  if (key == nullptr && size != 0) throw sluice::parameter_error("the key is a null pointer");
  return {static_cast<const char*>(key), size};
}

/// Of an array that can be in memory.
template <class T>
void demand_count(std::size_t count) {
  constexpr std::size_t most = PTRDIFF_MAX / sizeof(T);
  if (count <= most) return;
  throw sluice::parameter_error("no array has " + std::to_string(count) + " keys; " + std::to_string(most) +
                                " of them are more than any memory");
}

/// How many bytes of a struct the caller's version of it and ours have in common. Its first member is its size; `first`
/// is the size of the first version that there was, which every caller has. No version will have more than a page.
/// The members of that version, on whatever machine, are those below.
template <class Struct>
std::size_t common_size(const Struct& s, std::size_t first, const char* what) {
  constexpr std::size_t most = 4096;
  if (s.size < first || s.size > most) {
    throw sluice::parameter_error(std::string(what) + " has no size: set its member size to sizeof of the struct");
  }
  return std::min(s.size, sizeof(Struct));
}
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
static_assert(sizeof(struct sluice_info) == first_info &&  // a member that comes later stands at first_info
              offsetof(struct sluice_info, seed) == offsetof(info_at_first, seed));

const sluice::filter_file& asked(const sluice_filter* f) { return given(f, "the filter").file; }
sluice::filter_file& written(sluice_filter* f) {
  given(f, "the filter");
  return f->file;
}

std::vector<std::string_view> texts_of(const void* const* keys, const std::size_t* sizes, std::size_t count) {
  demand_count<std::string_view>(count);
  std::vector<std::string_view> texts;
  texts.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    texts.push_back(text((&given(keys, "the array of keys"))[i], (&given(sizes, "the array of sizes"))[i]));
  }
  return texts;
}

std::span<const std::uint64_t> integers_of(const std::uint64_t* keys, std::size_t count) {
  demand_count<std::uint64_t>(count);
  if (count != 0) given(keys, "the array of keys");
  return {keys, count};
}

/// A caller's number need not be one of the enum's, and is not read as one.
key_kind kind_of(const enum sluice_keys& kind) {
  int number = 0;
  static_assert(sizeof number == sizeof kind);
  std::memcpy(&number, &kind, sizeof number);
  switch (number) {
    case 0:
    case SLUICE_BYTES:
      return key_kind::bytes;
    case SLUICE_U64:
      return key_kind::u64;
    case SLUICE_U32:
      return key_kind::u32;
    default:
      throw sluice::parameter_error("there are no keys of kind " + std::to_string(number) +
                                    "; the kinds are those of enum sluice_keys");
  }
}

/// The caller's plan as ours. What an older caller does not have is 0; what a newer one has, and we do not know, must be.
struct sluice_plan plan_of(const struct sluice_plan& asked_for) {
  struct sluice_plan plan{};
  std::memcpy(&plan, &asked_for, common_size(asked_for, first_plan, "the plan"));
  const auto* const bytes = reinterpret_cast<const unsigned char*>(&asked_for);
  if (asked_for.size > sizeof plan &&
      std::any_of(bytes + sizeof plan, bytes + asked_for.size, [](unsigned char byte) { return byte != 0; })) {
    throw sluice::parameter_error(
        "the plan asks for something that this version of sluice, " SLUICE_VERSION
        ", does not know: set the members that its sluice.h does not have to zero, or use a newer library");
  }
  return plan;
}

sluice::filter_file built(const struct sluice_plan& asked_for) {
  const struct sluice_plan plan = plan_of(asked_for);
  const key_kind kind = kind_of(plan.kind);
  const bool by_memory = plan.memory != 0 && plan.fpr == 0;
  const double fpr = plan.fpr == 0 ? sluice::usual_fpr : plan.fpr;
  if (plan.shards > 1 && plan.keys == 0) {
    throw sluice::parameter_error("shards need keys: the number of keys of all filters together");
  }
  if (plan.keys == 0 && plan.memory == 0) {
    return {sluice::growing_filter({.fpr = fpr, .seed = plan.seed}), kind};
  }
  sluice::plan_request q;
  if (plan.keys != 0) q.keys = static_cast<double>(plan.keys);
  if (plan.memory != 0) q.memory_bits = 8 * static_cast<double>(plan.memory);
  if (!by_memory || plan.keys == 0) q.fpr = fpr;
  q.seed = plan.seed;
  q.shards = plan.shards;
  const sluice::plan_candidate best = sluice::best_plan(q);
  return {sluice::filter(best.params), saved_as_planned(best, kind)};
}

template <class Keys>
int query_bulk(const sluice_filter* filter, const Keys& keys, std::uint8_t* answers) {
  std::span<std::uint8_t> out;
  if (!keys.empty()) {
    given(answers, "the room for answers");
    out = {answers, keys.size()};
  }
  asked(filter).may_contain_bulk(keys, out);
  return 0;
}

template <class Keys>
std::int64_t add_new_bulk(sluice_filter* filter, const Keys& keys, std::uint8_t* answers) {
  if (!keys.empty()) given(answers, "the room for answers");
  return static_cast<std::int64_t>(written(filter).insert_bulk(keys, std::span(answers, keys.size())));
}

}  // namespace

extern "C" {

const char* sluice_version(void) { return SLUICE_VERSION; }
const char* sluice_error(void) { return last_error.c_str(); }
enum sluice_error_code sluice_last_error(void) { return last_code; }

uint64_t sluice_random_seed(void) {
  return guarded_with_system<std::uint64_t>(0, [] { return sluice::random_seed(); });
}

sluice_filter* sluice_map(const char* path) {
  return guarded_with_system<sluice_filter*>(
      nullptr, [&] { return new sluice_filter{sluice::filter_file::map(&given(path, "the path"))}; });
}
sluice_filter* sluice_open(const char* path) {
  return guarded_with_system<sluice_filter*>(
      nullptr, [&] { return new sluice_filter{sluice::filter_file::load(&given(path, "the path"))}; });
}
sluice_filter* sluice_build(const struct sluice_plan* plan) {
  return guarded<sluice_filter*>(nullptr, [&] { return new sluice_filter{built(given(plan, "the plan"))}; });
}
void sluice_close(sluice_filter* filter) { delete filter; }

int sluice_query(const sluice_filter* filter, const void* key, size_t size) {
  return guarded(-1, [&] { return asked(filter).may_contain(text(key, size)) ? 1 : 0; });
}
int sluice_query_u64(const sluice_filter* filter, uint64_t key) {
  return guarded(-1, [&] { return asked(filter).may_contain(key) ? 1 : 0; });
}
int sluice_query_bulk(const sluice_filter* filter, const void* const* keys, const size_t* sizes, size_t count,
                      uint8_t* answers) {
  return guarded(-1, [&] { return query_bulk(filter, texts_of(keys, sizes, count), answers); });
}
int sluice_query_bulk_u64(const sluice_filter* filter, const uint64_t* keys, size_t count, uint8_t* answers) {
  return guarded(-1, [&] { return query_bulk(filter, integers_of(keys, count), answers); });
}

int sluice_add(sluice_filter* filter, const void* key, size_t size) {
  return guarded(-1, [&] { return written(filter).insert(text(key, size)) ? 1 : 0; });
}
int sluice_add_u64(sluice_filter* filter, uint64_t key) {
  return guarded(-1, [&] { return written(filter).insert(key) ? 1 : 0; });
}
int64_t sluice_add_bulk(sluice_filter* filter, const void* const* keys, const size_t* sizes, size_t count) {
  return guarded<std::int64_t>(
      -1, [&] { return static_cast<std::int64_t>(written(filter).insert_bulk(texts_of(keys, sizes, count))); });
}
int64_t sluice_add_bulk_u64(sluice_filter* filter, const uint64_t* keys, size_t count) {
  return guarded<std::int64_t>(
      -1, [&] { return static_cast<std::int64_t>(written(filter).insert_bulk(integers_of(keys, count))); });
}

int64_t sluice_add_new_bulk(sluice_filter* filter, const void* const* keys, const size_t* sizes, size_t count,
                            uint8_t* answers) {
  return guarded<std::int64_t>(-1, [&] { return add_new_bulk(filter, texts_of(keys, sizes, count), answers); });
}
int64_t sluice_add_new_bulk_u64(sluice_filter* filter, const uint64_t* keys, size_t count, uint8_t* answers) {
  return guarded<std::int64_t>(-1, [&] { return add_new_bulk(filter, integers_of(keys, count), answers); });
}

int sluice_merge(sluice_filter* filter, const sluice_filter* other) {
  return guarded(-1, [&] {
    written(filter).merge(given(other, "the other filter").file);
    return 0;
  });
}

int sluice_save(const sluice_filter* filter, const char* path) {
  return guarded_with_system(-1, [&] {
    asked(filter).save(&given(path, "the path"));
    return 0;
  });
}
int sluice_verify(const char* path) {
  return guarded_with_system(-1, [&] {
    sluice::filter_file::map(&given(path, "the path")).verify();
    return 0;
  });
}
int sluice_describe(const sluice_filter* filter, struct sluice_info* info) {
  return guarded(-1, [&] {
    const sluice::filter_file& f = asked(filter);
    const std::size_t size =
        common_size(given(info, "the room for the description"), first_info, "the room for the description");
    struct sluice_info all = {.size = info->size,
                              .keys = f.keys_inserted(),
                              .planned_keys = f.planned_keys(),
                              .bytes = 0,
                              .fpr = sluice::fpr_of_any(f.stats()),
                              .kind = static_cast<enum sluice_keys>(f.keys()),
                              .grows = f.grows() ? 1 : 0,
                              .writable = f.writable() ? 1 : 0,
                              .seed = f.seed()};
    for (const sluice::stored_filter& one : f.contents().filters) {
      all.bytes += one.blocks.size() + one.overflowed.slots.size();
    }
    std::memcpy(info, &all, size);
    return 0;
  });
}

}  // extern "C"
