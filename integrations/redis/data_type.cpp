// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "data_type.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>

#include "memory.hpp"
#include "sluice/errors.hpp"

namespace sluice::redis {

namespace {

std::array<value_type*, 2> chain_types = {};  // of each family

[[nodiscard]] value_type*& type_of(family of) noexcept { return chain_types[static_cast<std::size_t>(of)]; }

const char* as_text(std::span<const std::byte> bytes) noexcept { return reinterpret_cast<const char*>(bytes.data()); }

/// A string of a stream, freed with this.
class loaded_bytes {
public:
  explicit loaded_bytes(rdb_stream* in) : bytes_(load_bytes(in, &size_)) {
    if (bytes_ == nullptr || has_failed(in) != 0) fail();
  }
  loaded_bytes(const loaded_bytes&) = delete;
  loaded_bytes& operator=(const loaded_bytes&) = delete;
  loaded_bytes(loaded_bytes&&) = delete;
  loaded_bytes& operator=(loaded_bytes&&) = delete;
  ~loaded_bytes() { release(); }
  [[nodiscard]] std::span<const std::byte> get() const noexcept {
    return std::as_bytes(std::span<const char>(bytes_, size_));
  }

private:
  [[noreturn]] void fail() {
    release();
    throw file_error("the payload was cut off", error_code::damaged);
  }
  void release() noexcept {
    if (bytes_ != nullptr) free_memory(bytes_);
    bytes_ = nullptr;
  }
  std::size_t size_ = 0;
  char* bytes_;
};

std::unique_ptr<chain> chain_from_stream(rdb_stream* in, family of) {
  const loaded_bytes header(in);
  std::unique_ptr<chain> made = chain_from_header(header.get(), room(context_of_stream(in)), of);
  for (std::uint64_t at = 0; at < made->data_bytes();) {
    const loaded_bytes piece(in);
    const std::span<std::byte> to = made->data_to_write(at);
    if (piece.get().empty() || piece.get().size() > to.size()) {
      throw file_error("a piece of the data has another size than the filter", error_code::damaged);
    }
    std::copy(piece.get().begin(), piece.get().end(), to.begin());
    at += piece.get().size();
  }
  return made;
}

template <family Of>
void* load_chain(rdb_stream* in, int version) noexcept {
  if (version != type_version) {
    log_stream(in, "warning", "sluice: version %d of the encoding is not known; this module reads %d", version,
               type_version);
    return nullptr;
  }
  try {
    return chain_from_stream(in, Of).release();
  } catch (const std::exception& e) {
    log_stream(in, "warning", "sluice: a filter could not be loaded: %s", e.what());
    return nullptr;
  }
}

/// Nothing can be reported while a file is written, and without this filter it could not be read, or would lack it.
void give_up(rdb_stream* out, const std::exception& e) noexcept {
  log_stream(out, "warning", "sluice: a filter could not be written: %s", e.what());
  if ((get_context_flags(context_of_stream(out)) & context_flags::child) != 0) std::_Exit(1);
}

void save_chain(rdb_stream* out, void* value) noexcept {
  try {
    const chain& c = *static_cast<const chain*>(value);
    give_pieces(c, c.data_bytes(), [&](std::uint64_t /*number*/, std::span<const std::byte> piece) {
      save_bytes(out, as_text(piece), piece.size());
    });
  } catch (const std::exception& e) {
    give_up(out, e);
  }
}

void rewrite_chain(rdb_stream* out, text* key, void* value) noexcept {
  try {
    const chain& c = *static_cast<const chain*>(value);
    give_pieces(c, c.arrived(), [&](std::uint64_t number, std::span<const std::byte> piece) {
      emit_aof(out, loading_command(c.belongs_to()), "slb", key, static_cast<long long>(number), as_text(piece),
               piece.size());
    });
  } catch (const std::exception& e) {
    give_up(out, e);
  }
}

void digest_chain(digest_stream* out, void* value) noexcept {
  try {
    const chain& c = *static_cast<const chain*>(value);
    give_pieces(c, c.data_bytes(), [&](std::uint64_t /*number*/, std::span<const std::byte> piece) {
      digest_bytes(out, as_text(piece), piece.size());
    });
  } catch (const std::exception&) {
    digest_bytes(out, "", 0);
  }
  digest_end(out);
}

std::size_t measure_chain(const void* value) noexcept { return static_cast<const chain*>(value)->memory(); }

void free_chain(void* value) noexcept { delete static_cast<chain*>(value); }

/// From 64 on the server frees a value in the background, if it is asked to: from 64 KiB on, here.
std::size_t effort_to_free(text* /*key*/, const void* value) noexcept {
  return 1 + static_cast<const chain*>(value)->data_bytes() / 1024;
}

void* copy_chain(text* /*from*/, text* /*to*/, const void* value) noexcept {
  try {
    return std::make_unique<chain>(*static_cast<const chain*>(value)).release();
  } catch (const std::exception&) {
    return nullptr;
  }
}

/// The bytes of small filters: large ones have memory of their own, which has no holes. 0: all was done.
int move_chain(defrag_context* how, text* /*key*/, void** value) noexcept {
  static_cast<chain*>(*value)->move_bytes(
      [how](std::span<const std::byte> bytes) { return move_to_fewer_holes(how, bytes); });
  return 0;
}

[[nodiscard]] bool register_type(context* ctx, family of) {
  type_methods methods{.rdb_load = of == family::ledger ? load_chain<family::ledger> : load_chain<family::bloom>,
                       .rdb_save = save_chain,
                       .aof_rewrite = rewrite_chain,
                       .mem_usage = measure_chain,
                       .digest = digest_chain,
                       .free = free_chain,
                       .free_effort = effort_to_free,
                       .copy = copy_chain,
                       .defrag = move_chain};
  type_of(of) = create_data_type(ctx, type_name(of), type_version, &methods);
  return type_of(of) != nullptr;
}

}  // namespace

bool register_types(context* ctx) { return register_type(ctx, family::bloom) && register_type(ctx, family::ledger); }

open_chain::open_chain(context* ctx, text* name, int mode, family of) : key_(open_key(ctx, name, mode)) {
  if (key_ == nullptr || key_type(key_) == key_is_empty) return;
  const value_type* const type = key_type(key_) == key_is_a_modules ? type_of_value(key_) : nullptr;
  if (type == nullptr || type != type_of(of)) {
    holds_ = holding::something_else;
    other_family_ = type != nullptr && std::find(chain_types.begin(), chain_types.end(), type) != chain_types.end();
    return;
  }
  holds_ = holding::filter;
  value_ = static_cast<chain*>(get_value(key_));
}
open_chain::~open_chain() {
  if (key_ != nullptr) close_key(key_);
}
void open_chain::put(std::unique_ptr<chain> c) {
  value_ = c.release();
  set_value(key_, type_of(value_->belongs_to()), value_);
  holds_ = holding::filter;
}

}  // namespace sluice::redis
