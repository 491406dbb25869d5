// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// client/spread_filter: one filter, spread over the nodes of a cluster.
//
//   NAME       a hash, the descriptor; its field `filter` is the header of part 0 (part_header.hpp), without keys: the
//              geometry, the seed, the rate and the number of parts. It is made with HSETNX: who makes it makes the
//              rest. Where the number of keys would stand is one that its maker drew, by which it knows its own
//   NAME{i}    part i: a range of whole pages of the filter's blocks (extend/part.hpp). The cluster hashes {i} alone,
//              so that equal parts of all filters lie in one slot, and BF.MERGE unites them
//
// A sealed filter comes as a whole (load()) and takes no more keys.
//
// Keys are hashed here, and go to the nodes as digests, a window of them at a time: sorted by part, some thousand in
// each command, all nodes at once.
//
// Invariants: a key that add() counted as acknowledged is in its part, and on as many replicas as the rule says; so are
// descriptor and parts that create() and load() counted. A part that is missing, of another filter or of another type
// is an error, never an absent key. Nothing that is there is overwritten, and nothing is removed that is no part of a
// filter.
// Cost: 8 bytes a key to the server and a bit back, and commands; memory for one window, 20 bytes a key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "client/cluster.hpp"
#include "part_header.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/extend/part.hpp"
#include "sluice/file.hpp"
#include "sluice/hash.hpp"

namespace sluice::extend {

class replacement;  // extend/replacement.hpp

}  // namespace sluice::extend

namespace sluice::redis {

/// Why a filter that gives keys back is not here.
inline constexpr const char* ledgers_stay_whole =
    "ledgers, which give keys back, are not spread over a cluster: keep one in one key (CF.RESERVE)";

/// Larger keys are a trouble when slots move.
inline constexpr std::uint64_t most_part_bytes = std::uint64_t{128} << 20;

/// How many parts a filter is cut into, if nobody says: 64, or what keeps them small, or what it has pages for. Throws
/// parameter_error for a filter that cannot be cut.
[[nodiscard]] std::uint32_t usual_parts(const parameters& whole);

/// Keys, or parts.
struct acknowledgement {
  std::uint64_t unacknowledged = 0;  ///< that fewer replicas have than wanted
  std::uint64_t replicated = 0;      ///< that were waited for, and that as many replicas have as wanted
};

struct added_keys {
  std::uint64_t fresh = 0;
  acknowledgement kept = {};
};

/// Of all parts together.
struct spread_statistics {
  std::uint64_t keys = 0;
  std::uint64_t bytes = 0;
  double fpr_now = 0;
  double fill = 0;
  struct node {
    endpoint at;
    std::uint32_t parts = 0;
    std::uint64_t bytes = 0;
    std::uint64_t keys = 0;
  };
  std::vector<node> nodes = {};
};

class spread_filter {
public:
  /// How far some work is: from 0 to 1.
  using teller = std::function<void(double)>;
  static constexpr std::size_t window_keys = std::size_t{1} << 19;

  /// Makes the descriptor and empty parts; `kept` counts those. Throws server_error where something of that name is
  /// there.
  [[nodiscard]] static spread_filter create(cluster& on, const std::string& name, const part_header& whole,
                                            const cluster::wait_rule& rule, acknowledgement& kept);
  /// Throws server_error where there is no filter of that name.
  [[nodiscard]] static spread_filter open(cluster& on, const std::string& name);
  /// A filter file, cut into parts. Throws as create, and file_error.
  [[nodiscard]] static spread_filter load(cluster& on, const std::string& name, const std::string& path,
                                          std::optional<std::uint32_t> parts, const cluster::wait_rule& rule,
                                          acknowledgement& kept, const teller& tell);
  /// The same of a filter that is at hand, and has such keys.
  struct keys_of_filter {
    key_kind kind;
    std::optional<key_origin> origin;  ///< none: it is not said
  };
  [[nodiscard]] static spread_filter load(cluster& on, const std::string& name, const stored_filter& whole,
                                          const keys_of_filter& keys, std::optional<std::uint32_t> parts,
                                          const cluster::wait_rule& rule, acknowledgement& kept, const teller& tell);

  /// Throws server_error where something of that name is there: asked before a long build, and once more by load().
  static void require_free(cluster& on, const std::string& name);

  [[nodiscard]] const part_header& header() const noexcept { return header_; }
  [[nodiscard]] const extend::page_cut& cut() const noexcept { return cut_; }
  [[nodiscard]] std::uint64_t seed() const { return extend::seed_of(header_.part.whole); }
  [[nodiscard]] std::string part_key(std::uint32_t part) const;

  /// Throws parameter_error, with what to do, for a filter that takes no keys; so does add().
  void require_takes_keys() const;
  [[nodiscard]] added_keys add(std::span<const digest> keys, const cluster::wait_rule& rule);
  /// 1 or 0 for each.
  void look_up(std::span<const digest> keys, std::span<std::uint8_t> answers);
  [[nodiscard]] spread_statistics stats();
  /// Into one file, which the caller commits. Throws server_error, file_error.
  void save(extend::replacement& into, const teller& tell);
  /// Removes parts and descriptor. Returns the keys that are no parts of a filter, and stay.
  [[nodiscard]] std::vector<std::string> drop();

private:
  spread_filter(cluster& on, std::string name, const part_header& header);

  /// Keys of one command: a part, and where they lie in the window.
  struct batch {
    std::uint32_t part;
    std::size_t first;
    std::size_t count;
  };
  void sort_window(std::span<const digest> keys);
  [[nodiscard]] std::vector<request> requests_for_window(std::string_view command) const;
  [[nodiscard]] request for_part(std::uint32_t part, std::initializer_list<std::string_view> words) const;
  [[noreturn]] void refuse(std::uint32_t part, const redisReply& said, const endpoint& node) const;
  /// What BF.SCANDUMP gave of a part, in which it begins at this place: 0 for the header, then 1 + the bytes before it.
  [[nodiscard]] std::span<const std::byte> piece_in(const redisReply& said, std::uint64_t place, std::uint32_t part,
                                                    const endpoint& node) const;
  [[nodiscard]] part_header header_in(const redisReply& said, std::uint32_t part, const endpoint& node) const;
  void require_nothing_there();
  void make_descriptor(const cluster::wait_rule& rule, acknowledgement& kept);
  void reserve_parts(const cluster::wait_rule& rule, acknowledgement& kept);
  void send_parts(const stored_filter& whole, const cluster::wait_rule& rule, acknowledgement& kept,
                  const teller& tell);
  /// All pieces of a part, in their order.
  void take_pieces(std::uint32_t part, const std::function<void(std::span<const std::byte>)>& take);
  [[nodiscard]] std::vector<std::vector<std::byte>> lists_of_parts();
  /// Of a filter that is not there yet. Throws parameter_error for one that cannot be.
  [[nodiscard]] static spread_filter prepare(cluster& on, const std::string& name, part_header whole);

  cluster* on_;
  std::string name_;
  part_header header_;
  extend::page_cut cut_;
  std::string identity_;
  std::vector<std::string> part_keys_;
  std::vector<std::uint16_t> slots_;
  // The window, used again and again.
  std::vector<std::uint32_t> part_of_;
  std::vector<std::size_t> ends_;
  std::vector<digest> sorted_;
  std::vector<std::uint32_t> places_;
  std::vector<batch> batches_;
};

}  // namespace sluice::redis
