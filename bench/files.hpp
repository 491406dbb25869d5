// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// How fast files of keys are read, and read and hashed: on one core, in megabytes a second.
#pragma once

namespace bench {

void files(int repetitions);

}  // namespace bench
