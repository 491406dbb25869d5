// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Nothing: what it includes, before its first line, is compiled for all tests (tests/CMakeLists.txt).
