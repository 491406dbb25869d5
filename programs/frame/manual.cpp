// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "frame/manual.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "frame/described.hpp"
#include "sluice/extend/names.hpp"

namespace sluice_cli {
namespace {

/// Text for troff: nothing in it is taken for a request.
std::string escape(const std::string& text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    line_begins = c == '\n';
  }
  return out;
}

/// What stands below a command's options: sentences, and then examples, every line of which is left as it is.
std::string notes_of(const std::string& footer) {
  const std::size_t examples = footer.find("examples:\n");
  std::string text = ".PP\n" + escape(footer.substr(0, examples));
  if (examples != std::string::npos) {
    text += fmt::format("{}.PP\nExamples:\n.nf\n{}\n.fi\n", text.ends_with('\n') ? "" : "\n",
                        escape(footer.substr(footer.find('\n', examples) + 1)));
  }
  return text;
}

std::string usage_of(const CLI::App& app, const CLI::App& command) {
  std::string text = fmt::format(".B {} {}\n[\\fIoptions\\fR]", app.get_name(), command.get_name());
  for (const CLI::Option* option : command.get_options()) {
    if (names_of(*option).empty()) {
      const std::string name = escape(option->get_name(true)) + (takes_several(*option) ? "..." : "");
      text += option->get_required() ? fmt::format(" \\fI{}\\fR", name) : fmt::format(" [\\fI{}\\fR]", name);
    }
  }
  return text + "\n";
}

/// The name of the page: that of the program, which has one command or several.
std::string page_of(const CLI::App& app) {
  const auto commands = commands_of(app);
  std::string name = commands.size() == 1 ? app.get_name() + " " + commands.front()->get_name() : app.get_name();
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

}  // namespace

std::string manual_of(const CLI::App& app) {
  const std::string page = page_of(app);
  const auto commands = commands_of(app);
  const std::string about = commands.size() == 1 ? commands.front()->get_description() : app.get_description();
  std::string text = fmt::format(".TH {} 1 \"\" \"{}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n",
                                 upper(page), escape(SLUICE_VERSION), escape(page), escape(about));
  for (const CLI::App* command : commands) text += usage_of(app, *command) + ".br\n";
  text += ".SH DESCRIPTION\n" + escape(about) + "\n";
  if (!app.get_footer().empty()) text += notes_of(app.get_footer());
  for (const CLI::App* command : commands) {
    text += fmt::format(".SH {}\n{}.PP\n{}.\n", upper(command->get_name()), usage_of(app, *command),
                        escape(command->get_description()));
    for (const CLI::Option* option : command->get_options()) {
      const auto names = names_of(*option);
      const std::string name = names.empty() ? option->get_name(true) : fmt::format("{}", fmt::join(names, ", "));
      const std::string value = names.empty() || is_flag(*option) ? "" : " " + placeholder_of(*option);
      text += fmt::format(".TP\n.BI {} \"{}\"\n{}", fmt::format("\"{}\"", escape(name)), value,
                          escape(option->get_description()));
      if (!option->get_default_str().empty()) text += fmt::format(" (default {})", escape(option->get_default_str()));
      text += "\n";
    }
    text += notes_of(command->get_footer());
  }
  return text +
         ".SH EXIT STATUS\n.TP\n0\nWhat was asked for was done.\n.TP\n1\nAs the command says.\n"
         ".TP\n2\nAn error. A sentence on the error output says what and where.\n"
         ".SH SEE ALSO\n.BR sluice (1),\n.BR sluice\\-redis (1),\n.BR sluice\\-reproduce (1),\n.BR sluice (5)\n";
}

}  // namespace sluice_cli
