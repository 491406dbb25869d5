// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// module_api: what the server offers to modules, bound by name when the module is loaded. Names, signatures and numbers
// are the server's; nothing of it is needed to build.
//
// Invariants: bind() has succeeded before anything else is called, and it is called once. The functions are C's:
// nothing that they call may throw. Cost: an indirect call each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sluice::redis {

// What belongs to the server.
struct context;
struct text;  ///< a string of the server
struct key_handle;
struct value_type;
struct command_handle;
struct rdb_stream;
struct digest_stream;
struct info_stream;
struct server_info;
struct blocked_client;
struct call_reply;
struct defrag_context;

using command_function = int (*)(context*, text**, int);
using info_function = void (*)(info_stream*, int);
using config_getter = text* (*)(const char*, void*);
using config_setter = int (*)(const char*, text*, void*, text**);

inline constexpr int ok = 0;
inline constexpr int failed = 1;
inline constexpr int api_version = 1;

inline constexpr int open_to_read = 1 << 0;
inline constexpr int open_to_write = 1 << 1;
inline constexpr int key_is_empty = 0;
inline constexpr int key_is_a_modules = 6;

namespace context_flags {
inline constexpr int primary = 1 << 2;
inline constexpr int replica = 1 << 3;
inline constexpr int in_cluster = 1 << 5;
inline constexpr int replicated = 1 << 12;  ///< the command comes from the primary
inline constexpr int loading = 1 << 13;     ///< from a file of the server
inline constexpr int child = 1 << 20;       ///< it writes a file of the server
inline constexpr int speaks_resp3 = 1 << 22;
inline constexpr int denies_blocking = 1 << 21;
}  // namespace context_flags

// What the module can do, for set_module_options.
inline constexpr int handles_io_errors = 1 << 0;
inline constexpr int handles_async_loading = 1 << 2;      ///< a replica answers from what it had while it loads anew
inline constexpr int handles_slot_migration = 1 << 5;     ///< Valkey from 9 on: CLUSTER MIGRATESLOTS
inline constexpr unsigned config_is_protected = 1U << 5;  ///< as the server's own paths: enable-protected-configs
inline constexpr int generic_event = 1 << 2;
inline constexpr int module_event = 1 << 13;

/// What the server calls for values of our type: the third form of this table.
struct type_methods {
  std::uint64_t version = 3;
  void* (*rdb_load)(rdb_stream*, int) = nullptr;
  void (*rdb_save)(rdb_stream*, void*) = nullptr;
  void (*aof_rewrite)(rdb_stream*, text*, void*) = nullptr;
  std::size_t (*mem_usage)(const void*) = nullptr;
  void (*digest)(digest_stream*, void*) = nullptr;
  void (*free)(void*) = nullptr;
  int (*aux_load)(rdb_stream*, int, int) = nullptr;
  void (*aux_save)(rdb_stream*, int) = nullptr;
  int aux_save_triggers = 0;
  std::size_t (*free_effort)(text*, const void*) = nullptr;
  void (*unlink)(text*, const void*) = nullptr;
  void* (*copy)(text*, text*, const void*) = nullptr;
  int (*defrag)(defrag_context*, text*, void**) = nullptr;
};

// Which arguments of a command are keys, and what is done to them.
namespace key_flags {
inline constexpr std::uint64_t read_only = 1U << 0;
inline constexpr std::uint64_t read_write = 1U << 1;
inline constexpr std::uint64_t access = 1U << 4;
inline constexpr std::uint64_t update = 1U << 5;
inline constexpr std::uint64_t insert = 1U << 6;
inline constexpr std::uint64_t erase = 1U << 7;
inline constexpr std::uint64_t incomplete = 1U << 9;  ///< the command itself knows more
}  // namespace key_flags

enum class begin_search : std::uint32_t { none = 0, unknown = 1, index = 2, keyword = 3 };
enum class find_keys : std::uint32_t { none = 0, unknown = 1, range = 2, number = 3 };

struct key_specification {
  struct at_keyword {
    const char* keyword;
    int start_from;
  };
  const char* notes = nullptr;
  std::uint64_t flags = 0;
  begin_search begin = begin_search::none;
  union {
    int index;
    at_keyword keyword;
  } at = {0};
  find_keys find = find_keys::none;
  struct {
    int last_key;
    int step;
    int limit;
  } range = {0, 1, 0};
};

struct command_info_version {
  int version;
  std::size_t history_bytes;
  std::size_t key_specification_bytes;
  std::size_t argument_bytes;
};

