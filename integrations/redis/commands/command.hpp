// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// commands/command: what all commands share: the entrance that lets no exception out, replies in the dialect that the
// module speaks, and the server's own sentences.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data_type.hpp"
#include "module_api.hpp"
#include "refusal.hpp"
#include "room.hpp"
#include "settings.hpp"
#include "sluice/errors.hpp"

namespace sluice::redis {

inline constexpr const char* wrong_type = "WRONGTYPE Operation against a key holding the wrong kind of value";
inline constexpr const char* not_found = "ERR not found";
inline constexpr const char* item_exists = "ERR item exists";
inline constexpr const char* exceeds_memory = "ERR operation exceeds bloom object memory limit";  // valkey-bloom's
inline constexpr const char* still_loading = "ERR the filter is being loaded: not all of its chunks have arrived";
inline constexpr const char* takes_no_keys =
    "ERR the filter is sealed and takes no more keys: build it again from all of them and load that, or keep later "
    "keys in a filter beside it and ask both";

/// What the server calls: `Run` may throw, before it has begun its reply.
template <void (*Run)(context*, text**, int)>
int entrance(context* ctx, text** arguments, int count) noexcept {
  try {
    Run(ctx, arguments, count);
    return ok;
  } catch (...) {
    return reply_failure(ctx);
  }
}

/// The reply where there is no memory for a filter. The server's own word for it goes before all others.
[[nodiscard]] inline refusal no_memory_for_filter(const memory_error& e) {
  if (dynamic_cast<const out_of_memory*>(&e) != nullptr) return refusal(e.what());
  if (speaks_valkey()) return refusal(exceeds_memory);
  return refusal(std::string("ERR Insufficient memory to create filter: ") + e.what());
}

inline void require_arguments(int count, int least, int most = 1 << 30) {
  if (count < least || count > most) throw wrong_arity();
}

/// The filter of a key. Throws for a key that has none.
inline chain& require_filter(const open_chain& key) {
  if (key.holds() == holding::nothing) throw refusal(not_found);
  if (key.holds() == holding::something_else) throw refusal(wrong_type);
  return *key.value();
}
/// The same, and all of it is there.
inline chain& require_complete(const open_chain& key) {
  chain& c = require_filter(key);
  if (!c.complete()) throw refusal(still_loading);
  return c;
}

/// Throws where a filter takes no keys, also none that it has: the client should learn of it with the first.
inline void require_not_sealed(const chain& c) {
  if (c.sealed()) throw refusal(takes_no_keys);
}

[[nodiscard]] inline bool speaks_resp3(context* ctx) noexcept {
  return (get_context_flags(ctx) & context_flags::speaks_resp3) != 0;
}
/// Does the command come from a primary, or from a file of the server? Then what was decided there is done here.
[[nodiscard]] inline bool is_told(context* ctx) noexcept {
  return (get_context_flags(ctx) & (context_flags::replicated | context_flags::loading)) != 0;
}

/// Throws where passing over so many bytes would let the server stand still for long.
inline void require_little_work(context* ctx, std::uint64_t bytes, const char* what) {
  const std::uint64_t most = current_settings().max_work;
  if (is_told(ctx) || bytes <= most) return;
  throw refusal("ERR " + std::string(what) + " of " + std::to_string(bytes) +
                " bytes would stop the server for long; " + std::to_string(most) +
                " are the most (module argument max-work)");
}

/// 1 or 0; in RESP3 RedisBloom says true or false.
inline void reply_truth(context* ctx, bool truth) noexcept {
  if (speaks_valkey()) {
    reply_integer(ctx, truth ? 1 : 0);
  } else {
    reply_bool(ctx, truth ? 1 : 0);
  }
}
inline void reply_text(context* ctx, std::string_view bytes) noexcept { reply_bytes(ctx, bytes.data(), bytes.size()); }
inline void reply_text(context* ctx, std::span<const std::byte> bytes) noexcept {
  reply_bytes(ctx, reinterpret_cast<const char*>(bytes.data()), bytes.size());
}
/// The name of a field in a map.
inline void reply_name(context* ctx, const char* name) noexcept { reply_word(ctx, name); }

/// Subscribers learn of it; both classes of events have it.
inline void tell(context* ctx, const char* event, text* key) noexcept {
  notify(ctx, generic_event | module_event, event, key);
}

/// Views of items; one, as most commands have, takes no memory.
class item_views {
public:
  explicit item_views(std::span<text* const> items) : count_(items.size()) {
    if (count_ == 1) {
      one_ = view_of(items.front());
    } else {
      many_.reserve(count_);
      for (const text* const item : items) many_.push_back(view_of(item));
    }
  }
  [[nodiscard]] std::span<const std::string_view> all() const noexcept {
    return count_ == 1 ? std::span(&one_, 1) : std::span(many_);
  }

private:
  std::size_t count_;
  std::string_view one_;
  std::vector<std::string_view> many_;
};

// The commands. Each throws refusal, wrong_arity or an error of the library before it replies.
void reserve(context* ctx, text** arguments, int count);
void insert(context* ctx, text** arguments, int count);
void add(context* ctx, text** arguments, int count);
void add_many(context* ctx, text** arguments, int count);
template <family Of>
void exists(context* ctx, text** arguments, int count);
template <family Of>
void exists_many(context* ctx, text** arguments, int count);
void cardinality(context* ctx, text** arguments, int count);
void info(context* ctx, text** arguments, int count);
void debug(context* ctx, text** arguments, int count);
void stats(context* ctx, text** arguments, int count);
void plan_filter(context* ctx, text** arguments, int count);
template <family Of>
void scan_dump(context* ctx, text** arguments, int count);
template <family Of>
void load_chunk(context* ctx, text** arguments, int count);
void merge(context* ctx, text** arguments, int count);
void save_file(context* ctx, text** arguments, int count);
void load_file(context* ctx, text** arguments, int count);
void reserve_part(context* ctx, text** arguments, int count);
void add_digests(context* ctx, text** arguments, int count);
void digests_exist(context* ctx, text** arguments, int count);
// Of ledgers.
void reserve_ledger(context* ctx, text** arguments, int count);
void add_copy(context* ctx, text** arguments, int count);
void add_if_absent(context* ctx, text** arguments, int count);
void insert_copies(context* ctx, text** arguments, int count);
void insert_if_absent(context* ctx, text** arguments, int count);
void erase_copy(context* ctx, text** arguments, int count);
void count_copies(context* ctx, text** arguments, int count);
void ledger_info(context* ctx, text** arguments, int count);

}  // namespace sluice::redis
