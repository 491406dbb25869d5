// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// extend/replacement: a new content for a file, which is there as a whole or not at all. POSIX.
//
//   F             what readers see: the old content, and after commit() the new one
//   .F.partial    beside it: what is being written, and the lock of all who write F; shortened where F has a long name
//
// A writer makes .F.partial and locks it (flock); another one, who finds it there, waits for the lock. commit() writes
// everything through to the disk, renames .F.partial to F and writes the folder through. A writer that is killed leaves
// F as it was; its lock is gone with it, and the next writer removes what it left.
//
// Invariants: only the holder of the lock on the file that .F.partial names writes to it, moves it or removes it, and
// writes only to one that it has made: what a killed writer left may be another name of F (between link and unlink).
// Threads and processes may all be writers; readers take no lock.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "sluice/extend/descriptor.hpp"
#include "sluice/file.hpp"

namespace sluice::extend {

class replacement {
public:
  /// Takes the lock; calls on_wait once if another writer has it. Throws file_error with the file and the reason.
  explicit replacement(const std::string& path, const std::function<void()>& on_wait = {});
  replacement(const replacement&) = delete;
  replacement& operator=(const replacement&) = delete;
  replacement(replacement&&) = delete;
  replacement& operator=(replacement&&) = delete;
  /// Without commit() everything is as before.
  ~replacement();

  /// Where a new content of this file is written, which is no link: a name that all its writers find.
  [[nodiscard]] static std::string partial_of(const std::string& path);

  /// The file that a path names: a link stays a link, and what it names is replaced, or made. Throws file_error for
  /// what is no file.
  [[nodiscard]] static std::string target_of(const std::string& path);

  /// The file itself, where a link names it.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] const std::string& partial() const noexcept { return partial_; }

  /// So many bytes, all zero.
  void resize(std::uint64_t bytes);
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes);

  /// Puts the new content in its place. Throws file_error if that fails, or if there is a file that must not be
  /// replaced.
  void commit(existing how = existing::replace);
  /// Is the new content in its place?
  [[nodiscard]] bool committed() const noexcept { return !ours_; }

private:
  /// Opens .F.partial. False: errno says why not.
  [[nodiscard]] bool open(int how, mode_t mode = 0);

  /// Opens the .F.partial of another writer, which runs or does not. False: it is gone.
  [[nodiscard]] bool open_others();

  /// Does .F.partial still name the file that is ours?
  [[nodiscard]] bool is_named() const;

  /// As much of what the old file was as the system lets us: the owner, or at least the group. Another group than the
  /// old one gets no rights. A filter is no program: a right to run as the owner, who may be another one now, is not
  /// kept.
  void become_like(const struct stat& old) const;

  static constexpr int most_links = 40;             // as many as Linux follows
  static constexpr std::size_t longest_kept = 246;  // a name has 255 bytes at most, and 9 are added to it

  /// What stands for a name that is too long to be added to: its beginning, and a hash of the whole of it.
  [[nodiscard]] static std::string shorten(const std::string& name);

  /// False: errno says why not.
  [[nodiscard]] bool lock(const std::function<void()>& on_wait, bool& waited);

  [[noreturn]] void refuse_existing() const;

  void sync_folder() const;

  std::string path_;
  std::string partial_;
  descriptor file_;
  bool ours_ = false;
};

}  // namespace sluice::extend