enum class argument_type : int { string = 0, integer = 1, real = 2, key = 3, word = 6 };
namespace argument_flags {
inline constexpr int optional = 1 << 0;
inline constexpr int multiple = 1 << 1;
}  // namespace argument_flags

struct command_argument {
  const char* name = nullptr;
  argument_type type = argument_type::string;
  int key_specification = -1;
  const char* token = nullptr;
  const char* summary = nullptr;
  const char* since = nullptr;
  int flags = 0;
  const char* deprecated_since = nullptr;
  const command_argument* parts = nullptr;
  const char* shown = nullptr;
};

struct command_info {
  const command_info_version* version = nullptr;
  const char* summary = nullptr;
  const char* complexity = nullptr;
  const char* since = nullptr;
  const void* history = nullptr;
  const char* tips = nullptr;
  int arity = 0;
  const key_specification* keys = nullptr;
  const command_argument* arguments = nullptr;
};

// X(the server's name, ours, type)
#define SLUICE_REDIS_FUNCTIONS(X)                                                                            \
  X(SetModuleAttribs, set_module_attributes, void(context*, const char*, int, int))                          \
  X(IsModuleNameBusy, is_module_name_busy, int(const char*))                                                 \
  X(CreateCommand, create_command, int(context*, const char*, command_function, const char*, int, int, int)) \
  X(GetCommand, get_command, command_handle*(context*, const char*))                                         \
  X(SetCommandInfo, set_command_info, int(command_handle*, const command_info*))                             \
  X(CreateDataType, create_data_type, value_type*(context*, const char*, int, type_methods*))                \
  X(SetModuleOptions, set_module_options, void(context*, int))                                               \
  X(TryAlloc, try_alloc, void*(std::size_t))                                                                 \
  X(Free, free_memory, void(void*))                                                                          \
  X(MallocSize, size_of_memory, std::size_t(void*))                                                          \
  X(OpenKey, open_key, key_handle*(context*, text*, int))                                                    \
  X(CloseKey, close_key, void(key_handle*))                                                                  \
  X(KeyType, key_type, int(key_handle*))                                                                     \
  X(ModuleTypeGetType, type_of_value, value_type*(key_handle*))                                              \
  X(ModuleTypeGetValue, get_value, void*(key_handle*))                                                       \
  X(ModuleTypeSetValue, set_value, int(key_handle*, value_type*, void*))                                     \
  X(ReplyWithError, reply_error, int(context*, const char*))                                                 \
  X(ReplyWithLongLong, reply_integer, int(context*, long long))                                              \
  X(ReplyWithSimpleString, reply_word, int(context*, const char*))                                           \
  X(ReplyWithStringBuffer, reply_bytes, int(context*, const char*, std::size_t))                             \
  X(ReplyWithArray, reply_array, int(context*, long))                                                        \
  X(ReplyWithMap, reply_map, int(context*, long))                                                            \
  X(ReplyWithNull, reply_null, int(context*))                                                                \
  X(ReplyWithBool, reply_bool, int(context*, int))                                                           \
  X(ReplyWithDouble, reply_double, int(context*, double))                                                    \
  X(ReplySetArrayLength, set_array_length, void(context*, long))                                             \
  X(WrongArity, reply_wrong_arity, int(context*))                                                            \
  X(StringPtrLen, bytes_of, const char*(const text*, std::size_t*))                                          \
  X(StringToLongLong, to_integer, int(const text*, long long*))                                              \
  X(StringToULongLong, to_unsigned, int(const text*, unsigned long long*))                                   \
  X(StringToDouble, to_double, int(const text*, double*))                                                    \
  X(CreateString, create_string, text*(context*, const char*, std::size_t))                                  \
  X(CreateStringFromString, copy_string, text*(context*, const text*))                                       \
  X(FreeString, free_string, void(context*, text*))                                                          \
  X(RetainString, retain_string, void(context*, text*))                                                      \
  X(RegisterStringConfig, register_string_config,                                                            \
    int(context*, const char*, const char*, unsigned int, config_getter, config_setter,                      \
        int (*)(context*, void*, text**), void*))                                                            \
  X(LoadConfigs, load_configs, int(context*))                                                                \
  X(GetContextFlags, get_context_flags, int(context*))                                                       \
  X(IsKeysPositionRequest, is_asked_for_keys, int(context*))                                                 \
  X(KeyAtPosWithFlags, key_is_at, void(context*, int, int))                                                  \
  X(GetContextFromIO, context_of_stream, context*(rdb_stream*))                                              \
  X(Replicate, replicate, int(context*, const char*, const char*, ...))                                      \
  X(ReplicateVerbatim, replicate_verbatim, int(context*))                                                    \
  X(NotifyKeyspaceEvent, notify, int(context*, int, const char*, text*))                                     \
  X(SaveUnsigned, save_unsigned, void(rdb_stream*, std::uint64_t))                                           \
  X(LoadUnsigned, load_unsigned, std::uint64_t(rdb_stream*))                                                 \
  X(SaveStringBuffer, save_bytes, void(rdb_stream*, const char*, std::size_t))                               \
  X(LoadStringBuffer, load_bytes, char*(rdb_stream*, std::size_t*))                                          \
  X(IsIOError, has_failed, int(rdb_stream*))                                                                 \
  X(LogIOError, log_stream, void(rdb_stream*, const char*, const char*, ...))                                \
  X(Log, log, void(context*, const char*, const char*, ...))                                                 \
  X(EmitAOF, emit_aof, void(rdb_stream*, const char*, const char*, ...))                                     \
  X(DigestAddStringBuffer, digest_bytes, void(digest_stream*, const char*, std::size_t))                     \
  X(DigestEndSequence, digest_end, void(digest_stream*))                                                     \
  X(RegisterInfoFunc, register_info, int(context*, info_function))                                           \
  X(InfoAddSection, info_section, int(info_stream*, const char*))                                            \
  X(InfoAddFieldULongLong, info_number, int(info_stream*, const char*, unsigned long long))                  \
  X(GetServerInfo, get_server_info, server_info*(context*, const char*))                                     \
  X(FreeServerInfo, free_server_info, void(context*, server_info*))                                          \
  X(ServerInfoGetFieldUnsigned, server_info_number, unsigned long long(server_info*, const char*, int*))     \
  X(ServerInfoGetFieldC, server_info_word, const char*(server_info*, const char*))                           \
  X(Call, call_command, call_reply*(context*, const char*, const char*, ...))                                \
  X(FreeCallReply, free_call_reply, void(call_reply*))                                                       \
  X(BlockClient, block_client,                                                                               \
    blocked_client*(context*, command_function, command_function, void (*)(context*, void*), long long))     \
  X(UnblockClient, unblock_client, int(blocked_client*, void*))                                              \
  X(AbortBlock, abort_block, int(blocked_client*))                                                           \
  X(GetBlockedClientPrivateData, blocked_data, void*(context*))                                              \
  X(GetThreadSafeContext, make_context, context*(blocked_client*))                                           \
  X(FreeThreadSafeContext, free_context, void(context*))                                                     \
  X(AvoidReplicaTraffic, must_not_replicate, int())                                                          \
  X(ThreadSafeContextLock, lock_context, void(context*))                                                     \
  X(ThreadSafeContextUnlock, unlock_context, void(context*))

