// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// bulk/level.inl: the table of the instruction set that this is read for (detail/target.hpp); what it is stands in
// level.hpp.
namespace sluice::detail::bulk::SLUICE_TARGET {

template <class Simd>
[[nodiscard]] level all() noexcept {
  return {.own = {kernels<Simd, std::byte>::set(), singles<Simd, std::byte>::set()},
          .shared = {kernels<Simd, shared_byte>::set(), singles<Simd, shared_byte>::set()},
          .ledgers = all_ledgers<Simd>(),
          .solver = sealed_system::solver()};
}

}  // namespace sluice::detail::bulk::SLUICE_TARGET
