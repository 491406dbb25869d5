// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "sluice/extend/replacement.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "file/checksum.hpp"
#include "sluice/errors.hpp"

namespace sluice::extend {

replacement::replacement(const std::string& path, const std::function<void()>& on_wait) : path_(target_of(path)) {
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
    if (!lock(on_wait, waited)) {
      const int reason = errno;
      if (is_new && is_named()) ::unlink(partial_.c_str());  // nobody can lock it
      fail(path_, "locked", reason);
    }
    if (!is_named()) continue;  // the other writer has put it in its place, or removed it
    if (is_new) break;
    // Nobody writes to it any more.
    if (::unlink(partial_.c_str()) != 0) fail(path_, "written", errno, partial_);
  }
  ours_ = true;
}

replacement::~replacement() {
  if (ours_ && is_named()) ::unlink(partial_.c_str());
}

std::string replacement::partial_of(const std::string& path) {
  const std::filesystem::path file(path);
  const std::string name = file.filename().string();
  return (file.parent_path() / ("." + (name.size() > longest_kept ? shorten(name) : name) + ".partial")).string();
}

std::string replacement::target_of(const std::string& path) {
  if (path.empty()) throw file_error("the name of the file to write is empty", error_code::bad_parameter);
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

void replacement::resize(std::uint64_t bytes) {
  if (retried([&] { return ::ftruncate(file_.get(), static_cast<off_t>(bytes)); }) != 0) fail(path_, "written", errno);
}

void replacement::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written =
        retried([&] { return ::pwrite(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset)); });
    if (written <= 0) fail(path_, "written", written < 0 ? errno : EIO);
    offset += static_cast<std::uint64_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void replacement::commit(existing how) {
  struct stat old{};
  const bool replaces = ::stat(path_.c_str(), &old) == 0;
  if (replaces && how == existing::refuse) refuse_existing();
  if (retried([&] { return ::fsync(file_.get()); }) != 0) fail(path_, "written", errno);
  if (replaces) become_like(old);
  if (!is_named()) throw file_error(path_ + " cannot be written: another program has removed " + partial_);
  // Unlike rename, link does not replace what another program has put there meanwhile; but there are file systems
  // without it.
  if (how == existing::refuse && ::link(partial_.c_str(), path_.c_str()) == 0) {
    ::unlink(partial_.c_str());
  } else {
    if (how == existing::refuse && errno == EEXIST) refuse_existing();
    if (::rename(partial_.c_str(), path_.c_str()) != 0) fail(path_, "replaced", errno);
  }
  ours_ = false;
  sync_folder();
}

bool replacement::open(int how, mode_t mode) {
  file_ = descriptor();  // closed first, because that may change errno
  file_ = descriptor(retried([&] { return ::open(partial_.c_str(), how | O_CLOEXEC | O_NOFOLLOW, mode); }));
  return file_.get() >= 0;
}

bool replacement::open_others() {
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

bool replacement::is_named() const {
  struct stat ours{};
  struct stat named{};
  return ::fstat(file_.get(), &ours) == 0 && ::lstat(partial_.c_str(), &named) == 0 && named.st_ino == ours.st_ino &&
         named.st_dev == ours.st_dev;
}

void replacement::become_like(const struct stat& old) const {
  const bool same_group = ::fchown(file_.get(), old.st_uid, old.st_gid) == 0 ||
                          ::fchown(file_.get(), static_cast<uid_t>(-1), old.st_gid) == 0;
  static_cast<void>(::fchmod(file_.get(), old.st_mode & (same_group ? 0777U : 0707U)) == 0);
}

std::string replacement::shorten(const std::string& name) {
  std::size_t kept = 200;
  // Some file systems demand UTF-8: no character is cut in two.
  for (int i = 0; i < 3 && (static_cast<unsigned char>(name[kept]) & 0xc0U) == 0x80U; ++i) --kept;
  std::string digits;
  for (std::uint64_t sum = detail::file::checksum(std::as_bytes(std::span(name))); digits.size() < 16; sum >>= 4) {
    digits.insert(digits.begin(), "0123456789abcdef"[sum & 15U]);
  }
  return name.substr(0, kept) + "." + digits;
}

bool replacement::lock(const std::function<void()>& on_wait, bool& waited) {
  const auto locked = [&](int how) { return retried([&] { return ::flock(file_.get(), how); }) == 0; };
  if (locked(LOCK_EX | LOCK_NB)) return true;
  if (errno != EWOULDBLOCK) return false;
  if (!waited && on_wait) on_wait();
  waited = true;
  return locked(LOCK_EX);
}

void replacement::refuse_existing() const {
  throw file_error(path_ + " is there already, and would be replaced", error_code::exists);
}

void replacement::sync_folder() const {
  const std::string folder = std::filesystem::path(path_).parent_path().string();
  const descriptor opened(
      retried([&] { return ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  // Some file systems cannot write a folder through; the file itself is safe.
  if (opened.get() < 0 || retried([&] { return ::fsync(opened.get()); }) == 0 || errno == EINVAL) return;
  throw file_error(path_ + " was written, but a loss of power may undo that: its folder cannot be written through: " +
                   std::generic_category().message(errno));
}

}  // namespace sluice::extend
