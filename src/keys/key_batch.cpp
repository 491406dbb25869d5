#include "keys/key_batch.hpp"

#include <bit>

#include "sluice/detail/bulk/chunks.hpp"

namespace sluice_keys {
namespace {

template <class Number>
void append_little_endian(std::string& out, Number n) {
  if constexpr (std::endian::native == std::endian::little) {
    out.append(reinterpret_cast<const char*>(&n), sizeof n);
  } else {
    for (std::size_t i = 0; i < sizeof n; ++i) out.push_back(static_cast<char>(n >> (8 * i)));
  }
}

}  // namespace

void key_batch::make_digests(const sluice::hasher& hash, std::vector<sluice::digest>& out) const {
  out.resize(size());
  visit([&](const auto& keys) { sluice::bulk::hash_keys(hash, std::span(keys), out.data()); });
}

void key_batch::append_records(std::span<const std::uint8_t> answers, std::uint8_t wanted, std::string& out) const {
  auto without = wanted == 0 ? keyless.begin() : keyless.end();
  for (std::size_t i = 0; i < size(); ++i) {
    for (; without != keyless.end() && without->before == i; ++without) out += without->record;
    if (answers[i] != wanted) continue;
    if (!records.empty()) {
      out += records[i];
    } else if (kind == sluice::key_kind::u64) {
      append_little_endian(out, u64[i]);
    } else if (kind == sluice::key_kind::u32) {
      append_little_endian(out, u32[i]);
    } else {
      out += texts[i];
      out += '\n';
    }
  }
  for (; without != keyless.end(); ++without) out += without->record;
}

}  // namespace sluice_keys
