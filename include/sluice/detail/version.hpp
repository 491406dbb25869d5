// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// version: of this library, the program and their files' writers. CMake reads it here.
#pragma once

#define SLUICE_VERSION "0.1.0"
