// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Keys of a file, all of them, for tests of the readers.
#pragma once

#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "keys/key_input.hpp"
#include "sluice/errors.hpp"
#include "support/temporary_folder.hpp"

namespace testing_support {

using texts = std::vector<std::string>;

/// A file that is gone when the test ends.
class key_file {
public:
  explicit key_file(const std::string& content) : path_(folder_.write("keys", content)) {}
  [[nodiscard]] const std::string& path() const { return path_; }

private:
  temporary_folder folder_;
  std::string path_;
};

struct what_was_read {
  texts keys;
  texts records;
  std::vector<std::uint64_t> numbers;
  std::vector<std::uint32_t> values;
  std::string preface;
  std::string all_absent;  ///< what is printed if no key is in a filter
  sluice_keys::read_summary summary;
};

[[nodiscard]] inline what_was_read read(const std::string& path, const sluice_keys::input_format& format) {
  sluice_keys::key_input input({.files = {path}, .format = format});
  what_was_read all;
  sluice_keys::key_batch batch;
  while (input.next(batch)) {
    all.keys.insert(all.keys.end(), batch.texts.begin(), batch.texts.end());
    all.records.insert(all.records.end(), batch.records.begin(), batch.records.end());
    all.numbers.insert(all.numbers.end(), batch.u64.begin(), batch.u64.end());
    all.numbers.insert(all.numbers.end(), batch.u32.begin(), batch.u32.end());
    all.values.insert(all.values.end(), batch.values.begin(), batch.values.end());
    if (!batch.preface.empty()) all.preface = batch.preface;
    if (format.records) batch.append_records(std::vector<std::uint8_t>(batch.size(), 0), 0, all.all_absent);
  }
  all.summary = input.summary();
  return all;
}

[[nodiscard]] inline what_was_read read_text(const std::string& content, const sluice_keys::input_format& format) {
  const key_file file(content);
  return read(file.path(), format);
}

/// The same through a pipe that gives a few bytes at a time.
[[nodiscard]] inline what_was_read read_slowly(const std::string& content, const sluice_keys::input_format& format,
                                               std::size_t step) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  std::thread writer([&] {
    for (std::size_t at = 0; at < content.size(); at += step) {
      const std::string piece = content.substr(at, step);
      if (::write(ends[1], piece.data(), piece.size()) < 0) break;
      for (int left = 1; left != 0 && ::ioctl(ends[1], FIONREAD, &left) == 0;) std::this_thread::yield();
    }
    ::close(ends[1]);
  });
  what_was_read all = read("/dev/fd/" + std::to_string(ends[0]), format);
  writer.join();
  ::close(ends[0]);
  return all;
}

[[nodiscard]] inline std::string refusal(const std::string& content, const sluice_keys::input_format& format) {
  const key_file file(content);
  try {
    static_cast<void>(read(file.path(), format));
  } catch (const sluice::error& e) {
    return std::string(e.what()).substr(file.path().size());
  }
  return "";
}

}  // namespace testing_support
