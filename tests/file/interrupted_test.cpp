// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// A system that interrupts calls (EINTR), writes less than it was given, or cannot lock. The linker puts functions of
// this file between the library and the system's (--wrap, tests/CMakeLists.txt).
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <system_error>

#include "frame/output.hpp"
#include "sluice/extend/descriptor.hpp"
#include "sluice/sluice.hpp"
#include "support/temporary_folder.hpp"

namespace {

/// What the next calls of a function come to.
struct trouble {
  int calls = 0;   ///< so many fail
  int reason = 0;  ///< with this errno
  int failed = 0;  ///< so many did
};
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): functions of C have nothing else
std::map<std::string, trouble> troubles;

bool fails(const char* function) {
  const auto found = troubles.find(function);
  if (found == troubles.end() || found->second.calls == 0) return false;
  --found->second.calls;
  ++found->second.failed;
  errno = found->second.reason;
  return true;
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the linker's names
extern "C" {
int __real_open(const char* path, int how, mode_t mode);
int __real_ftruncate(int file, off_t bytes);
int __real_fsync(int file);
int __real_flock(int file, int how);
ssize_t __real_pwrite(int file, const void* bytes, size_t count, off_t at);
ssize_t __real_write(int file, const void* bytes, size_t count);

int __wrap_open(const char* path, int how, mode_t mode) { return fails("open") ? -1 : __real_open(path, how, mode); }
int __wrap_ftruncate(int file, off_t bytes) { return fails("ftruncate") ? -1 : __real_ftruncate(file, bytes); }
int __wrap_fsync(int file) { return fails("fsync") ? -1 : __real_fsync(file); }
int __wrap_flock(int file, int how) { return fails("flock") ? -1 : __real_flock(file, how); }
ssize_t __wrap_pwrite(int file, const void* bytes, size_t count, off_t at) {
  return fails("pwrite") ? -1 : __real_pwrite(file, bytes, std::min<size_t>(count, 1000), at);
}
ssize_t __wrap_write(int file, const void* bytes, size_t count) {
  return fails("write") ? -1 : __real_write(file, bytes, std::min<size_t>(count, 1000));
}
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace {

using namespace sluice;  // NOLINT(google-build-using-namespace)
using folder = testing_support::temporary_folder;

filter filter_to_save() {
  filter f(blocked_parameters{.blocks = 100, .hashes = 3});
  for (std::uint64_t i = 0; i < 500; ++i) f.insert(i);
  return f;
}

TEST(interrupted, every_call_of_a_save_is_tried_again) {
  const folder here;
  const filter f = filter_to_save();
  for (const std::string function : {"open", "ftruncate", "fsync", "flock", "pwrite"}) {
    troubles = {{function, {.calls = 5, .reason = EINTR}}};
    EXPECT_NO_THROW(save(f, here / "f", {key_kind::u64})) << function;
    EXPECT_EQ(troubles[function].failed, 5) << function << " was not called";
    troubles = {};
    EXPECT_TRUE(load(here / "f") == f) << function;
    EXPECT_EQ(here.files(), 1U) << function;
  }
  troubles = {{"open", {.calls = 3, .reason = EINTR}}};
  EXPECT_NO_THROW(static_cast<void>(filter_file::map(here / "f")));
}

TEST(interrupted, where_nothing_can_be_locked_nothing_is_left) {
  const folder here;
  for (const int reason : {ENOLCK, EOPNOTSUPP}) {
    troubles = {{"flock", {.calls = 1, .reason = reason}}};
    try {
      save(filter_to_save(), here / "f", {key_kind::u64});
      ADD_FAILURE() << "saved without a lock";
    } catch (const file_error& e) {
      EXPECT_NE(std::string(e.what()).find("cannot be locked: " + std::generic_category().message(reason)),
                std::string::npos)
          << e.what();
    }
    EXPECT_EQ(here.files(), 0U);
  }
  // What is another writer's stays.
  std::ofstream(here / ".f.partial") << "half";
  troubles = {{"flock", {.calls = 1, .reason = ENOLCK}}};
  EXPECT_THROW(save(filter_to_save(), here / "f", {key_kind::u64}), file_error);
  EXPECT_EQ(here.files(), 1U);
  troubles = {};
}

TEST(interrupted, what_is_printed_is_printed_as_a_whole) {
  const folder here;
  const std::string text(10'000, 'x');
  ASSERT_EQ(std::fflush(stdout), 0);
  const extend::descriptor before(::dup(STDOUT_FILENO));
  {
    const extend::descriptor out(::open((here / "out").c_str(), O_WRONLY | O_CREAT, 0600));
    ASSERT_EQ(::dup2(out.get(), STDOUT_FILENO), STDOUT_FILENO);
  }
  troubles = {{"write", {.calls = 4, .reason = EINTR}}};
  std::string refused;
  sluice_cli::write_out(text);
  EXPECT_EQ(troubles["write"].failed, 4);
  troubles = {{"write", {.calls = 1, .reason = ENOSPC}}};
  try {
    sluice_cli::print("{}\n", 5);
  } catch (const error& e) {
    refused = e.what();
  }
  troubles = {};
  ASSERT_EQ(::dup2(before.get(), STDOUT_FILENO), STDOUT_FILENO);
  EXPECT_EQ(refused, "the output could not be written: " + std::generic_category().message(ENOSPC));
  std::ifstream in(here / "out");
  EXPECT_TRUE(std::string(std::istreambuf_iterator<char>(in), {}) == text);
}

}  // namespace
