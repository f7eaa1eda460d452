#include "driver/options/option_parser.hh"

#include <sstream>

#include <boost/program_options.hpp>

#include "driver/options/incomplete_options.hh"

namespace starhist::driver {
namespace {

namespace po = boost::program_options;

po::options_description describe(const std::vector<OptionSpec>& specs) {
  po::options_description description("", 100, 50);
  for (const OptionSpec& spec : specs) {
    if (spec.placeholder.empty()) {
      description.add_options()(spec.name.c_str(), spec.help.c_str());
    } else {
      description.add_options()(spec.name.c_str(),
                                po::value<std::string>()->value_name(spec.placeholder),
                                spec.help.c_str());
    }
  }
  description.add_options()("help,h", "explain this command");
  return description;
}

void store(const po::option& option, ParsedOptions& parsed, Problems& problems) {
  if (option.unregistered) {
    problems.add("unknown option '" + option.original_tokens.front() + "'");
    return;
  }
  const std::string value = option.value.empty() ? "" : option.value.front();
  if (!parsed.values.emplace(option.string_key, value).second) {
    problems.add("option --" + option.string_key + " is given twice");
  }
}

}  // namespace

void Problems::throw_if_any(const std::string& command) const {
  if (problems_.empty()) {
    return;
  }
  if (problems_.size() == 1) {
    throw InputError(problems_.front());
  }
  std::string text = std::to_string(problems_.size()) + " problems:";
  for (const std::string& problem : problems_) {
    text += "\n  * " + problem;
  }
  throw InputError(text + "\n(starhist " + command + " --help explains the options)");
}

std::string ParsedOptions::get(const std::string& name,
                               const std::string& fallback) const {
  const auto found = values.find(name);
  return found == values.end() ? fallback : found->second;
}

ParsedOptions parse_options(const std::vector<OptionSpec>& specs,
                            const std::vector<std::string>& arguments,
                            Problems& problems) {
  ParsedOptions parsed;
  const po::options_description description = describe(specs);
  const int style =
      po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  try {
    const auto result =
        po::command_line_parser(without_incomplete_options(specs, arguments, problems))
            .options(description)
            .style(style)
            .allow_unregistered()
            .run();
    for (const po::option& option : result.options) {
      if (option.position_key >= 0 || option.string_key.empty()) {
        parsed.positional.push_back(option.value.front());
      } else {
        store(option, parsed, problems);
      }
    }
  } catch (const po::error& error) {
    problems.add(error.what());
  }
  return parsed;
}

namespace {

/// Empty when help was asked for, and printed.
std::optional<ParsedOptions> parse_unless_help(
    const std::vector<OptionSpec>& specs, const std::vector<std::string>& arguments,
    void (*print_help)(), Problems& problems) {
  ParsedOptions parsed = parse_options(specs, arguments, problems);
  if (parsed.has("help")) {
    print_help();
    return std::nullopt;
  }
  return parsed;
}

}  // namespace

void refuse_positional(const ParsedOptions& parsed, Problems& problems) {
  for (const std::string& argument : parsed.positional) {
    problems.add("unexpected argument '" + argument + "' (no file is needed here)");
  }
}

std::optional<ParsedOptions> parse_result_options(
    const std::vector<OptionSpec>& specs, const std::vector<std::string>& arguments,
    void (*print_help)(), Problems& problems) {
  auto parsed = parse_unless_help(specs, arguments, print_help, problems);
  if (parsed && parsed->positional.size() != 1) {
    problems.add("give one result file, not " +
                 std::to_string(parsed->positional.size()));
  }
  return parsed;
}

std::optional<ParsedOptions> parse_options_alone(
    const std::vector<OptionSpec>& specs, const std::vector<std::string>& arguments,
    void (*print_help)(), Problems& problems) {
  auto parsed = parse_unless_help(specs, arguments, print_help, problems);
  if (parsed) {
    refuse_positional(*parsed, problems);
  }
  return parsed;
}

std::string option_table(const std::vector<OptionSpec>& specs) {
  std::ostringstream text;
  text << describe(specs);
  return text.str();
}

}  // namespace starhist::driver
