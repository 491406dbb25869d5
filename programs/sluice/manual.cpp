// sluice manual: the manual page, made from the options themselves, so that it cannot fall behind.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "commands.hpp"
#include "described.hpp"
#include "frame/output.hpp"
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

std::string usage_of(const CLI::App& command) {
  std::string text = fmt::format(".B sluice {}\n[\\fIoptions\\fR]", command.get_name());
  for (const CLI::Option* option : command.get_options()) {
    if (names_of(*option).empty()) {
      const std::string name = escape(option->get_name(true)) + (takes_several(*option) ? "..." : "");
      text += option->get_required() ? fmt::format(" \\fI{}\\fR", name) : fmt::format(" [\\fI{}\\fR]", name);
    }
  }
  return text + "\n";
}

std::string manual(const CLI::App& app) {
  std::string text = fmt::format(".TH SLUICE 1 \"\" \"{}\" \"User Commands\"\n.SH NAME\nsluice \\- {}\n.SH SYNOPSIS\n",
                                 escape(SLUICE_VERSION), escape(app.get_description()));
  for (const CLI::App* command : commands_of(app)) text += usage_of(*command) + ".br\n";
  text += ".SH DESCRIPTION\n" + escape(app.get_description()) + "\n" + notes_of(app.get_footer());
  for (const CLI::App* command : commands_of(app)) {
    std::string title = command->get_name();
    std::transform(title.begin(), title.end(), title.begin(), [](unsigned char c) { return std::toupper(c); });
    text += fmt::format(".SH {}\n{}.PP\n{}.\n", title, usage_of(*command), escape(command->get_description()));
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
         ".SH EXIT STATUS\n.TP\n0\nWhat was asked for was done; for query: there are such keys; for reproduce: all "
         "findings "
         "agree.\n"
         ".TP\n1\nquery: there are none; plan: nothing keeps all limits; reproduce: a finding differs.\n"
         ".TP\n2\nAn error. A sentence on the error output says what and where.\n";
}

}  // namespace

command manual_command(CLI::App& app) {
  CLI::App* const sub = app.add_subcommand("manual", "the manual page, for man");
  sub->footer("examples:\n  sluice manual | man -l -");
  return {sub, [&app] {
            print("{}", manual(app));
            return 0;
          }};
}

}  // namespace sluice_cli
