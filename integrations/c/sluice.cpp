// The C interface: a filter file in one of three forms (mapped, one filter, a chain), behind functions that never throw.
#include "sluice.h"

#include <cmath>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sluice/growing_filter.hpp"

/// What a handle is.
struct sluice_filter {
  struct single {
    sluice::filter filter;
    std::uint64_t planned_keys = 0;
    double planned_fpr = 0;
  };
  std::variant<sluice::view, single, sluice::growing_filter> form;
  sluice::key_kind kind;
};

namespace {

using sluice::key_kind;

thread_local std::string last_error;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): as errno

/// Calls body, and turns what it throws into `failed` and a sentence.
template <class Result, class Body>
Result guarded(Result failed, const Body& body) noexcept {
  try {
    try {
      return body();
    } catch (const std::bad_alloc&) {
      last_error = "there is not enough memory";
    } catch (const std::exception& e) {
      last_error = e.what();
    }
  } catch (...) {
    last_error.clear();  // not even memory for a sentence
  }
  return failed;
}

template <class T>
const T& given(const T* pointer, const char* what) {
  if (pointer == nullptr) throw sluice::parameter_error(std::string(what) + " is a null pointer");
  return *pointer;
}

void demand_kind(const sluice_filter& f, bool integer) {
  if (integer == (f.kind != key_kind::bytes)) return;
  throw sluice::key_error("the filter has keys of kind " + std::string(name_of(f.kind)) + ", and was given " +
                          (integer ? "an integer" : "bytes"));
}

std::string_view text(const void* key, std::size_t size) {
  if (key == nullptr && size != 0) throw sluice::parameter_error("the key is a null pointer");
  return {static_cast<const char*>(key), size};
}

/// Calls body with whatever can be asked.
template <class Body>
decltype(auto) asked(const sluice_filter& f, const Body& body) {
  return std::visit(
      [&](const auto& form) -> decltype(auto) {
        if constexpr (requires { form.filter; }) {
          return body(form.filter);
        } else {
          return body(form);
        }
      },
      f.form);
}

/// Calls body with what can be added to. Throws where that is nothing.
template <class Body>
auto written(sluice_filter& f, const Body& body) {
  if (auto* const one = std::get_if<sluice_filter::single>(&f.form)) return body(one->filter);
  if (auto* const chain = std::get_if<sluice::growing_filter>(&f.form)) return body(*chain);
  throw sluice::parameter_error("a mapped filter cannot be added to; sluice_open it instead");
}

sluice_filter* opened(const char* path) {
  const std::string file = &given(path, "the path");
  const sluice::view v = sluice::view::map(file);
  v.verify();
  const sluice::file_contents& contents = v.contents();
  if (contents.grows) return new sluice_filter{sluice::growing_filter_of(contents), contents.keys};
  const sluice::stored_filter& first = contents.filters.front();
  return new sluice_filter{sluice_filter::single{sluice::filter_of(first), first.planned_keys, first.planned_fpr},
                           contents.keys};
}

key_kind kind_of(enum sluice_keys kind) {
  switch (static_cast<int>(kind)) {
    case 0:
    case SLUICE_BYTES:
      return key_kind::bytes;
    case SLUICE_U64:
      return key_kind::u64;
    case SLUICE_U32:
      return key_kind::u32;
    default:
      throw sluice::parameter_error("there is no such kind of keys");
  }
}

sluice_filter* built(const struct sluice_plan& plan) {
  const key_kind kind = kind_of(plan.kind);
  const bool by_memory = plan.memory != 0 && plan.fpr == 0;
  const double fpr = plan.fpr == 0 ? 0.001 : plan.fpr;
  if (plan.keys == 0 && plan.memory == 0) {
    return new sluice_filter{sluice::growing_filter({.fpr = fpr, .seed = plan.seed}), kind};
  }
  sluice::plan_request q;
  if (plan.keys != 0) q.keys = static_cast<double>(plan.keys);
  if (plan.memory != 0) q.memory_bits = 8 * static_cast<double>(plan.memory);
  if (!by_memory || plan.keys == 0) q.fpr = fpr;
  sluice::plan_candidate best = sluice::plan(q).front();
  std::visit([&](auto& p) { p.seed = plan.seed; }, best.params);
  return new sluice_filter{
      sluice_filter::single{sluice::filter(best.params), static_cast<std::uint64_t>(std::llround(best.keys)),
                            best.predicted.fpr_exact},
      kind};
}

sluice::file_contents contents_of(const sluice_filter& f) {
  if (const auto* v = std::get_if<sluice::view>(&f.form)) return v->contents();
  if (const auto* chain = std::get_if<sluice::growing_filter>(&f.form)) return sluice::contents_of(*chain, f.kind);
  const auto& one = std::get<sluice_filter::single>(f.form);
  return sluice::contents_of(one.filter, {f.kind, one.planned_keys, one.planned_fpr});
}

