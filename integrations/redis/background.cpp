#include "background.hpp"

#include <atomic>
#include <chrono>
#include <exception>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "commands/command.hpp"

namespace sluice::redis {

namespace {

constexpr int most_jobs = 4;
std::atomic<int> running_jobs = 0;

/// Replies with the sentence of whatever `act` throws.
void reply_failure_of(context* ctx, const std::function<void()>& act) noexcept {
  try {
    act();
  } catch (const refusal& e) {
    reply_error(ctx, e.what());
  } catch (const std::bad_alloc&) {
    reply_error(ctx, "ERR Insufficient memory");
  } catch (const std::exception& e) {
    try {
      reply_error(ctx, (std::string("ERR ") + e.what()).c_str());
    } catch (...) {
      reply_error(ctx, "ERR Insufficient memory");
    }
  }
}

void run_job(blocked_client* client, const std::function<step()>& work) noexcept {
  constexpr auto time_for_others = std::chrono::milliseconds(1);
  context* const ctx = make_context(client);
  step next;
  std::exception_ptr failure;
  try {
    next = work();
  } catch (...) {
    failure = std::current_exception();
  }
  for (bool more = true; more;) {
    lock_context(ctx);
    more = false;
    reply_failure_of(ctx, [&] {
      if (failure) std::rethrow_exception(failure);
      more = next(ctx);
    });
    unlock_context(ctx);
    if (more) std::this_thread::sleep_for(time_for_others);
  }
  free_context(ctx);
  running_jobs.fetch_sub(1);  // before the client knows: it may ask for the next
  unblock_client(client, nullptr);
}

}  // namespace

void in_background(context* ctx, std::function<step()> work) {
  if ((get_context_flags(ctx) & context_flags::denies_blocking) != 0) {
    throw refusal("ERR this command works in the background and cannot run inside MULTI or a script");
  }
  if (running_jobs.fetch_add(1) >= most_jobs) {
    running_jobs.fetch_sub(1);
    throw refusal("ERR four commands are at work in the background already; try again when one is done");
  }
  blocked_client* const client = block_client(ctx, nullptr, nullptr, nullptr, 0);
  try {
    std::thread([client, work = std::move(work)] { run_job(client, work); }).detach();
  } catch (const std::exception& e) {
    abort_block(client);
    running_jobs.fetch_sub(1);
    throw refusal(std::string("ERR no thread could be started: ") + e.what());
  }
}

}  // namespace sluice::redis
