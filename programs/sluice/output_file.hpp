// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// A filter file that is being written: whole or not at all, also when the user loses patience. While one of these
// lives, an interrupt removes what was written so far and ends the program.
#pragma once

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

#include "frame/message.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/contents.hpp"
#include "sluice/extend/replacement.hpp"
#include "sluice/file.hpp"

namespace sluice_cli {

struct output_rules {
  bool replace = false;                      ///< a file that is there
  std::vector<std::string> read = {};        ///< files that the command reads; "-" is the standard input
  std::vector<std::string> read_first = {};  ///< those that are read before the output, which may be one, is replaced
};

class output_file {
public:
  /// Waits for another writer of the file, and says so. Refuses what the rules forbid, and always an input in the place
  /// of .F.partial: what is there is taken for what a killed writer left, and removed.
  output_file(const std::string& path, const output_rules& rules)
      : replace_(rules.replace),
        file_(check_path(path, rules), [&] { say("waiting for another program that writes {}", path); }) {
    partial() = file_.partial().c_str();
    for (std::size_t i = 0; i < std::size(signals); ++i) {
      before_[i] = std::signal(signals[i], on_signal);
      if (before_[i] == SIG_IGN) std::signal(signals[i], SIG_IGN);  // as nohup wants it
    }
  }
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;
  output_file(output_file&&) = delete;
  output_file& operator=(output_file&&) = delete;
  ~output_file() {
    for (std::size_t i = 0; i < std::size(signals); ++i) std::signal(signals[i], before_[i]);
    partial() = nullptr;
  }

  /// The file itself, where a link named it when the lock was taken.
  [[nodiscard]] const std::string& path() const noexcept { return file_.path(); }

  void save(const sluice::file_contents& contents) {
    save([&](sluice::extend::replacement& into) { sluice::extend::write(contents, into); });
  }
  /// What `write` writes.
  void save(const std::function<void(sluice::extend::replacement&)>& write) {
    try {
      write(file_);
      partial() =
          nullptr;  // from here on the name may be another writer's; what an interrupt leaves, the next one removes
      file_.commit(replace_ ? sluice::existing::replace : sluice::existing::refuse);
    } catch (const sluice::file_error&) {
      if (!file_.committed())
        require_absent(file_.path(), replace_);  // another program was faster: say what to do about it
      throw;
    }
  }

private:
  static constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

  static std::string check_path(const std::string& path, const output_rules& rules) {
    require_absent(path, rules.replace);
    const auto refuse = [](const std::vector<std::string>& read, const std::string& ours, const std::string& because) {
      for (const std::string& file : read) {
        std::error_code ignored;
        if (!std::filesystem::equivalent(file == "-" ? "/dev/stdin" : file, ours, ignored)) continue;
        std::string sentence = file == "-" ? "the standard input, which is " + ours + "," : file;
        sentence += " cannot be read and be written at the same time";
        throw sluice::file_error(sentence += because);
      }
    };
    refuse(rules.read, path, "");
    const std::string target = sluice::extend::replacement::target_of(path);  // links lead to another folder
    const std::string partial = sluice::extend::replacement::partial_of(target);
    std::error_code ignored;
    // A writer that was killed between link and unlink left another name of the file: nothing is lost with that.
    if (!std::filesystem::equivalent(target, partial, ignored)) {
      const std::string because = ": a new " + path + " is written there first";
      refuse(rules.read, partial, because);
      refuse(rules.read_first, partial, because);
    }
    return path;
  }
  static void require_absent(const std::string& path, bool replace) {
    std::error_code ignored;
    if (path == "-") throw sluice::file_error("a filter is not written to the standard output; ./- is a file");
    // What is no file at all, sluice::extend::replacement has a sentence for.
    if (replace || !std::filesystem::is_regular_file(path, ignored)) return;
    throw sluice::file_error(path + " is there already; --force replaces it", sluice::error_code::exists);
  }
  /// What an interrupt removes.
  [[nodiscard]] static std::atomic<const char*>& partial() {
    static std::atomic<const char*> name = nullptr;
    static_assert(decltype(name)::is_always_lock_free);
    return name;
  }
  static void on_signal(int number) {
    if (const char* const name = partial()) ::unlink(name);
    std::signal(number, SIG_DFL);
    std::raise(number);
  }

  bool replace_;
  sluice::extend::replacement file_;
  void (*before_[std::size(signals)])(int) = {};  // what the signals did
};

}  // namespace sluice_cli
