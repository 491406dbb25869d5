// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "turns.hpp"

#include <pthread.h>

#include <memory>
#include <new>

namespace sluice_python {

turns::registered* turns::first_ = nullptr;

turns::registered::registered(turns& t, bool writes) noexcept : turns_(t), writes_(writes), after_(first_) {
  if (after_ != nullptr) after_->before_ = this;
  first_ = this;
  ++count();
}

void turns::registered::leave() noexcept {
  (before_ != nullptr ? before_->after_ : first_) = after_;
  if (after_ != nullptr) after_->before_ = before_;
}

void turns::survive_forks() {
  static const int failed = pthread_atfork(&before_fork, &after_fork_in_parent, &after_fork_in_child);
  if (failed != 0) throw std::bad_alloc();
}

void turns::before_fork() noexcept {
  if (PyGILState_Check() == 0) return;
  for (registered* call = first_; call != nullptr; call = call->after_) {
    turns& t = call->turns_;
    if (!call->writes_ || t.taken_for_fork_) continue;
    t.mutex_.lock_shared();
    t.taken_for_fork_ = true;
  }
}

void turns::after_fork_in_parent() noexcept {
  if (PyGILState_Check() == 0) return;
  for (registered* call = first_; call != nullptr; call = call->after_) {
    turns& t = call->turns_;
    if (!t.taken_for_fork_) continue;
    t.taken_for_fork_ = false;
    t.mutex_.unlock_shared();
  }
}

void turns::after_fork_in_child() noexcept {
  if (PyGILState_Check() == 0) return;
  for (registered* call = first_; call != nullptr; call = call->after_) {
    turns& t = call->turns_;
    t.readers_ = t.writers_ = 0;
    t.taken_for_fork_ = false;
    std::construct_at(&t.mutex_);  // the old one is never destroyed: threads had it, or waited for it
  }
  const std::thread::id us = std::this_thread::get_id();
  for (registered* call = first_; call != nullptr; call = call->after_) {
    if (call->thread_ == us) {
      ++call->count();
    } else {
      call->leave();
    }
  }
}

}  // namespace sluice_python
