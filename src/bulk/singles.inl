// bulk/singles: the code, for one backend (simd/) and the instruction set of this reading (target.hpp). What it does is
// in singles.hpp.

namespace sluice::bulk::SLUICE_TARGET {

template <class Simd, class Byte>
class singles {
public:
  [[nodiscard]] static constexpr single_set set() noexcept { return {&choose_blocked, &choose_gated}; }

private:
  template <std::uint32_t Quads, bool Gated>
  using masks = lanes::SLUICE_TARGET::masks<Simd, Quads, Gated>;
  template <std::uint32_t Quads>
  static constexpr std::uint64_t block_bytes = std::uint64_t{Quads} * lanes::quad_bytes;

  static look_up_one choose_blocked(const lane_shape& shape) noexcept {
    return with_shape(shape,
                      [](auto quads, auto hashes) -> look_up_one { return &blocked<quads(), decltype(hashes)>; });
  }
  static look_up_one choose_gated(const lane_shape& shape) noexcept {
    return with_shape(shape, [](auto quads, auto hashes) -> look_up_one { return &gated<quads(), decltype(hashes)>; });
  }

  template <std::uint32_t Quads, class Hashes>
  static bool blocked(const void* filter, digest x) noexcept {
    const auto& f = *static_cast<const lane_filter<Byte>*>(filter);
    const Byte* const block = f.blocks + f.shape.groups.first(x) * block_bytes<Quads>;
    const auto key = masks<Quads, false>(x).first(Hashes{f.shape.hashes});
    // Most absent keys lack one of the first four.
    if constexpr (lanes::steps_known<Hashes>) {
      if (key.lacks_any_of(block, lanes::quad_lanes)) return false;
    }
    return Simd::none(key.missing(block));
  }

  template <std::uint32_t Quads, class Hashes>
  static bool gated(const void* filter, digest x) noexcept {
    const auto& f = *static_cast<const lane_filter<Byte>*>(filter);
    const std::uint64_t first = f.shape.groups.first(x);
    const Byte* const block = f.blocks + first * block_bytes<Quads>;
    const auto key = masks<Quads, true>(x).first(Hashes{f.shape.hashes});
    // The trace is the first of a key's positions: a block that lacks one of them has neither stored the key nor
    // spilled it. No more than the trace may be asked for: a spilled key leaves nothing else here.
    if (key.lacks_any_of(block, f.shape.trace)) return false;
    const lanes::first_look look = key.look(block, f.shape.trace);
    if (look.goes_on(f.shape.static_gates)) [[unlikely]]
      return second<Quads>(f, x, first);
    return look.found();
  }
  template <std::uint32_t Quads>
  [[gnu::noinline]] static bool second(const lane_filter<Byte>& f, digest x, std::uint64_t first) noexcept {
    const Byte* const block = f.blocks + f.shape.groups.second(x, first) * block_bytes<Quads>;
    if (f.shape.trace != lanes::quad_lanes) return holds_spilled<Quads>(f, x, block, f.shape.trace);
    return lanes::with_known_steps(f.shape.trace + f.shape.second_hashes,
                                   [&](auto end) { return holds_spilled<Quads>(f, x, block, end); });
  }
  /// `end` is the last position of a spilled key, and one, if its steps are known.
  template <std::uint32_t Quads, class End>
  static bool holds_spilled(const lane_filter<Byte>& f, digest x, const Byte* block, End end) noexcept {
    const masks<Quads, true> key(x);
    if constexpr (lanes::steps_known<End>) {
      return key.holds_after_first_step(block, end);
    } else {
      return key.holds(block, {.first = f.shape.trace, .count = f.shape.second_hashes});
    }
  }
};

}  // namespace sluice::bulk::SLUICE_TARGET
