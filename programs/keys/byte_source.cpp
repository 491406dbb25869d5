// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "keys/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "keys/unpacker.hpp"
#include "sluice/errors.hpp"

namespace sluice_keys {

namespace {

constexpr std::size_t input_bytes = std::size_t{1} << 17;

}  // namespace

byte_source::byte_source(const std::string& file, bool unpack)
    : name_(file == "-" ? "standard input" : file),
      looks_(unpack),
      descriptor_(file == "-" ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                              : sluice::extend::retried([&] { return ::open(file.c_str(), O_RDONLY | O_CLOEXEC); })) {
  struct stat about{};
  if (descriptor_.get() < 0 || ::fstat(descriptor_.get(), &about) != 0) fail(std::strerror(errno));
  if (S_ISDIR(about.st_mode)) fail("it is a folder");
  if (file == "-" && S_ISREG(about.st_mode)) {
    const off_t at = ::lseek(descriptor_.get(), 0, SEEK_CUR);
    if (at >= 0) position_ = static_cast<std::uint64_t>(at);
  }
  if (looks_) look_at_first_bytes();
  in_frame_ = unpacker_ != nullptr;
}

void byte_source::look_at_first_bytes() {
  for (;;) {
    const recognition known = recognise(input_);
    if (known.what != nullptr) {
      if (known.what->unpack == nullptr) refuse(known.what->name);
      unpacker_ = known.what->unpack();
      return;
    }
    char next = 0;  // byte by byte: another one may be the last for now
    if (!known.undecided || read_raw(&next, 1) == 0) return;
    input_.push_back(next);
  }
}

void byte_source::refuse(const char* what) const {
  throw sluice::error(
      fmt::format("{} is {}, which is not read; unpack it first (--no-unpack takes its bytes for keys)", name_, what));
}

byte_source::~byte_source() = default;

void byte_source::fail(const std::string& reason) const {
  if (consumed_ == 0) throw sluice::error(fmt::format("{} cannot be read: {}", name_, reason));
  const std::uint64_t used = consumed_ - (input_.size() - input_at_);
  throw sluice::error(
      fmt::format("{}: byte {}{}: {}", name_, used, is_packed() ? " of the compressed bytes" : "", reason));
}

std::size_t byte_source::read_raw(char* out, std::size_t room) {
  const ssize_t some = sluice::extend::retried([&] {
    return position_ ? ::pread(descriptor_.get(), out, room, static_cast<off_t>(*position_ + consumed_))
                     : ::read(descriptor_.get(), out, room);
  });
  if (some < 0) fail(std::strerror(errno));
  consumed_ += static_cast<std::uint64_t>(some);
  return static_cast<std::size_t>(some);
}

bool byte_source::refill() {
  input_.resize(input_bytes);
  input_at_ = 0;
  const std::size_t some = read_raw(input_.data(), input_.size());
  input_.resize(some);
  return some != 0;
}

std::size_t byte_source::read(char* out, std::size_t room) {
  const std::size_t some = unpacker_ == nullptr ? read_plain(out, room) : read_unpacked(out, room);
  if (looks_ && has_tar_header({out, some}, given_)) refuse("a tar archive");
  given_ += some;
  return some;
}

std::size_t byte_source::read_plain(char* out, std::size_t room) {
  if (input_at_ == input_.size()) return read_raw(out, room);
  const std::size_t some = std::min(room, input_.size() - input_at_);
  std::memcpy(out, input_.data() + input_at_, some);
  input_at_ += some;
  return some;
}

std::size_t byte_source::read_unpacked(char* out, std::size_t room) {
  for (;;) {
    if (input_at_ == input_.size() && !refill()) {
      if (in_frame_) fail("the compressed bytes end in the middle; the file was cut off");
      return 0;
    }
    try {
      const auto step = unpacker_->run(input_.data() + input_at_, input_.size() - input_at_, out, room);
      if (step.used == 0 && step.made == 0) throw "it does not go on";
      input_at_ += step.used;
      in_frame_ = !step.ended;
      if (step.made != 0) return step.made;
    } catch (const char* reason) {
      fail(fmt::format("it cannot be unpacked: {} (--no-unpack takes the bytes as they are)", reason));
    }
  }
}

file_size size_of(const std::string& file) {
  struct stat about{};
  const int failed = file == "-" ? ::fstat(STDIN_FILENO, &about) : ::stat(file.c_str(), &about);
  if (failed != 0 && file != "-") throw sluice::error(fmt::format("{} cannot be read: {}", file, std::strerror(errno)));
  if (failed != 0 || !S_ISREG(about.st_mode)) return {};
  const off_t at = file == "-" ? ::lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
  if (at < 0) return {};
  return {true, static_cast<std::uint64_t>(std::max<off_t>(0, about.st_size - at))};
}

}  // namespace sluice_keys
