// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// K-mers of sequences as keys: every stretch of K letters of every sequence of a FASTA or FASTQ file.
//
// The key is the text of the k-mer in upper case, and not a number of two bits a letter: so it has no limit of 32
// letters, and whoever has the text can ask, in any program. Stretches with other letters than ACGT are skipped and
// counted. Canonical: the key is the k-mer or its reverse complement, whichever comes first in the alphabet, because a
// strand is read from either end (extend/key_letters.hpp, which single keys share).
//
//   FASTA   a line that begins with > ends a sequence and names the next, which goes on over any number of lines
//   FASTQ   records of four lines: @ and a name, the sequence, +, as many qualities as letters
//
// Letters are handled as they come: a sequence may be longer than memory.
#pragma once

#include <memory>
#include <string>

#include "keys/key_reader.hpp"

namespace sluice_keys {

[[nodiscard]] std::unique_ptr<key_reader> open_kmers(const std::string& file, const input_format& format);

}  // namespace sluice_keys
