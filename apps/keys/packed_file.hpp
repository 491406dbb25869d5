// A file as a C stream, unpacked on the way if its first bytes say that it is zstd's.
#pragma once

#include <cstdio>
#include <string>

namespace sluice_keys {

class packed_file {
public:
  /// Throws sluice::error with the file and the reason.
  explicit packed_file(const std::string& file);
  packed_file(const packed_file&) = delete;
  packed_file& operator=(const packed_file&) = delete;
  packed_file(packed_file&&) = delete;
  packed_file& operator=(packed_file&&) = delete;
  ~packed_file();

  [[nodiscard]] std::FILE* get() const noexcept { return stream_; }
  /// Somebody else closes it now.
  void release() noexcept { stream_ = nullptr; }

private:
  std::FILE* stream_;
};

}  // namespace sluice_keys
