// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "encoding.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "memory.hpp"
#include "part_header.hpp"
#include "seeds.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/contents.hpp"
#include "sluice/extend/ledger_chain.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/extend/numbers.hpp"
#include "sluice/extend/single_header.hpp"

namespace sluice::redis {

namespace {

using magic_bytes = std::array<unsigned char, 8>;
constexpr magic_bytes bloom_magic = {0x89, 'S', 'L', 'B', 'F', '\r', '\n', 1};
constexpr magic_bytes ledger_magic = {0x89, 'S', 'L', 'C', 'F', '\r', '\n', 1};
[[nodiscard]] constexpr const magic_bytes& magic_of(family of) noexcept {
  return of == family::ledger ? ledger_magic : bloom_magic;
}
constexpr std::uint32_t kind_sluice = 1;
constexpr std::uint32_t kind_classic = 2;
constexpr std::uint32_t most_classic_hashes = 1100;  // of a rate near the smallest double

[[noreturn]] void refuse_header(const char* reason) {
  throw file_error(std::string("the header of a filter: ") + reason, error_code::damaged);
}
void require_in_header(bool holds, const char* reason) {
  if (!holds) refuse_header(reason);
}

class header_writer {
public:
  void number(std::uint64_t value, std::size_t width) { extend::put_number(bytes_, value, width); }
  void real(double value) { number(std::bit_cast<std::uint64_t>(value), 8); }
  void bytes(std::span<const std::byte> some) { bytes_.insert(bytes_.end(), some.begin(), some.end()); }
  [[nodiscard]] std::vector<std::byte> take() && { return std::move(bytes_); }

private:
  std::vector<std::byte> bytes_;
};

class header_reader {
public:
  explicit header_reader(std::span<const std::byte> bytes) : left_(bytes) {}
  [[nodiscard]] std::span<const std::byte> bytes(std::uint64_t count) {
    require_in_header(count <= left_.size(), "it was cut off");
    const auto some = left_.first(count);
    left_ = left_.subspan(count);
    return some;
  }
  [[nodiscard]] std::uint64_t number(std::size_t width) { return extend::number_at(bytes(width), 0, width); }
  [[nodiscard]] std::uint32_t small() { return static_cast<std::uint32_t>(number(4)); }
  [[nodiscard]] double real() { return std::bit_cast<double>(number(8)); }
  [[nodiscard]] bool ended() const noexcept { return left_.empty(); }

private:
  std::span<const std::byte> left_;
};

[[nodiscard]] bool is_rate(double rate) noexcept { return rate > 0 && rate < 1; }
[[nodiscard]] bool is_capacity(std::uint64_t keys) noexcept { return keys >= 1 && keys <= most_keys_of_link; }

/// Adds up what a chain will have, so that the sum is allowed before the first byte of it is allocated.
class sizes_so_far {
public:
  explicit sizes_so_far(const room& space) : space_(space) {}
  void add(std::uint64_t bytes) {
    require_in_header(bytes <= std::numeric_limits<std::uint64_t>::max() / 2 - sum_, "it is larger than any filter");
    sum_ += bytes;
    space_.require({.more = sum_, .whole = sum_});
  }

private:
  const room& space_;
  std::uint64_t sum_ = 0;
};

/// What is said of a link that was imported. Precondition: `bytes` are allowed.
chain_part classic_part(std::uint64_t bytes, classic_filter said) {
  require_in_header(bytes > 0 && said.range > 0 && (said.range - 1) / 8 < bytes, "a range beyond the bits");
  require_in_header(said.hashes >= 1 && said.hashes <= most_classic_hashes, "a number of hashes that none has");
  require_in_header(is_rate(said.error) && is_capacity(said.capacity), "a rate or capacity that none has");
  said.bits = std::pmr::vector<std::byte>(bytes, server_memory());
  return chain_part(std::make_unique<classic_filter>(std::move(said)));
}

/// What a ledger says of itself must be what items that came and went can have left.
void require_ledger(const extend::announced_filter& said) {
  const auto& p = std::get<ledger_parameters>(said.filter.params);
  require_in_header(said.filter.planned_keys <= extend::most_keys_of_ledger(p),
                    "a ledger that is planned for more keys than it takes");
  require_in_header(said.filter.keys <= said.filter.planned_keys, "a ledger with more keys than it is planned for");
  require_in_header(said.filter.overflowed.keys <= said.filter.keys, "a list with more keys than its ledger");
}

/// A key can be erased from such links without another one's being lost. Whole pages and powers of two stay so in all
/// links to come, whose blocks are powers of two of theirs.
void require_nested(const std::vector<chain_part>& links, std::uint32_t expansion) {
  constexpr std::uint64_t page_blocks = 8 * extend::page_bytes / extend::ledger_layout::block_bits;
  require_in_header(expansion != 0 || links.size() == 1, "several ledgers of a filter that does not grow");
  for (std::size_t i = 0; i < links.size(); ++i) {
    const parameters& p = links[i].ours()->params();
    const std::uint64_t blocks = std::get<ledger_parameters>(p).blocks;
    require_in_header(expansion == 0 || blocks % page_blocks == 0 || std::has_single_bit(blocks),
                      "a ledger that none can follow: it has neither whole pages nor a power of two of blocks");
    require_in_header(i == 0 || extend::are_nested(links[i - 1].ours()->params(), p),
                      "ledgers that are not nested: of one remainder, each of a whole multiple of the blocks before");
  }
}

/// `origin` is that of the links before; none: this is the first of ours.
chain_part sluice_part(header_reader& in, const shape& s, sizes_so_far& sizes,
                       std::optional<std::optional<key_origin>>& origin) {
  static const std::string name = "the header of a filter";
  extend::announced_filter said = extend::parse_single_header(name, in.bytes(in.small()));
  require_in_header(extend::seed_of(said.filter.params) == s.seed, "a link with another seed than the chain");
  require_in_header(is_capacity(said.filter.planned_keys) && is_rate(said.filter.planned_fpr), "a link without a plan");
  if (!origin) origin = said.origin;
  require_in_header(*origin == said.origin, "links whose keys were made in different ways");
  require_in_header(extend::erases_keys(said.filter.params) == (s.belongs_to() == family::ledger),
                    "a ledger among filters that keep a key once, or such a one among ledgers");
  if (s.belongs_to() == family::ledger) require_ledger(said);
  extend::take_list(name, said, in.bytes(in.number(8)));
  sizes.add(said.blocks_bytes);
  sizes.add(said.slots_bytes);
  return link_of(said.filter);
}

/// After the magic.
std::unique_ptr<chain> own_chain(header_reader in, const room& space, family of) {
  const bool ledgers = of == family::ledger;
  shape s{.error = in.real()};
  if (!ledgers) s.tightening = in.real();
  s.capacity = in.number(8);
  s.seed = in.number(8);
  s.expansion = in.small();
  if (!ledgers) s.block_bits = in.small();
  const std::uint32_t which = ledgers ? static_cast<std::uint32_t>(scheme::ledger) : in.small();
  const std::uint32_t count = in.small();
  const std::uint64_t arrived = in.number(8);
  const std::uint64_t erased = ledgers ? in.number(8) : 0;
  require_in_header(which <= extend::all_scheme_traits.size(), "a scheme that is not known");
  if (which != 0) s.which = static_cast<scheme>(which);
  require_in_header(s.belongs_to() == of, "a chain that grows by ledgers, and is none of ledgers");
  if (const char* const why = why_no_header(s, count)) refuse_header(why);
  sizes_so_far sizes(space);
  std::vector<chain_part> links;
  std::optional<std::optional<key_origin>> origin;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t kind = in.small();
    if (kind == kind_sluice) {
      links.push_back(sluice_part(in, s, sizes, origin));
    } else {
      require_in_header(kind == kind_classic && !ledgers, "a link of a kind that is not known");
      require_in_header(links.empty() || links.back().ours() == nullptr, "an imported link after one of ours");
      const std::uint64_t bytes = in.number(8);
      sizes.add(bytes);
      const std::uint64_t range = in.number(8);
      const std::uint32_t hashes = in.small();
      const std::uint64_t keys = in.number(8);
      const std::uint64_t capacity = in.number(8);
      links.push_back(classic_part(bytes, {.bits = std::pmr::vector<std::byte>(server_memory()),
                                           .range = range,
                                           .hashes = hashes,
                                           .keys = keys,
                                           .capacity = capacity,
                                           .error = in.real()}));
    }
  }
  require_in_header(in.ended(), "something follows it");
  if (ledgers) require_nested(links, s.expansion);
  auto made = std::make_unique<chain>(s, std::move(links));
  made->set_erased(erased);
  if (origin) made->set_origin(*origin);
  require_in_header(arrived <= made->data_bytes(), "more data has arrived than there is");
  made->set_arrived(arrived);
  return made;
}

std::unique_ptr<chain> part_chain(std::span<const std::byte> header, const room& space) {
  const part_header said = parse_part_header(header);
  const std::uint64_t listed = said.part.overflowed.slots.size();
  const std::uint64_t bytes = extend::page_cut(said.part.whole, said.part.parts).bytes_of(said.part.number) + listed;
  space.require({.more = bytes, .whole = bytes});
  const std::int64_t before = bytes_of_this_thread();
  auto part = std::make_unique<extend::filter_part>(said.part, server_memory());
  const std::int64_t heap = bytes_of_this_thread() - before - static_cast<std::int64_t>(listed);
  auto made = std::make_unique<chain>(std::move(part), said.kind, heap);
  made->set_origin(said.origin);
  made->set_arrived(said.arrived);
  return made;
}

constexpr std::uint32_t option_force_64 = 4;
constexpr std::uint32_t option_no_scaling = 8;
constexpr std::uint32_t all_options = 15;

/// RedisBloom's.
std::unique_ptr<chain> foreign_chain(header_reader in, const room& space) {
  const std::uint64_t size = in.number(8);
  const std::uint32_t count = in.small();
  const std::uint32_t options = in.small();
  const std::uint32_t growth = in.small();
  require_in_header((options & ~all_options) == 0, "options that are not known");
  require_in_header((options & option_force_64) != 0, "hashes of 32 bits are not read");
  require_in_header(count >= 1 && count <= most_links, "a number of links that none has");
  const bool grows = (options & option_no_scaling) == 0;
  require_in_header(growth <= most_expansion && (growth >= 1 || !grows), "a growth that none has");
  sizes_so_far sizes(space);
  std::vector<chain_part> links;
  std::uint64_t keys = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t bytes = in.number(8);
    const std::uint64_t bits = in.number(8);
    const std::uint64_t own_keys = in.number(8);
    const double error = in.real();
    const double bits_per_key = in.real();
    const std::uint32_t hashes = in.small();
    const std::uint64_t capacity = in.number(8);
    const auto power = static_cast<std::uint32_t>(in.number(1));
    require_in_header(bytes <= std::numeric_limits<std::uint64_t>::max() / 8 && bits == bytes * 8 && power <= 63,
                      "sizes that do not belong together");
    require_in_header(std::isfinite(bits_per_key), "bits a key that are no number");
    require_in_header(own_keys <= size, "more keys in a link than in all");
    keys += own_keys;
    sizes.add(bytes);
    links.push_back(classic_part(bytes, {.bits = std::pmr::vector<std::byte>(server_memory()),
                                         .range = power == 0 ? bits : std::uint64_t{1} << power,
                                         .hashes = hashes,
                                         .keys = own_keys,
                                         .capacity = capacity,
                                         .error = error}));
  }
  require_in_header(in.ended(), "something follows it");
  require_in_header(keys == size, "another number of keys than its links have");
  const chain_part& first = links.front();
  shape s{.error = std::min(first.rate() * (grows ? 2 : 1), 0.99),
          .capacity = first.capacity(),
          .seed = draw_seed(),
          .expansion = grows ? growth : 0};
  auto made = std::make_unique<chain>(s, std::move(links));
  made->set_arrived(0);
  return made;
}

}  // namespace

