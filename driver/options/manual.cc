#include "driver/options/manual.hh"

#include <algorithm>
#include <iostream>

#include <unistd.h>

#include "codelets/core/base/text.hh"
#include "driver/options/option_values.hh"
#include "io/files/terminal_width.hh"

namespace starhist::driver {

namespace {

/// Width available for the table of options [columns].
unsigned columns_for_help() {
  constexpr unsigned fewest = 40;
  constexpr unsigned most = 100;
  constexpr unsigned without_terminal = 80;
  return std::clamp(io::terminal_columns(STDOUT_FILENO).value_or(without_terminal),
                    fewest, most);
}

/// True if the value of an option with `spec.path` is a keyword, not a path.
bool is_word(const OptionSpec& spec, const std::string& value) {
  const std::vector<std::string>& words = spec.value.examples;
  return value == spec.value.fallback ||
         std::find(words.begin(), words.end(), value) != words.end();
}

/// The paths among the arguments of a command. Its positional arguments are inputs.
std::vector<io::UsedPath> used_paths(const Manual& manual,
                                     const ParsedOptions& parsed) {
  std::vector<io::UsedPath> paths;
  for (const std::string& file : parsed.positional) {
    paths.push_back({file, io::PathUse::read, ""});
  }
  for (const OptionSpec& spec : manual.options) {
    const std::string name = long_name(spec);
    if (spec.value.path == io::PathUse::none || !parsed.has(name)) {
      continue;
    }
    const std::string value = parsed.get(name);
    for (const std::string& path : spec.placeholder.ends_with(",...")
                                       ? split_list(value)
                                       : std::vector<std::string>{value}) {
      if (!is_word(spec, path)) {
        paths.push_back({path, spec.value.path, "--" + name});
      }
    }
  }
  return paths;
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
  problems.collect([&] { io::check_path_conflicts(used_paths(manual, parsed)); });
  return parsed;
}

void check_external_conflicts(const Manual& manual, const ParsedOptions& parsed,
                              const io::ExternalFileList& files) {
  std::vector<io::UsedPath> paths = used_paths(manual, parsed);
  const std::vector<io::UsedPath> more = io::external_paths(files);
  paths.insert(paths.end(), more.begin(), more.end());
  io::check_path_conflicts(paths);
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
  } else if (parsed && parsed->positional.size() > 1 && parsed->refused.empty()) {
    problems.add("give one result file, not " +
                 std::to_string(parsed->positional.size()) + " (" +
                 join(parsed->positional, ", ") + ")");
  }
  return parsed;
}

}  // namespace starhist::driver
