// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "background.hpp"

#include <atomic>
#include <chrono>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "refusal.hpp"

namespace sluice::redis {

namespace {

constexpr int most_jobs = 4;
std::atomic<int> running_jobs = 0;

void run_job(blocked_client* client, context* ctx, const background_work& work) noexcept {
  constexpr auto time_for_others = std::chrono::milliseconds(1);
  step next;
  try {
    next = work(ctx);
  } catch (...) {
    reply_failure(ctx);
  }
  while (next) {
    lock_context(ctx);
    try {
      if (!next(ctx)) next = nullptr;
    } catch (...) {
      reply_failure(ctx);
      next = nullptr;
    }
    unlock_context(ctx);
    if (next) std::this_thread::sleep_for(time_for_others);
  }
  free_context(ctx);
  running_jobs.fetch_sub(1);  // before the client knows: it may ask for the next
  unblock_client(client, nullptr);
}

}  // namespace

bool may_block(context* ctx) noexcept { return (get_context_flags(ctx) & context_flags::denies_blocking) == 0; }

void in_background(context* ctx, background_work work) {
  if (!may_block(ctx)) {
    throw refusal("ERR this command works in the background and cannot run inside MULTI or a script");
  }
  if (running_jobs.fetch_add(1) >= most_jobs) {
    running_jobs.fetch_sub(1);
    throw refusal("ERR four commands are at work in the background already; try again when one is done");
  }
  blocked_client* const client = block_client(ctx, nullptr, nullptr, nullptr, 0);
  context* const its_context = make_context(client);  // here, while the client cannot go away
  try {
    std::thread([client, its_context, work = std::move(work)] { run_job(client, its_context, work); }).detach();
  } catch (const std::exception& e) {
    free_context(its_context);
    abort_block(client);
    running_jobs.fetch_sub(1);
    throw refusal(std::string("ERR no thread could be started: ") + e.what());
  }
}

}  // namespace sluice::redis
