// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Compressed bytes, and what they are: the first bytes of a file say which format it has. zstd, gzip, xz, bzip2 and lz4
// are unpacked; other compressed files and archives are known by name, so that they are not taken for keys.
//
// Memory: no window is larger than 128 MiB, whatever the packed bytes ask for. Files that are put one after the other
// are read as one.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace sluice_keys {

/// Unpacks what it is given, as far as there is room.
class unpacker {
public:
  struct step {
    std::size_t used;
    std::size_t made;
    bool ended;  ///< a frame: packed bytes may end here
  };
  unpacker() = default;
  unpacker(const unpacker&) = delete;
  unpacker& operator=(const unpacker&) = delete;
  unpacker(unpacker&&) = delete;
  unpacker& operator=(unpacker&&) = delete;
  virtual ~unpacker() = default;
  /// Precondition: there is something to unpack, and room. Throws a C string with the reason.
  [[nodiscard]] virtual step run(const char* in, std::size_t size, char* out, std::size_t room) = 0;
};

/// A format by what its files begin with.
struct packing {
  const char* name;  ///< for sentences: what such a file is
  std::string_view magic;
  std::string_view mask;                  ///< bits of the magic that count, byte by byte; empty: all
  std::unique_ptr<unpacker> (*unpack)();  ///< null: known, and not read
};

struct recognition {
  const packing* what = nullptr;  ///< null: none
  bool undecided = false;         ///< more bytes would tell
};

/// What do these first bytes of a file begin?
[[nodiscard]] recognition recognise(std::string_view first);

/// An archive of many files, which is recognised only in its first 512 bytes. `at` is where the bytes begin.
[[nodiscard]] bool has_tar_header(std::string_view bytes, std::size_t at);

}  // namespace sluice_keys
