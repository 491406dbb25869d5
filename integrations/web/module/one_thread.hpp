// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// one_thread: included before everything else in the module, whose platform has no threads. Boost.Math guards one table
// by a mutex of its own, made of the platform's; this one has nothing to guard against.
#pragma once

#define BOOST_SMART_PTR_DETAIL_LIGHTWEIGHT_MUTEX_HPP_INCLUDED

namespace boost::detail {

class lightweight_mutex {
public:
  class scoped_lock {
  public:
    explicit scoped_lock(lightweight_mutex& /*unused*/) noexcept {}
  };
};

}  // namespace boost::detail
