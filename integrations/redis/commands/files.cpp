// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// BF.SAVEFILE key name [REPLACE] and BF.LOADFILE key name: filters as files of the command line (docs/format.md), in
// the folder that the module argument names; without it there are no files. Names are plain names: no /, nothing that
// begins with a dot, and links are not followed.
//
// A filter that does not grow is a file of one filter; one that grows is a chain, as `sluice build --grow` makes.
//
// Both work in the background. To save, the server copies the filter: those above max-work are refused, and those that
// do not fit into what is left of maxmemory. To load, the file and its filter are in memory at once, and both must fit
// into what is left of maxmemory. What was loaded goes to replicas and the AOF as BF.LOADCHUNKs of 4 MiB, between which
// other clients are served, and no faster than replicas take them; until the last one the filter is being loaded, here
// as there. A server that is no longer the primary of the key meanwhile goes no further.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <memory>
#include <system_error>

#include "background.hpp"
#include "commands/command.hpp"
#include "sluice/extend/contents.hpp"
#include "sluice/extend/descriptor.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/file.hpp"

namespace sluice::redis {

namespace {

[[nodiscard]] std::string path_of(const text* argument) {
  const std::string& folder = current_settings().folder;
  if (folder.empty()) throw refusal("ERR files are off: load the module with the argument folder");
  const std::string_view name = view_of(argument);
  if (name.empty() || name.front() == '.' || name.size() > 200 || name.find('/') != std::string_view::npos ||
      name.find('\0') != std::string_view::npos) {
    throw refusal("ERR the name of a file has no / and does not begin with a dot");
  }
  return folder + "/" + std::string(name);
}

[[noreturn]] void refuse_file(const std::string& path, int reason) {
  throw refusal("ERR " + path + ": " +
                (reason == ELOOP ? "links are not followed" : std::generic_category().message(reason)));
}

/// Memory that threads are going to take, as long as this lives: what is left of maxmemory does not know it yet.
class promised_memory {
public:
  /// Throws refusal where all that was promised together is more than `left`.
  promised_memory(std::uint64_t bytes, std::uint64_t left, const std::string& what) : bytes_(bytes) {
    const std::uint64_t before = all().fetch_add(bytes_);
    if (before <= left && bytes_ <= left - before) return;
    all().fetch_sub(bytes_);
    throw refusal("OOM " + what + " needs " + std::to_string(bytes_) + " bytes while it is loaded, and " +
                  std::to_string(left - std::min(left, before)) + " are left of maxmemory");
  }
  promised_memory(const promised_memory&) = delete;
  promised_memory& operator=(const promised_memory&) = delete;
  promised_memory(promised_memory&&) = delete;
  promised_memory& operator=(promised_memory&&) = delete;
  ~promised_memory() { all().fetch_sub(bytes_); }

private:
  [[nodiscard]] static std::atomic<std::uint64_t>& all() noexcept {
    static std::atomic<std::uint64_t> bytes = 0;
    return bytes;
  }
  std::uint64_t bytes_;
};

/// A file that is open, and its size.
struct opened_file {
  extend::descriptor in;
  std::uint64_t bytes;
};
[[nodiscard]] opened_file open_file(const std::string& path) {
  extend::descriptor in(
      extend::retried([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); }));
  struct stat about{};
  if (in.get() < 0 || ::fstat(in.get(), &about) != 0) refuse_file(path, errno);
  if (!S_ISREG(about.st_mode)) throw refusal("ERR " + path + " is not a regular file");
  return {std::move(in), static_cast<std::uint64_t>(about.st_size)};
}

/// All of it. It is read, not mapped: a file that is cut off while it is mapped would end the server.
[[nodiscard]] std::vector<std::byte> read_file(const opened_file& opened, const std::string& path) {
  std::vector<std::byte> bytes(opened.bytes);
  for (std::uint64_t done = 0; done < opened.bytes;) {
    const ssize_t some = extend::retried(
        [&] { return ::pread(opened.in.get(), bytes.data() + done, opened.bytes - done, static_cast<off_t>(done)); });
    if (some < 0) refuse_file(path, errno);
    if (some == 0) throw refusal("ERR " + path + " was cut off while it was read");
    done += static_cast<std::uint64_t>(some);
  }
  return bytes;
}

/// What a key with this file's filter is.
[[nodiscard]] shape shape_of(const file_contents& contents, double usual_rate) {
  const stored_filter& first = contents.filters.front();
  if (contents.grows) {
    const growth& how = *contents.grows;
    return {.error = how.fpr,
            .capacity = how.first_keys,
            .seed = how.seed,
            .expansion = how.factor,
            .block_bits = how.block_bits};
  }
  const double rate = first.planned_fpr > 0 && first.planned_fpr < 1 ? first.planned_fpr : usual_rate;
  return {.error = rate,
          .capacity = std::max<std::uint64_t>({1, first.planned_keys, first.keys}),
          .seed = extend::seed_of(first.params),
          .expansion = 0};
}

[[nodiscard]] std::unique_ptr<chain> chain_of_file(const std::string& path, const memory_limits& most,
                                                   double usual_rate) {
  const opened_file file = open_file(path);
  if (file.bytes > most.key) {
    throw refusal("ERR " + path + " has " + std::to_string(file.bytes) + " bytes; " + std::to_string(most.key) +
                  " are the most (maxmemory, or the module argument max-bytes)");
  }
  const promised_memory file_and_filter(2 * file.bytes, most.more, path);
  const std::vector<std::byte> bytes = read_file(file, path);
  const filter_file opened(bytes, path);
  if (opened.kind() != key_kind::bytes) {
    throw refusal("ERR " + path + " has keys of kind " + std::string(name_of(opened.kind())) +
                  "; items of the server are bytes");
  }
  opened.verify();
  const file_contents contents = opened.contents();
  const shape s = shape_of(contents, usual_rate);
  if (const char* const why = why_no_header(s, contents.filters.size())) {
    throw refusal("ERR " + path + " cannot be a key: " + why);
  }
  std::vector<chain_part> links;
  for (stored_filter stored : contents.filters) {
    if (extend::erases_keys(stored.params)) {
      throw refusal(
          "ERR " + path +
          " is a ledger, which keeps keys as often as they are added; BF.ADD does not, and no command makes a "
          "key of such a file");
    }
    if (stored.planned_keys == 0) stored.planned_keys = s.capacity;
    if (!(stored.planned_fpr > 0 && stored.planned_fpr < 1)) stored.planned_fpr = s.error;
    if (stored.planned_keys > most_keys_of_link) {
      throw refusal("ERR " + path + " cannot be a key: a filter for " + std::to_string(stored.planned_keys) + " keys");
    }
    links.push_back(link_of(stored));
  }
  auto made = std::make_unique<chain>(s, std::move(links));
  made->set_origin(contents.origin);
  return made;
}

/// Throws unless this server is still the one that writes the key: while a file is read, a primary can become a
/// replica, and a slot can move to another node.
void require_own_key(context* ctx, text* name) {
  if ((get_context_flags(ctx) & context_flags::primary) == 0) {
    throw refusal("READONLY the server became a replica while the filter was loaded; load it into the primary");
  }
  if ((get_context_flags(ctx) & context_flags::in_cluster) == 0) return;
  call_reply* const there = call_command(ctx, "EXISTS", "s", name);  // null where the server would send a client away
  if (there == nullptr) {
    throw refusal("ERR the slot of the key moved to another node while the filter was loaded; load it there");
  }
  free_call_reply(there);
}

/// So much waits for replicas that more would be in the way: they are slower than a file is read, and one that is too
/// far behind is dropped, and begins again.
[[nodiscard]] bool replicas_are_behind(context* ctx) {
  constexpr std::uint64_t most_waiting = std::uint64_t{32} << 20;
  server_info* const info = get_server_info(ctx, "memory");
  if (info == nullptr) return false;
  int missing = ok;
  const std::uint64_t waiting = server_info_number(info, "mem_not_counted_for_evict", &missing);
  free_server_info(ctx, info);
  return missing == ok && waiting > most_waiting;
}

/// A filter on its way from a file into a key.
class file_load {
public:
  file_load(std::string key, std::unique_ptr<chain> loaded)
      : name_(std::move(key)), loaded_(std::move(loaded)), id_(loaded_->id()) {}

