// bulk/kernels: lookups of a chunk of digests, for one backend (simd/).
//
//   blocked      one pass
//   gated        a first pass over the first blocks; the few keys behind a closed gate and a full trace are noted, without a branch,
//                and a second pass over their second blocks has a ring of its own
//
// The usual numbers of steps of a key (block/lanes.hpp) have loops of their own, unrolled; the number is looked at once a chunk.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sluice/block/lane_masks.hpp"
#include "sluice/bulk/prefetch_ring.hpp"
#include "sluice/force_inline.hpp"
#include "sluice/placement/groups.hpp"

namespace sluice::bulk {

/// What a lookup kernel is given.
struct lookup {
  block_groups groups;
  std::uint32_t hashes;
  std::uint32_t trace = 0;  ///< gated only, as the next
  std::uint32_t second_hashes = 0;
  void (*run)(const lookup& job) noexcept = nullptr;
  std::uint32_t block_bits = 0;
  const std::byte* blocks = nullptr;
  chunk keys{};
  std::uint8_t* answers = nullptr;  ///< one for each key of the chunk: 1 or 0
};

template <class Simd>
class kernels {
public:
  static void blocked(const lookup& job) noexcept {
    with_shape(job, [&](auto quads, auto hashes) { blocked_in<quads()>(job, hashes); });
  }
  static void gated(const lookup& job) noexcept {
    with_shape(job, [&](auto quads, auto hashes) { gated_in<quads()>(job, hashes); });
  }

private:
  template <std::uint32_t Quads>
  static constexpr std::uint64_t block_bytes = std::uint64_t{Quads} * lanes::quad_bytes;

  template <class Body>
  static void with_shape(const lookup& job, const Body& body) noexcept {
    if (job.block_bits == 512) {
      with_steps<4>(job.hashes, body);
    } else {
      with_steps<2>(job.hashes, body);
    }
  }
  /// From 9 to 24 positions: what filters of 14 to 38 bits a key have.
  template <std::uint32_t Quads, class Body>
  static void with_steps(std::uint32_t hashes, const Body& body) noexcept {
    constexpr std::integral_constant<std::uint32_t, Quads> quads;
    switch ((hashes + lanes::quad_lanes - 1) / lanes::quad_lanes) {
      case 3:
        return body(quads, lanes::stepped<3>{hashes});
      case 4:
        return body(quads, lanes::stepped<4>{hashes});
      case 5:
        return body(quads, lanes::stepped<5>{hashes});
      case 6:
        return body(quads, lanes::stepped<6>{hashes});
      default:
        return body(quads, hashes);
    }
  }

  template <std::uint32_t Quads, class Hashes>
  static void blocked_in(const lookup& job, Hashes hashes) noexcept {
    ring<false>(job.keys.count, job.keys.available, first_block_of<Quads>(job),
                [&](std::size_t i, const std::byte* block) SLUICE_FORCE_INLINE {
                  const lanes::masks<Simd, Quads, false> masks(job.keys.digests[i]);
                  job.answers[i] = masks.holds_first(block, hashes) ? 1 : 0;
                });
  }

  template <std::uint32_t Quads, class Hashes>
  static void gated_in(const lookup& job, Hashes hashes) noexcept {
    const std::uint32_t trace = job.trace;
    std::array<std::uint16_t, chunk_keys + 1> going_on;
    std::size_t count = 0;
    ring<false>(job.keys.count, job.keys.available, first_block_of<Quads>(job),
                [&](std::size_t i, const std::byte* block) SLUICE_FORCE_INLINE {
                  const lanes::masks<Simd, Quads, true> masks(job.keys.digests[i]);
                  const lanes::first_look look = masks.look(block, hashes, trace);
                  job.answers[i] = look.found() ? 1 : 0;
                  going_on[count] = static_cast<std::uint16_t>(i);
                  count += look.goes_on() ? 1U : 0U;
                });
    const auto second_block = [&](std::size_t n) SLUICE_FORCE_INLINE {
      const digest x = job.keys.digests[going_on[n]];
      return job.blocks + job.groups.second(x, job.groups.first(x)) * block_bytes<Quads>;
    };
    ring<false>(count, count, second_block, [&](std::size_t n, const std::byte* block) SLUICE_FORCE_INLINE {
      const lanes::masks<Simd, Quads, true> masks(job.keys.digests[going_on[n]]);
      job.answers[going_on[n]] = masks.holds(block, {.first = trace, .count = job.second_hashes}) ? 1 : 0;
    });
  }

  template <std::uint32_t Quads>
  [[nodiscard]] static auto first_block_of(const lookup& job) noexcept {
    return [blocks = job.blocks, groups = job.groups, digests = job.keys.digests](std::size_t i)
               SLUICE_FORCE_INLINE { return blocks + groups.first(digests[i]) * block_bytes<Quads>; };
  }
};

}  // namespace sluice::bulk