const char* why_no_header(const shape& s, std::size_t links) noexcept {
  if (!is_rate(s.error) || !is_rate(s.tightening)) return "a rate that is not between 0 and 1";
  if (!is_capacity(s.capacity) || s.expansion > most_expansion) return "a capacity or expansion that none has";
  if (s.block_bits < 64 || s.block_bits > 4096) return "blocks of a size that none has";
  const bool ledgers = s.belongs_to() == family::ledger;
  if (links < 1 || links > (ledgers ? most_ledgers : most_links)) return "a number of links that none has";
  if (ledgers && (s.expansion & (s.expansion - 1)) != 0) return "an expansion that is no power of two";
  return nullptr;
}

std::vector<std::byte> encoded_header(const chain& c) {
  if (c.part() != nullptr) {
    return encode(
        {.part = c.part()->description(), .kind = c.key_kinds(), .arrived = c.arrived(), .origin = c.origin()});
  }
  header_writer out;
  const shape& s = c.params();
  const bool ledgers = c.belongs_to() == family::ledger;
  out.bytes(std::as_bytes(std::span(magic_of(c.belongs_to()))));
  out.real(s.error);
  if (!ledgers) out.real(s.tightening);
  out.number(s.capacity, 8);
  out.number(s.seed, 8);
  out.number(s.expansion, 4);
  if (!ledgers) out.number(s.block_bits, 4);
  if (!ledgers) out.number(s.which ? static_cast<std::uint64_t>(*s.which) : 0, 4);
  out.number(c.links().size(), 4);
  out.number(c.arrived(), 8);
  if (ledgers) out.number(c.erased(), 8);
  for (const chain_part& l : c.links()) {
    if (const filter* const f = l.ours()) {
      const stored_filter stored{.params = f->params(),
                                 .blocks = f->bytes(),
                                 .overflowed = f->overflow(),
                                 .keys = f->keys_inserted(),
                                 .planned_keys = f->planned_keys(),
                                 .planned_fpr = f->planned_fpr()};
      const std::vector<std::byte> header = extend::single_header_of(stored, key_kind::bytes, c.origin());
      out.number(kind_sluice, 4);
      out.number(header.size(), 4);
      out.bytes(header);
      out.number(stored.overflowed.slots.size(), 8);
      out.bytes(stored.overflowed.slots);
    } else {
      const classic_filter& classic = l.imported();
      out.number(kind_classic, 4);
      out.number(classic.bits.size(), 8);
      out.number(classic.range, 8);
      out.number(classic.hashes, 4);
      out.number(classic.keys, 8);
      out.number(classic.capacity, 8);
      out.real(classic.error);
    }
  }
  return std::move(out).take();
}

std::unique_ptr<chain> chain_from_header(std::span<const std::byte> header, const room& space, family of) {
  if (of == family::bloom && is_part_header(header)) return part_chain(header, space);
  header_reader in(header);
  const auto magic = std::as_bytes(std::span(magic_of(of)));
  const std::size_t before_version = magic.size() - 1;
  if (header.size() < magic.size() ||
      !std::equal(magic.begin(), magic.begin() + static_cast<std::ptrdiff_t>(before_version), header.begin())) {
    if (of == family::ledger) refuse_header("it is none of ledgers");
    return foreign_chain(in, space);
  }
  if (header[before_version] != magic[before_version]) {
    throw file_error("the header of a filter: a version that is not known; a newer module may read it",
                     error_code::newer_version);
  }
  static_cast<void>(in.bytes(magic.size()));
  return own_chain(in, space, of);
}

}  // namespace sluice::redis
