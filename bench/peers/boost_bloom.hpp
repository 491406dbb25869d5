// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Boost.Bloom: blocked filters whose shape the compiler knows, with Boost's own hash and mixing.
#pragma once

#include <boost/bloom/block.hpp>
#include <boost/bloom/fast_multiblock64.hpp>
#include <boost/bloom/filter.hpp>
#include <cstdint>
#include <string>

namespace peers {

template <class Subfilter, char Kind>
class boost_bloom {
public:
  boost_bloom(std::uint64_t keys, double bits) : filter_(static_cast<std::size_t>(bits * static_cast<double>(keys))) {}
  static std::string name() { return Kind == 'b' ? "Boost.Bloom block" : "Boost.Bloom fast_multiblock64"; }
  void insert(std::uint64_t key) { filter_.insert(key); }
  [[nodiscard]] bool may_contain(std::uint64_t key) const { return filter_.may_contain(key); }
  [[nodiscard]] std::uint64_t bytes() const { return filter_.capacity() / 8; }

private:
  boost::bloom::filter<std::uint64_t, 1, Subfilter> filter_;
};

template <std::uint32_t Hashes>
using boost_block = boost_bloom<boost::bloom::block<std::uint64_t[8], Hashes>, 'b'>;
template <std::uint32_t Hashes>
using boost_multiblock = boost_bloom<boost::bloom::fast_multiblock64<Hashes>, 'm'>;

}  // namespace peers