  /// One piece, or none where the server is paused (CLIENT PAUSE, FAILOVER, SHUTDOWN) and must not write, or replicas
  /// are behind. False: all of it is there, and the client knows.
  bool go_on(context* ctx) {
    if (must_not_replicate() != 0 || replicas_are_behind(ctx)) return true;
    text* const name = create_string(ctx, name_.data(), name_.size());
    const std::unique_ptr<text, std::function<void(text*)>> owned(name, [ctx](text* t) { free_string(ctx, t); });
    require_own_key(ctx, name);
    open_chain key(ctx, name, open_to_read | open_to_write);
    if (loaded_ != nullptr) {
      begin(ctx, key, name);
      return true;
    }
    if (key.holds() != holding::filter || key.value()->id() != id_) {
      throw refusal("ERR the key was changed by others while the filter was loaded into it");
    }
    chain& c = *key.value();
    const std::uint64_t at = c.arrived();
    if (at != sent_) throw refusal("ERR chunks of others came while the filter was loaded into the key");
    const std::span<const std::byte> piece = c.data_at(at, piece_bytes);
    send(ctx, name, at + piece.size() + 1, piece);
    c.set_arrived(at + piece.size());
    sent_ = c.arrived();
    if (!c.complete()) return true;
    tell(ctx, "bloom.reserve", name);
    reply_word(ctx, "OK");
    return false;
  }

private:
  static constexpr std::uint64_t piece_bytes = std::uint64_t{4} << 20;

