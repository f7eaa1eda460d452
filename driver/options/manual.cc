#include "driver/options/manual.hh"

#include <algorithm>
#include <iostream>

#include <unistd.h>

#include "codelets/core/base/text.hh"
#include "io/files/terminal_width.hh"

namespace starhist::driver {

namespace {

/// What a table of options may take of the screen.
unsigned columns_for_help() {
  constexpr unsigned fewest = 40;
  constexpr unsigned most = 100;
  constexpr unsigned without_terminal = 80;
  return std::clamp(io::terminal_columns(STDOUT_FILENO).value_or(without_terminal),
                    fewest, most);
}

}  // namespace

std::string help_text(const Manual& manual, unsigned columns) {
  std::string text = "usage: starhist " + manual.command +
                     (manual.synopsis.empty() ? "" : " " + manual.synopsis) + "\n\n" +
                     manual.description + "\n\n" +
                     option_table(manual.options, columns);
  for (const ManualSection& section : manual.sections) {
    text += "\n" + section.title + ":\n" + section.text;
  }
  return text;
}

std::string no_file_problem(const Manual& manual, const std::string& what) {
  return "no " + what + " is given (starhist " + manual.command + " " +
         manual.synopsis + ")";
}

std::optional<ParsedOptions> parse_unless_help(
    const Manual& manual, const std::vector<std::string>& arguments,
    Problems& problems) {
  ParsedOptions parsed =
      parse_options(manual.options, arguments, problems, manual.elsewhere);
  if (parsed.has("help")) {
    std::cout << help_text(manual, columns_for_help());
    return std::nullopt;
  }
  return parsed;
}

std::optional<ParsedOptions> parse_options_alone(
    const Manual& manual, const std::vector<std::string>& arguments,
    Problems& problems) {
  auto parsed = parse_unless_help(manual, arguments, problems);
  if (parsed) {
    refuse_positional(*parsed, problems);
  }
  return parsed;
}

std::optional<ParsedOptions> parse_result_options(
    const Manual& manual, const std::vector<std::string>& arguments,
    Problems& problems) {
  auto parsed = parse_unless_help(manual, arguments, problems);
  if (parsed && parsed->positional.empty()) {
    problems.add(no_file_problem(manual, "result file"));
  } else if (parsed && parsed->positional.size() > 1) {
    problems.add("give one result file, not " +
                 std::to_string(parsed->positional.size()) + " (" +
                 join(parsed->positional, ", ") + ")");
  }
  return parsed;
}

}  // namespace starhist::driver
