// detail/choices: the words in which parameters choose between ways of doing a thing. Their numbers stand in files
// (file/layout.hpp) and never change.
#pragma once

#include <cstdint>

namespace sluice {

/// How the positions of classic filters and choice groups are made.
enum class hash_form : std::uint8_t { independent, double_hashing };

/// What load() of a block counts.
enum class load_unit : std::uint8_t { set_bits, keys };

/// Where a key goes that no block takes.
enum class overflow_rule : std::uint8_t { exact_list, first_candidate, random_candidate };

/// What happens to a key for which an exact list of bounded size has no room: it is refused (full_error), or put into
/// one of its candidates all the same.
enum class full_list_rule : std::uint8_t { refuse, first_candidate, random_candidate };

/// Where the further blocks of a gated or Bloom-g key may lie: in the 4 KiB page of the first, or anywhere.
enum class second_block : std::uint8_t { page, table };

/// How the positions of blocked and Bloom-g keys are drawn. Lanes: one vector operation tests four bits; the false
/// positive rate is 5 to 8% above that of uniform positions for a blocked filter at its best k, and 13 to 26% for
/// Bloom-2, whose few bits per block fill quads unevenly. Uniform: independent positions over the whole block, as in
/// the papers. Blocks of other than 256 or 512 bits have no lanes, and are uniform whatever is asked for.
enum class position_rule : std::uint8_t { lanes, uniform };

}  // namespace sluice
