// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Text keys: what it costs that they are hashed in the library.
#pragma once

namespace bench {

/// Digests, lookups and insertions of texts of several lengths, each beside the same with the hash inlined.
void texts(int repetitions);

}  // namespace bench
