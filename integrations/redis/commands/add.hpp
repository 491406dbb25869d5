// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// commands/add: items go into a key, which gets a filter if it has none: BF.ADD, BF.MADD and BF.INSERT.
#pragma once

#include <span>

#include "commands/creation.hpp"
#include "module_api.hpp"

namespace sluice::redis {

struct add_request {
  text* key;
  std::span<text* const> items;
  bool replies_array;
  bool has_options;  ///< words beside the key and its items
};

/// Replies for each item. `how` is what a new filter is to be. Throws before it replies.
void add_items(context* ctx, const add_request& q, creation how);

}  // namespace sluice::redis
