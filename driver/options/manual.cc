#include "driver/options/manual.hh"

#include <iostream>

namespace starhist::driver {

std::string help_text(const Manual& manual) {
  std::string text = "usage: starhist " + manual.command +
                     (manual.synopsis.empty() ? "" : " " + manual.synopsis) + "\n\n" +
                     manual.description + "\n\n" + option_table(manual.options);
  for (const ManualSection& section : manual.sections) {
    text += "\n" + section.title + ":\n" + section.text;
  }
  return text;
}

std::optional<ParsedOptions> parse_unless_help(
    const Manual& manual, const std::vector<std::string>& arguments,
    Problems& problems) {
  ParsedOptions parsed = parse_options(manual.options, arguments, problems);
  if (parsed.has("help")) {
    std::cout << help_text(manual);
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
  if (parsed && parsed->positional.size() != 1) {
    problems.add("give one result file, not " +
                 std::to_string(parsed->positional.size()));
  }
  return parsed;
}

}  // namespace starhist::driver
