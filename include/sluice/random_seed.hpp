// random_seed: a seed of the hash that nobody can guess, from the operating system.
//
// Seed 0, the default everywhere, is known to everybody. Where keys come from untrusted parties, take this one: they
// cannot choose keys by it that are found, or that fill one block (docs/adversarial-keys.md). All parts that are to be
// merged need the same. A file has its seed in the clear: who may read the file knows it.
#pragma once

#include <sys/random.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>

#include "sluice/errors.hpp"

namespace sluice {
namespace detail {

/// fill(bytes, size) returns 0, or sets errno: getentropy, or what a test has in its place.
template <class Fill>
[[nodiscard]] std::uint64_t random_seed_by(const Fill& fill) {
  std::uint64_t seed = 0;
  while (seed == 0) {  // which is what a seed is that nobody has chosen
    if (fill(&seed, sizeof seed) != 0) {
      throw random_error("there is no random seed: the system gives no random bytes: " +
                         std::generic_category().message(errno));
    }
  }
  return seed;
}

}  // namespace detail

/// Never 0. Throws random_error if the system gives no random bytes.
[[nodiscard]] inline std::uint64_t random_seed() {
  return detail::random_seed_by([](void* bytes, std::size_t size) { return ::getentropy(bytes, size); });
}

}  // namespace sluice
