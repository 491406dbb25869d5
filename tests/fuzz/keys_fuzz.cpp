// Untrusted files of keys, in every format: the first byte says which. Nothing but a sluice::error may come of them,
// and lines and strings must be what a plain reading gives.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "keys/key_input.hpp"
#include "sluice/errors.hpp"

namespace {

using sluice_keys::input_format;
using shape = input_format::shape;

/// The keys of text that ends with `end`s, by the plainest of means.
std::vector<std::string> plainly(std::string_view text, char end) {
  std::vector<std::string> keys;
  while (!text.empty()) {
    const std::size_t at = text.find(end);
    std::string_view key = text.substr(0, at);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
    if (end == '\n' && key.ends_with('\r')) key.remove_suffix(1);
    if (!key.empty()) keys.emplace_back(key);
  }
  return keys;
}

std::vector<std::string> read(const std::string& file, const input_format& format) {
  sluice_keys::key_input input({.files = {file}, .format = format});
  std::vector<std::string> keys;
  sluice_keys::key_batch batch;
  while (input.next(batch)) {
    if (!batch.records.empty() && batch.records.size() != batch.texts.size()) std::abort();
    for (const std::string_view key : batch.texts) keys.emplace_back(key);
  }
  return keys;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  static const int memory = ::memfd_create("keys", 0);
  if (::ftruncate(memory, 0) != 0) std::abort();
  if (::pwrite(memory, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) std::abort();
  const std::string file = "/proc/self/fd/" + std::to_string(memory);
  const input_format format{.what = static_cast<shape>(data[0] % 7), .column = "1", .records = (data[0] & 64U) != 0};
  const bool packed = text.starts_with("\x28\xb5\x2f\xfd") || text.starts_with("\x1f\x8b\x08");
  try {
    const auto keys = read(file, format);
    if (packed) return 0;
    if (format.what == shape::lines && keys != plainly(text, '\n')) std::abort();
    if (format.what == shape::nul && keys != plainly(text, '\0')) std::abort();
  } catch (const sluice::error&) {
    if (!packed && (format.what == shape::lines || format.what == shape::nul)) std::abort();
  }
  return 0;
}