  void begin(context* ctx, open_chain& key, text* name) {
    if (key.holds() != holding::nothing) throw refusal(key.holds() == holding::filter ? item_exists : wrong_type);
    loaded_->set_arrived(0);
    const std::vector<std::byte> header = encoded_header(*loaded_);
    send(ctx, name, 1, header);
    key.put(std::move(loaded_));
  }
  static void send(context* ctx, text* name, std::uint64_t number, std::span<const std::byte> piece) {
    replicate(ctx, "BF.LOADCHUNK", "slb", name, static_cast<long long>(number),
              reinterpret_cast<const char*>(piece.data()), piece.size());
  }

  std::string name_;
  std::unique_ptr<chain> loaded_;  // none: it is in the key
  std::uint64_t id_;
  std::uint64_t sent_ = 0;
};

[[nodiscard]] file_contents contents_of_chain(const chain& c) {
  const shape& s = c.params();
  if (c.part() != nullptr)
    throw refusal("ERR a part of a filter is no file; `sluice redis save` puts all parts into one");
  file_contents contents{.kind = key_kind::bytes, .origin = c.origin()};
  for (const chain_part& l : c.links()) {
    if (l.ours() == nullptr) throw refusal("ERR a filter that was imported from RedisBloom has no form as a file");
    contents.filters.push_back(extend::contents_of(*l.ours(), {.kind = key_kind::bytes}).filters.front());
  }
  if (s.expansion == 0) return contents;
  contents.grows = growth{
      .fpr = s.error, .first_keys = s.capacity, .factor = s.expansion, .block_bits = s.block_bits, .seed = s.seed};
  try {
    extend::check(*contents.grows);
  } catch (const parameter_error& e) {
    throw refusal(std::string("ERR a filter that grows so has no form as a file: ") + e.what());
  }
  return contents;
}

}  // namespace

void save_file(context* ctx, text** arguments, int count) {
  require_arguments(count, 3, 4);
  const bool replaces = count == 4;
  if (replaces && !same_word(view_of(arguments[3]), "REPLACE")) throw refusal("Unknown argument received");
  const std::string path = path_of(arguments[2]);
  const open_chain key(ctx, arguments[1], open_to_read);
  const chain& c = require_complete(key);
  require_little_work(ctx, c.data_bytes(), "a copy");
  static_cast<void>(contents_of_chain(c));  // so that what cannot be saved is not copied
  room(ctx).require({.more = c.data_bytes()});
  const auto copy = std::make_shared<chain>(c);
  in_background(ctx, [copy, path, replaces](context* /*to*/) -> step {
    struct stat about{};
    if (::lstat(path.c_str(), &about) == 0 && !S_ISREG(about.st_mode)) refuse_file(path, ELOOP);
    extend::save(contents_of_chain(*copy), path, replaces ? existing::replace : existing::refuse);
    return [](context* to) {
      reply_word(to, "OK");
      return false;
    };
  });
}

void load_file(context* ctx, text** arguments, int count) {
  require_arguments(count, 3, 3);
  const std::string path = path_of(arguments[2]);
  const open_chain key(ctx, arguments[1], open_to_read);
  if (key.holds() == holding::something_else) throw refusal(wrong_type);
  if (key.holds() == holding::filter) throw refusal(item_exists);
  const std::string name(view_of(arguments[1]));
  const memory_limits most = room(ctx).limits();
  const double usual_rate = current_settings().error;
  in_background(ctx, [name, path, most, usual_rate](context* /*to*/) -> step {
    // Shared, because functions are copied.
    const auto load = std::make_shared<file_load>(name, chain_of_file(path, most, usual_rate));
    return [load](context* to) { return load->go_on(to); };
  });
}

}  // namespace sluice::redis
