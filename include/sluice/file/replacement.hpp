// file/replacement: a new content for a file, which is there as a whole or not at all. POSIX.
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

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "sluice/errors.hpp"
#include "sluice/file/checksum.hpp"
#include "sluice/file/descriptor.hpp"

namespace sluice::file {

/// What to do with a file that is there already.
enum class existing : std::uint8_t { replace, refuse };

class replacement {
public:
  /// Takes the lock; calls on_wait once if another writer has it. Throws file_error with the file and the reason.
  explicit replacement(const std::string& path, const std::function<void()>& on_wait = {}) : path_(target_of(path)) {
    partial_ = partial_of(path_);
    bool waited = false;
    for (;;) {
      // What replaces a private file is private from the beginning.
      struct stat old{};
      const mode_t mode = ::stat(path_.c_str(), &old) == 0 ? 0600 : 0666;
      if (mode == 0666 && errno == ENAMETOOLONG) fail(path_, "written", errno);  // now, not after all the work
      const bool is_new = open(O_RDWR | O_CREAT | O_EXCL, mode);
      if (!is_new && errno != EEXIST) fail(path_, "written", errno, partial_);
      if (!is_new && !open_others()) continue;
      if (!lock(on_wait, waited)) continue;
      if (!is_named()) continue;  // the other writer has put it in its place, or removed it
      if (is_new) break;
      // Nobody writes to it any more.
      if (::unlink(partial_.c_str()) != 0) fail(path_, "written", errno, partial_);
    }
    ours_ = true;
  }
  replacement(const replacement&) = delete;
  replacement& operator=(const replacement&) = delete;
  replacement(replacement&&) = delete;
  replacement& operator=(replacement&&) = delete;
  /// Without commit() everything is as before.
  ~replacement() {
    if (ours_ && is_named()) ::unlink(partial_.c_str());
  }

  /// Where a new content of this file is written, which is no link: a name that all its writers find.
  [[nodiscard]] static std::string partial_of(const std::string& path) {
    const std::filesystem::path file(path);
    const std::string name = file.filename().string();
    return (file.parent_path() / ("." + (name.size() > longest_kept ? shortened(name) : name) + ".partial")).string();
  }

  /// The file that a path names: a link stays a link, and what it names is replaced, or made. Throws file_error for
  /// what is no file.
  [[nodiscard]] static std::string target_of(const std::string& path) {
    std::error_code failed;
    const auto about = std::filesystem::status(path, failed);
    if (std::filesystem::exists(about) && !std::filesystem::is_regular_file(about)) {
      throw file_error(path + " cannot be written: it is " +
                       (std::filesystem::is_directory(about) ? "a folder" : "not a regular file"));
    }
    std::filesystem::path target(path);
    for (int links = 0; std::filesystem::is_symlink(std::filesystem::symlink_status(target, failed)); ++links) {
      if (links == most_links) fail(path, "written", ELOOP);
      target = target.parent_path() / std::filesystem::read_symlink(target, failed);  // absolute ones stay absolute
      if (failed) fail(path, "written", failed.value());
    }
    return target.string();
  }

  /// The file itself, where a link names it.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] const std::string& partial() const noexcept { return partial_; }

  /// So many bytes, all zero.
  void resize(std::uint64_t bytes) {
    if (::ftruncate(file_.get(), static_cast<off_t>(bytes)) != 0) fail(path_, "written", errno);
  }
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::pwrite(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) fail(path_, "written", written < 0 ? errno : EIO);
      offset += static_cast<std::uint64_t>(written);
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }

  /// Puts the new content in its place. Throws file_error if that fails, or if there is a file that must not be replaced.
  void commit(existing how = existing::replace) {
    struct stat old{};
    const bool replaces = ::stat(path_.c_str(), &old) == 0;
    if (replaces && how == existing::refuse) refuse_existing();
    if (::fsync(file_.get()) != 0) fail(path_, "written", errno);
    if (replaces) become_like(old);
    if (!is_named()) throw file_error(path_ + " cannot be written: somebody has removed " + partial_);
    // Unlike rename, link does not replace what somebody else has put there meanwhile; but there are file systems without it.
    if (how == existing::refuse && ::link(partial_.c_str(), path_.c_str()) == 0) {
      ::unlink(partial_.c_str());
    } else {
      if (how == existing::refuse && errno == EEXIST) refuse_existing();
      if (::rename(partial_.c_str(), path_.c_str()) != 0) fail(path_, "replaced", errno);
    }
    ours_ = false;
    sync_folder();
  }
  /// Is the new content in its place?
  [[nodiscard]] bool committed() const noexcept { return !ours_; }

private:
  /// Opens .F.partial. False: errno says why not.
  [[nodiscard]] bool open(int how, mode_t mode = 0) {
    file_ = descriptor();  // closed first, because that may change errno
    file_ = descriptor(::open(partial_.c_str(), how | O_CLOEXEC | O_NOFOLLOW, mode));
    return file_.get() >= 0;
  }

