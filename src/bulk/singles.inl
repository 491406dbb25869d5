// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// bulk/singles: the code, for one backend (simd/) and the instruction set of this reading (target.hpp). What it does is
// in singles.hpp.

namespace sluice::detail::bulk::SLUICE_TARGET {

template <class Simd, class Byte>
class singles {
public:
  [[nodiscard]] static constexpr single_set<Byte> set() noexcept {
    return {&look_up_blocked, &look_up_gated, &insert_blocked, &insert_gated};
  }

private:
  template <std::uint32_t Quads, bool Gated>
  using masks = lanes::SLUICE_TARGET::masks<Simd, Quads, Gated>;
  template <std::uint32_t Quads>
  static constexpr std::uint64_t block_bytes = std::uint64_t{Quads} * lanes::quad_bytes;

  struct usual_trace {
    explicit constexpr usual_trace(std::uint32_t /*trace*/) noexcept {}
    // NOLINTNEXTLINE(google-explicit-constructor): it is a number
    constexpr operator std::uint32_t() const noexcept { return lanes::quad_lanes; }
  };

  static look_up_one look_up_blocked(const lane_shape& shape) noexcept {
    return with_shape(shape,
                      [](auto quads, auto hashes) -> look_up_one { return &blocked<quads(), decltype(hashes)>; });
  }
  static look_up_one look_up_gated(const lane_shape& shape) noexcept {
    return with_shape(shape, [&](auto quads, auto hashes) -> look_up_one {
      // The usual trace, which takes no masks of its own, has code of its own.
      return shape.trace == lanes::quad_lanes ? &gated<quads(), decltype(hashes), usual_trace>
                                              : &gated<quads(), decltype(hashes), std::uint32_t>;
    });
  }
  static insert_one<Byte> insert_blocked(const lane_shape& shape) noexcept {
    return with_shape(shape, [](auto quads, auto hashes) -> insert_one<Byte> {
      return &kernels<Simd, Byte>::template insert_one_blocked<quads(), decltype(hashes)>;
    });
  }
  static insert_one<Byte> insert_gated(const lane_shape& shape) noexcept {
    return with_shape(shape, [](auto quads, auto hashes) -> insert_one<Byte> {
      return &kernels<Simd, Byte>::template insert_one_gated<quads(), decltype(hashes)>;
    });
  }

  template <std::uint32_t Quads, class Hashes>
  static bool blocked(const void* filter, digest x) noexcept {
    const auto& f = *static_cast<const lane_filter<Byte>*>(filter);
    const Byte* const block = f.blocks + f.shape.groups.first(x) * block_bytes<Quads>;
    return masks<Quads, false>(x).holds_early(block, Hashes{f.shape.hashes});
  }

  template <std::uint32_t Quads, class Hashes, class Trace>
  static bool gated(const void* filter, digest x) noexcept {
    const auto& f = *static_cast<const lane_filter<Byte>*>(filter);
    const Byte* const block = f.blocks + f.shape.groups.first(x) * block_bytes<Quads>;
    const masks<Quads, true> key(x);
    const auto in_second = [&](const auto& /*key*/) SLUICE_FORCE_INLINE {
      return kernels<Simd, Byte>::template is_spilled<Quads, Hashes>(f.shape, f.blocks, x);
    };
    return key.look_up(block, Hashes{f.shape.hashes}, Trace{f.shape.trace}, f.shape.static_gates, in_second).found;
  }
};

}  // namespace sluice::detail::bulk::SLUICE_TARGET
