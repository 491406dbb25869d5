// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// refusal: errors as the client gets them: exceptions that end a command, and the reply that becomes of them.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "module_api.hpp"
#include "room.hpp"

namespace sluice::redis {

/// A reply that is an error, with the sentence as the client gets it.
class refusal : public std::exception {
public:
  explicit refusal(std::string sentence) : sentence_(std::move(sentence)) {}
  [[nodiscard]] const char* what() const noexcept override { return sentence_.c_str(); }

private:
  std::string sentence_;
};
/// The number of arguments is wrong.
class wrong_arity : public std::exception {};

/// Replies with the sentence of the exception that is being handled.
inline int reply_failure(context* ctx) noexcept {
  try {
    throw;
  } catch (const wrong_arity&) {
    return reply_wrong_arity(ctx);
  } catch (const refusal& e) {
    return reply_error(ctx, e.what());
  } catch (const out_of_memory& e) {
    return reply_error(ctx, e.what());
  } catch (const std::bad_alloc&) {
    return reply_error(ctx, "ERR Insufficient memory");
  } catch (const std::exception& e) {
    try {
      return reply_error(ctx, (std::string("ERR ") + e.what()).c_str());
    } catch (...) {
      return reply_error(ctx, "ERR Insufficient memory");
    }
  } catch (...) {
    return reply_error(ctx, "ERR internal error");
  }
}

}  // namespace sluice::redis
