// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// detail/api: SLUICE_API marks what the shared library exports: the classes and functions of the face that are compiled
// in src/.
#pragma once

#define SLUICE_API __attribute__((visibility("default")))
