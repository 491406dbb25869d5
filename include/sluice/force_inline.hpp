// force_inline: lambdas that unroll a loop or carry a compile-time number are worth nothing unless they are inlined, and compilers
// count their many instantiations as large. C++20 has no place for an attribute on a lambda's call operator but this one:
//   [&](auto step) SLUICE_FORCE_INLINE { ... }
#pragma once

#define SLUICE_FORCE_INLINE __attribute__((always_inline))
