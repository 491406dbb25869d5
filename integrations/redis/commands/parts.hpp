// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// commands/parts: parts of a filter that is spread over several keys, for clients that know which key belongs where.
//
//   BF.RESERVEPART key header              an empty part, as the header (part_header.hpp) says
//   BF.DIGESTADD key identity digests      how many of the keys were new
//   BF.DIGESTEXISTS key identity digests   a bit for each: bit i mod 8 of byte i / 8
//
// Digests are 8 bytes each, little-endian, in one string: a key takes 8 bytes on the wire, whatever it is, and the
// server hashes nothing. The identity is the filter's (identity_of): digests of another one would not be found again.
// Keys of a part that is not there are an error, never absent. Where one key of a command does not belong to the part,
// nothing is added.
//
// A command that writes is propagated even where it changed nothing, because its client may send WAIT. Valkey, and
// Redis from 2024 on, wait for what the connection itself propagated: another may have added the same keys a moment
// before, and a connection that propagated nothing would be told at once that all replicas have them.
#pragma once

#include <span>
#include <string_view>

#include "chain.hpp"

namespace sluice::redis {

/// Throws refusal if the filter is a part and one of the items does not belong to it, or if its keys are no bytes.
void require_here(const chain& c, std::span<const std::string_view> items);

}  // namespace sluice::redis
