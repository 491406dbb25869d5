// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The module's entrance: functions are bound, arguments read, the type and the commands registered. A command is one
// row of the table below: flags, which arguments are keys and what is done to them, for ACL and for clusters.
#include <array>
#include <cstdio>
#include <span>
#include <string>

#include "commands/command.hpp"
#include "commands/documentation.hpp"
#include "data_type.hpp"
#include "memory.hpp"
#include "module_api.hpp"
#include "settings.hpp"
#include "sluice/extend/names.hpp"
#include "tally.hpp"

namespace sluice::redis {

namespace {

constexpr std::uint64_t only_read = key_flags::read_only | key_flags::access;
constexpr std::uint64_t added_to = key_flags::read_write | key_flags::access | key_flags::insert;

/// Which arguments are keys: the first, or all. Where LIKE names one more, the command itself tells (getkeys-api).
enum class keys_at : std::uint8_t { none, first, first_and_rest };

struct command_row {
  const char* name;
  command_function run;
  const char* flags;
  const char* categories;  ///< of ACL, beside our own, where the server knows them
  int arity;               ///< negative: at least
  keys_at where;
  std::uint64_t access;
  const char* summary;
  const char* complexity;  ///< n: items
  const char* arguments;   ///< documentation.hpp
};

/// What a filter is planned by, beside its rate and its number of items.
#define SLUICE_SHAPE_OPTIONS \
  "[SEED=seed:int] [SCHEME=scheme] [BITSPERKEY=bits:double] [BLOCK=bits:int] [TIGHTENING=ratio:double]"

constexpr const char* each = "O(1) for each item and each filter of the chain";
constexpr const char* all_bytes = "O(n) in the bytes of the filter";

constexpr std::array<command_row, 31> command_rows = {{
    {"bf.reserve", entrance<reserve>, "write deny-oom getkeys-api", "write fast", -4, keys_at::first,
     added_to | key_flags::incomplete, "Makes an empty filter for a number of items at an error rate.",
     "O(n) in the bytes that are set to zero",
     "key error_rate:double capacity:int [EXPANSION=expansion:int] [NONSCALING] [LIKE=other] " SLUICE_SHAPE_OPTIONS},
    {"bf.add", entrance<add>, "write deny-oom", "write", 3, keys_at::first, added_to,
     "Adds an item; makes the filter if there is none.", each, "key item"},
    {"bf.madd", entrance<add_many>, "write deny-oom", "write", -3, keys_at::first, added_to,
     "Adds items; makes the filter if there is none.", each, "key item..."},
    {"bf.insert", entrance<insert>, "write deny-oom getkeys-api", "write", -2, keys_at::first,
     added_to | key_flags::incomplete, "Adds items; makes the filter as the options say if there is none.", each,
     "key [CAPACITY=capacity:int] [ERROR=error_rate:double] [EXPANSION=expansion:int] [NOCREATE] "
     "[NONSCALING] [LIKE=other] " SLUICE_SHAPE_OPTIONS " ITEMS=item..."},
    {"bf.exists", entrance<exists<family::bloom>>, "readonly fast", "read fast", 3, keys_at::first, only_read,
     "Was an item added? False: never. True: yes, or a false positive.", each, "key item"},
    {"bf.mexists", entrance<exists_many<family::bloom>>, "readonly fast", "read fast", -3, keys_at::first, only_read,
     "Were items added?", each, "key item..."},
    {"bf.card", entrance<cardinality>, "readonly fast", "read fast", 2, keys_at::first, only_read,
     "How many different items were added.", "O(1)", "key"},
    {"bf.info", entrance<info>, "readonly fast", "read fast", -2, keys_at::first, only_read,
     "Capacity, memory, filters, items, expansion.", "O(1)", "key [field]"},
    {"bf.debug", entrance<debug>, "readonly fast", "read fast", 2, keys_at::first, only_read,
     "One line for each filter of the chain.", "O(1)", "key"},
    {"bf.stats", entrance<stats>, "readonly", "read", 2, keys_at::first, only_read,
     "Fill, false positive rate now, blocks per lookup.", all_bytes, "key"},
    {"bf.plan", entrance<plan_filter>, "readonly", "read", -3, keys_at::none, 0,
     "What BF.RESERVE with these arguments would make.", "O(1), and some milliseconds for the models",
     "error_rate:double capacity:int [EXPANSION=expansion:int] [NONSCALING] " SLUICE_SHAPE_OPTIONS},
    {"bf.scandump", entrance<scan_dump<family::bloom>>, "readonly fast", "read fast", 3, keys_at::first, only_read,
     "The filter in pieces, for BF.LOADCHUNK.", "O(n) in the bytes of the piece", "key iterator:int"},
    {"bf.loadchunk", entrance<load_chunk<family::bloom>>, "write deny-oom", "write", 4, keys_at::first, added_to,
     "Takes a piece of BF.SCANDUMP, of this module or of RedisBloom.", "O(n) in the bytes of the piece",
     "key iterator:int data"},
    {"bf.merge", entrance<merge>, "write deny-oom", "write", -3, keys_at::first_and_rest, added_to,
     "Unites filters of one shape and seed.", all_bytes, "key source..."},
    {"bf.savefile", entrance<save_file>, "readonly", "read dangerous", -3, keys_at::first, only_read,
     "Writes a filter into a file of the module's folder.", all_bytes, "key file [REPLACE]"},
    {"bf.loadfile", entrance<load_file>, "write deny-oom", "write dangerous", 3, keys_at::first, added_to,
     "Makes a filter of a file in the module's folder.", all_bytes, "key file"},
    {"bf.reservepart", entrance<reserve_part>, "write deny-oom", "write", 3, keys_at::first, added_to,
     "Makes an empty part of a filter that is spread over several keys.", "O(n) in the bytes that are set to zero",
     "key header"},
    {"bf.digestadd", entrance<add_digests>, "write deny-oom", "write", 4, keys_at::first, added_to,
     "Adds keys to a part of a filter, by their digests.", each, "key identity digests"},
    {"bf.digestexists", entrance<digests_exist>, "readonly fast", "read fast", 4, keys_at::first, only_read,
     "Were keys added to a part of a filter? By their digests.", each, "key identity digests"},
    {"cf.reserve", entrance<reserve_ledger>, "write deny-oom", "write fast", -3, keys_at::first, added_to,
     "Makes an empty filter for a number of items, which can be taken out again.",
     "O(n) in the bytes that are set to zero",
     "key capacity:int [BUCKETSIZE=size:int] [MAXITERATIONS=iterations:int] [EXPANSION=expansion:int] "
     "[ERROR=error_rate:double] [SEED=seed:int]"},
    {"cf.add", entrance<add_copy>, "write deny-oom", "write", 3, keys_at::first, added_to,
     "Adds an item once more; makes the filter if there is none.", each, "key item"},
    {"cf.addnx", entrance<add_if_absent>, "write deny-oom", "write", 3, keys_at::first, added_to,
     "Adds an item unless it seems to be in; makes the filter if there is none.", each, "key item"},
    {"cf.insert", entrance<insert_copies>, "write deny-oom", "write", -4, keys_at::first, added_to,
     "Adds items once more; makes the filter as the options say if there is none.", each,
     "key [CAPACITY=capacity:int] [EXPANSION=expansion:int] [NOCREATE] [ERROR=error_rate:double] [SEED=seed:int] "
     "ITEMS=item..."},
    {"cf.insertnx", entrance<insert_if_absent>, "write deny-oom", "write", -4, keys_at::first, added_to,
     "Adds items unless they seem to be in; makes the filter as the options say if there is none.", each,
     "key [CAPACITY=capacity:int] [EXPANSION=expansion:int] [NOCREATE] [ERROR=error_rate:double] [SEED=seed:int] "
     "ITEMS=item..."},
    {"cf.exists", entrance<exists<family::ledger>>, "readonly fast", "read fast", 3, keys_at::first, only_read,
     "Is an item in? False: never. True: yes, or a false positive.", each, "key item"},
    {"cf.mexists", entrance<exists_many<family::ledger>>, "readonly fast", "read fast", -3, keys_at::first, only_read,
     "Are items in?", each, "key item..."},
    {"cf.count", entrance<count_copies>, "readonly fast", "read fast", 3, keys_at::first, only_read,
     "How often an item seems to be in.", each, "key item"},
    {"cf.del", entrance<erase_copy>, "write fast", "write fast", 3, keys_at::first,
     key_flags::read_write | key_flags::access | key_flags::erase, "Takes an item out once, which was added.", each,
     "key item"},
    {"cf.info", entrance<ledger_info>, "readonly fast", "read fast", 2, keys_at::first, only_read,
     "Memory, blocks, filters, items, expansion.", "O(1)", "key"},
    {"cf.scandump", entrance<scan_dump<family::ledger>>, "readonly fast", "read fast", 3, keys_at::first, only_read,
     "The filter in pieces, for CF.LOADCHUNK.", "O(n) in the bytes of the piece", "key iterator:int"},
    {"cf.loadchunk", entrance<load_chunk<family::ledger>>, "write deny-oom", "write", 4, keys_at::first, added_to,
     "Takes a piece of CF.SCANDUMP, of this module.", "O(n) in the bytes of the piece", "key iterator:int data"},
}};
#undef SLUICE_SHAPE_OPTIONS

[[nodiscard]] constexpr bool is_of_ledgers(const command_row& row) noexcept {
  return std::string_view(row.name).starts_with("cf.");
}

[[nodiscard]] constexpr key_specification key_at(int place, std::uint64_t access, int last = 0) {
  key_specification k{.flags = access, .begin = begin_search::index, .find = find_keys::range};
  k.at.index = place;
  k.range.last_key = last;
  return k;
}

bool describe(context* ctx, const command_row& row) {
  static constexpr command_info_version layout = {1, 2 * sizeof(void*), sizeof(key_specification), 9 * sizeof(void*)};
  std::array<key_specification, 3> keys = {};  // ends with an empty one
  if (row.where != keys_at::none) keys[0] = key_at(1, row.access);
  if (row.where == keys_at::first_and_rest) keys[1] = key_at(2, only_read, -1);
  const documented_arguments arguments(row.arguments);
  const command_info told{.version = &layout,
                          .summary = row.summary,
                          .complexity = row.complexity,
                          .since = SLUICE_VERSION,
                          .arity = row.arity,
                          .keys = row.where == keys_at::none ? nullptr : keys.data(),
                          .arguments = arguments.all()};
  command_handle* const handle = get_command(ctx, row.name);
  if (handle == nullptr || set_command_info(handle, &told) != ok) return false;
  if (set_command_categories != nullptr) {
    std::string categories = row.categories;
    if (add_category != nullptr) categories += is_of_ledgers(row) ? " cuckoo" : " bloom";
    if (set_command_categories(handle, categories.c_str()) != ok) return false;
  }
  return true;
}

bool register_commands(context* ctx) {
  if (add_category != nullptr) {
    static_cast<void>(add_category(ctx, "bloom"));
    static_cast<void>(add_category(ctx, "cuckoo"));
  }
  for (const command_row& row : command_rows) {
    const bool has_key = row.where != keys_at::none;
    const int last = row.where == keys_at::first_and_rest ? -1 : 1;
    if (create_command(ctx, row.name, row.run, row.flags, has_key ? 1 : 0, has_key ? last : 0, has_key ? 1 : 0) != ok ||
        !describe(ctx, row)) {
      log(ctx, "warning", "sluice: the command %s could not be registered; is another module with BF.* or CF.* loaded?",
          row.name);
      return false;
    }
  }
  return true;
}

void tell_totals(info_stream* out, int /*for a crash report*/) noexcept {
  const totals& all = all_chains();
  const auto number = [](std::int64_t n) { return static_cast<unsigned long long>(n < 0 ? 0 : n); };
  info_section(out, "");
  info_number(out, "filters", number(all.filters.load()));
  info_number(out, "memory_bytes", number(all.bytes.load()));
  info_number(out, "keys", number(all.keys.load()));
  info_number(out, "overfull_filters", number(all.overfull.load()));
  info_number(out, "module_bytes", number(bytes_held()));  // all that it holds: filters, and what it remembers
}

constexpr int number_of_version() {
  int number = 0;
  int part = 0;
  for (const char* c = SLUICE_VERSION; *c != '\0'; ++c) {
    if (*c == '.') {
      number = (number + part) * 100;
      part = 0;
    } else {
      part = part * 10 + (*c - '0');
    }
  }
  return number + part;
}

/// A value belongs to its key alone, and is what its bytes are: it can be loaded beside the old one, and be moved with
/// its slot, by the commands of an AOF. Bits that only Valkey knows are not shown to others.
[[nodiscard]] int options_for(context* ctx) {
  int options = handles_io_errors | handles_async_loading;
  if (server_info* const info = get_server_info(ctx, "server")) {
    if (server_info_word(info, "valkey_version") != nullptr) options |= handles_slot_migration;
    free_server_info(ctx, info);
  }
  return options;
}

int load(context* ctx, text** arguments, int count) noexcept {
  if (const char* const missing = bind(ctx)) {
    std::fprintf(stderr, "sluice: this server is too old for the module: it has no RedisModule_%s\n", missing);
    return failed;
  }
  if (is_module_name_busy("sluice") != 0) return failed;
  set_module_attributes(ctx, "sluice", number_of_version(), api_version);
  try {
    read_settings(arguments, count);
    set_module_options(ctx, options_for(ctx));
    if (!register_types(ctx) || !register_commands(ctx) || !register_settings(ctx)) return failed;
    return register_info(ctx, tell_totals);
  } catch (const std::exception& e) {
    log(ctx, "warning", "sluice: %s", e.what());
    return failed;
  }
}

}  // namespace

}  // namespace sluice::redis

extern "C" __attribute__((visibility("default"))) int RedisModule_OnLoad(sluice::redis::context* ctx,
                                                                         sluice::redis::text** arguments, int count) {
  return sluice::redis::load(ctx, arguments, count);
}