template <class Keys>
int query_bulk(const sluice_filter& f, const Keys& keys, std::uint8_t* answers) {
  if (keys.empty()) return 0;
  const std::span<std::uint8_t> out(&const_cast<std::uint8_t&>(given(answers, "the room for answers")), keys.size());
  asked(f, [&](const auto& filter) { filter.may_contain_bulk(keys, out); });
  return 0;
}

}  // namespace

extern "C" {

const char* sluice_version(void) { return SLUICE_VERSION; }
const char* sluice_error(void) { return last_error.c_str(); }

sluice_filter* sluice_map(const char* path) {
  return guarded<sluice_filter*>(nullptr, [&] {
    sluice::view v = sluice::view::map(&given(path, "the path"));
    const key_kind kind = v.keys();
    return new sluice_filter{std::move(v), kind};
  });
}
sluice_filter* sluice_open(const char* path) {
  return guarded<sluice_filter*>(nullptr, [&] { return opened(path); });
}
sluice_filter* sluice_build(const struct sluice_plan* plan) {
  return guarded<sluice_filter*>(nullptr, [&] { return built(given(plan, "the plan")); });
}
void sluice_close(sluice_filter* filter) { delete filter; }

int sluice_query(const sluice_filter* filter, const void* key, size_t size) {
  return guarded(-1, [&] {
    demand_kind(given(filter, "the filter"), false);
    return asked(*filter, [&](const auto& f) { return f.may_contain(text(key, size)) ? 1 : 0; });
  });
}
int sluice_query_u64(const sluice_filter* filter, uint64_t key) {
  return guarded(-1, [&] {
    demand_kind(given(filter, "the filter"), true);
    return asked(*filter, [&](const auto& f) { return f.may_contain(key) ? 1 : 0; });
  });
}
int sluice_query_bulk(const sluice_filter* filter, const void* const* keys, const size_t* sizes, size_t count,
                      uint8_t* answers) {
  return guarded(-1, [&] {
    demand_kind(given(filter, "the filter"), false);
    std::vector<std::string_view> texts;
    texts.reserve(count);
    for (size_t i = 0; i < count; ++i) {
      texts.push_back(text((&given(keys, "the array of keys"))[i], (&given(sizes, "the array of sizes"))[i]));
    }
    return query_bulk(*filter, texts, answers);
  });
}
int sluice_query_bulk_u64(const sluice_filter* filter, const uint64_t* keys, size_t count, uint8_t* answers) {
  return guarded(-1, [&] {
    demand_kind(given(filter, "the filter"), true);
    if (count != 0) given(keys, "the array of keys");
    return query_bulk(*filter, std::span(keys, count), answers);
  });
}

int sluice_add(sluice_filter* filter, const void* key, size_t size) {
  return guarded(-1, [&] {
    demand_kind(given(filter, "the filter"), false);
    return written(*filter, [&](auto& f) { return f.insert(text(key, size)) ? 1 : 0; });
  });
}
int sluice_add_u64(sluice_filter* filter, uint64_t key) {
  return guarded(-1, [&] {
    demand_kind(given(filter, "the filter"), true);
    return written(*filter, [&](auto& f) { return f.insert(key) ? 1 : 0; });
  });
}
int64_t sluice_add_bulk_u64(sluice_filter* filter, const uint64_t* keys, size_t count) {
  return guarded<std::int64_t>(-1, [&] {
    demand_kind(given(filter, "the filter"), true);
    if (count != 0) given(keys, "the array of keys");
    return written(*filter, [&](auto& f) { return static_cast<std::int64_t>(f.insert_bulk(std::span(keys, count))); });
  });
}

int sluice_save(const sluice_filter* filter, const char* path) {
  return guarded(-1, [&] {
    sluice::file::replacement into(&given(path, "the path"));
    sluice::save(contents_of(given(filter, "the filter")), into);
    return 0;
  });
}
int sluice_verify(const char* path) {
  return guarded(-1, [&] {
    sluice::view::map(&given(path, "the path")).verify();
    return 0;
  });
}
int sluice_describe(const sluice_filter* filter, struct sluice_info* info) {
  return guarded(-1, [&] {
    const sluice::file_contents contents = contents_of(given(filter, "the filter"));
    given(info, "the room for the description");
    *info = {};
    double none = 1;
    for (const sluice::stored_filter& f : contents.filters) {
      info->keys += f.keys;
      info->planned_keys += contents.grows ? 0 : f.planned_keys;
      info->bytes += f.blocks.size() + f.overflowed.slots.size();
      none *= 1 - sluice::filter_view(f.params, f.blocks, f.overflowed).stats(f.keys).fpr_from_fill;
    }
    info->fpr = 1 - none;
    info->kind = static_cast<enum sluice_keys>(contents.keys);
    info->grows = contents.grows ? 1 : 0;
    info->writable = std::holds_alternative<sluice::view>(filter->form) ? 0 : 1;
    return 0;
  });
}

}  // extern "C"