// Only newer servers have these: null elsewhere.
#define SLUICE_REDIS_NEWER_FUNCTIONS(X)                                                 \
  X(SetCommandACLCategories, set_command_categories, int(command_handle*, const char*)) \
  X(AddACLCategory, add_category, int(context*, const char*))                           \
  X(DefragAlloc, move_memory, void*(defrag_context*, void*))

#define SLUICE_REDIS_DECLARE(theirs, ours, type) inline std::add_pointer_t<type> ours = nullptr;
SLUICE_REDIS_FUNCTIONS(SLUICE_REDIS_DECLARE)
SLUICE_REDIS_NEWER_FUNCTIONS(SLUICE_REDIS_DECLARE)
#undef SLUICE_REDIS_DECLARE

/// Asks the server for every function. The first word of a context is the function that knows them. Returns the name of
/// the first that a server lacks which every server we can run in has; null if all are there.
[[nodiscard]] inline const char* bind(context* ctx) {
  using ask_function = int (*)(const char*, void*);
  const auto ask = *reinterpret_cast<ask_function*>(ctx);
#define SLUICE_REDIS_BIND(theirs, ours, type) \
  if (ask("RedisModule_" #theirs, &(ours)) != ok) return #theirs;
#define SLUICE_REDIS_TRY(theirs, ours, type) \
  if (ask("RedisModule_" #theirs, &(ours)) != ok) (ours) = nullptr;
  SLUICE_REDIS_FUNCTIONS(SLUICE_REDIS_BIND)
  SLUICE_REDIS_NEWER_FUNCTIONS(SLUICE_REDIS_TRY)
#undef SLUICE_REDIS_BIND
#undef SLUICE_REDIS_TRY
  return nullptr;
}

}  // namespace sluice::redis