  /// Opens the .F.partial of another writer, which runs or does not. False: it is gone.
  [[nodiscard]] bool open_others() {
    // To lock it, reading may be enough: one that is ready has the rights of F.
    if (!open(O_RDWR | O_NONBLOCK) && (errno != EACCES || !open(O_RDONLY | O_NONBLOCK))) {
      if (errno == ENOENT) return false;
      fail(path_, "written", errno, partial_);
    }
    struct stat about{};
    if (::fstat(file_.get(), &about) != 0) fail(path_, "written", errno, partial_);
    if (!S_ISREG(about.st_mode)) throw file_error(partial_ + " is in the way: it is not a regular file");
    return true;
  }

  /// Does .F.partial still name the file that is ours?
  [[nodiscard]] bool is_named() const {
    struct stat ours{};
    struct stat named{};
    return ::fstat(file_.get(), &ours) == 0 && ::lstat(partial_.c_str(), &named) == 0 && named.st_ino == ours.st_ino &&
           named.st_dev == ours.st_dev;
  }

  /// As much of what the old file was as the system lets us: the owner, or at least the group. Another group than the
  /// old one gets no rights. A filter is no program: a right to run as the owner, whoever that is now, is not kept.
  void become_like(const struct stat& old) const {
    const bool same_group = ::fchown(file_.get(), old.st_uid, old.st_gid) == 0 ||
                            ::fchown(file_.get(), static_cast<uid_t>(-1), old.st_gid) == 0;
    static_cast<void>(::fchmod(file_.get(), old.st_mode & (same_group ? 0777U : 0707U)) == 0);
  }

  static constexpr int most_links = 40;             // as many as Linux follows
  static constexpr std::size_t longest_kept = 246;  // a name has 255 bytes at most, and 9 are added to it

  /// What stands for a name that is too long to be added to: its beginning, and a hash of the whole of it.
  [[nodiscard]] static std::string shortened(const std::string& name) {
    std::size_t kept = 200;
    // Some file systems demand UTF-8: no character is cut in two.
    for (int i = 0; i < 3 && (static_cast<unsigned char>(name[kept]) & 0xc0U) == 0x80U; ++i) --kept;
    std::string digits;
    for (std::uint64_t sum = checksum(std::as_bytes(std::span(name))); digits.size() < 16; sum >>= 4) {
      digits.insert(digits.begin(), "0123456789abcdef"[sum & 15U]);
    }
    return name.substr(0, kept) + "." + digits;
  }

  /// False: interrupted, try again.
  [[nodiscard]] bool lock(const std::function<void()>& on_wait, bool& waited) {
    if (::flock(file_.get(), LOCK_EX | LOCK_NB) == 0) return true;
    if (errno == EWOULDBLOCK) {
      if (!waited && on_wait) on_wait();
      waited = true;
      if (::flock(file_.get(), LOCK_EX) == 0) return true;
    }
    if (errno != EINTR) fail(path_, "locked", errno);
    return false;
  }

  [[noreturn]] void refuse_existing() const { throw file_error(path_ + " is there already, and would be replaced"); }

  void sync_folder() const {
    const std::string folder = std::filesystem::path(path_).parent_path().string();
    const descriptor opened(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // Some file systems cannot write a folder through; the file itself is safe.
    if (opened.get() < 0 || ::fsync(opened.get()) == 0 || errno == EINVAL) return;
    throw file_error(path_ + " was written, but a loss of power may undo that: its folder cannot be written through: " +
                     std::generic_category().message(errno));
  }

  std::string path_;
  std::string partial_;
  descriptor file_;
  bool ours_ = false;
};

}  // namespace sluice::file
