// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "file/mapping.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>

#include "sluice/errors.hpp"
#include "sluice/extend/descriptor.hpp"

namespace sluice::detail::file {

mapping::mapping(const std::string& path) {
  // A pipe's writer is not waited for.
  const extend::descriptor file(
      extend::retried([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
  struct stat about{};
  if (file.get() < 0 || ::fstat(file.get(), &about) != 0) extend::fail(path, "read", errno);
  if (S_ISDIR(about.st_mode)) extend::fail(path, "read", EISDIR);
  if (!S_ISREG(about.st_mode)) throw file_error(path + " cannot be mapped into memory: it is not a regular file");
  if (about.st_size == 0) return;
  void* const at = ::mmap(nullptr, static_cast<std::size_t>(about.st_size), PROT_READ, MAP_SHARED, file.get(), 0);
  if (at == MAP_FAILED) extend::fail(path, "mapped into memory", errno);
  bytes_ = {static_cast<const std::byte*>(at), static_cast<std::size_t>(about.st_size)};
}

mapping::~mapping() {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): munmap takes no constant
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace sluice::detail::file
