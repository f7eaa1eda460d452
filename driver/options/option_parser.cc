#include "driver/options/option_parser.hh"

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <boost/program_options.hpp>

#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "driver/options/foreign_options.hh"
#include "driver/options/option_spec.hh"
#include "driver/options/option_values.hh"

namespace starhist::driver {
namespace {

namespace po = boost::program_options;

constexpr std::array<std::string_view, 7> gmx_endings{".xtc", ".trr", ".tng", ".gro",
                                                      ".g96", ".pdb", ".tpr"};

void add(const OptionSpec& spec, po::options_description& description) {
  const std::string help = help_sentence(spec);
  if (spec.placeholder.empty()) {
    description.add_options()(spec.name.c_str(), help.c_str());
  } else {
    description.add_options()(spec.name.c_str(),
                              po::value<std::string>()->value_name(spec.placeholder),
                              help.c_str());
  }
}

po::options_description describe(const std::vector<OptionSpec>& options,
                                 unsigned columns) {
  const unsigned least_description_length = columns / 2;
  const std::vector<OptionSpec> specs = by_group(options);
  const bool titled = has_groups(options);
  std::vector<po::options_description> groups;
  std::size_t group_of_help = 0;
  for (std::size_t k = 0; k < specs.size(); ++k) {
    if (k == 0 || specs[k].group != specs[k - 1].group) {
      groups.emplace_back(titled ? title_of(specs[k].group) : "", columns,
                          least_description_length);
    }
    add(specs[k], groups.back());
    if (specs[k].group != OptionGroup::expert) {
      group_of_help = groups.size() - 1;
    }
  }
  if (groups.empty()) {
    groups.emplace_back("", columns, least_description_length);
  }
  groups[group_of_help].add_options()("help,h", "print this help");
  po::options_description all("", columns, least_description_length);
  for (const po::options_description& group : groups) {
    all.add(group);
  }
  return all;
}

/// ": did you mean --r-max?" for "--rmax=3", ": use --begin T ..." for "-b"; the option
/// --help if no option is similar.
std::string option_hint(const std::string& argument,
                        const std::vector<OptionSpec>& specs,
                        const std::vector<OptionElsewhere>& elsewhere) {
  const std::size_t begin = argument.find_first_not_of('-');
  if (begin == std::string::npos) {
    return "";
  }
  const std::string name = argument.substr(begin, argument.find('=') - begin);
  for (const OptionElsewhere& other : elsewhere) {
    if (other.name == name) {
      return ": " + other.remedy;
    }
  }
  std::string foreign = foreign_option_hint(name, specs);
  if (!foreign.empty()) {
    return foreign;
  }
  std::vector<std::string> names{"help"};
  for (const OptionSpec& spec : specs) {
    names.push_back(long_name(spec));
  }
  const std::string meant = did_you_mean(name, names, "--");
  return meant.empty() ? ": --help lists the options" : meant;
}

/// Problem of a value that is not among the choices of its option; "" for valid values.
std::string choice_problem(const OptionSpec& spec, const std::string& value) {
  const std::vector<std::string>& choices = spec.value.choices;
  if (choices.empty()) {
    return "";
  }
  const bool is_list = spec.placeholder.ends_with(",...");
  for (const std::string& word :
       is_list ? split_list(value) : std::vector<std::string>{value}) {
    if (std::find(choices.begin(), choices.end(), word) == choices.end()) {
      return "--" + long_name(spec) + " '" + word + "' is not one of " +
             join(choices, ", ") + choice_hint(word, choices);
    }
  }
  return "";
}

/// The argument of an option; its name for an option among several letters, as in -qf,
/// of which Boost does not keep the argument.
std::string token_of(const po::option& option) {
  return option.original_tokens.empty() ? option.string_key
                                        : option.original_tokens.front();
}

void store(const po::option& option, const std::vector<OptionSpec>& specs,
           const std::vector<OptionElsewhere>& elsewhere, ParsedOptions& parsed,
           Problems& problems) {
  if (option.unregistered) {
    const std::string argument = token_of(option);
    problems.add("unknown option '" + argument + "'" +
                 option_hint(argument, specs, elsewhere));
    parsed.refused.insert(argument);
    return;
  }
  const std::string value = option.value.empty() ? "" : option.value.front();
  for (const OptionSpec& spec : specs) {
    const std::string problem =
        long_name(spec) == option.string_key ? choice_problem(spec, value) : "";
    if (!problem.empty()) {
      problems.add(problem);
      parsed.refused.insert(option.string_key);
      return;  // the command continues with the default, to find further problems
    }
  }
  if (!parsed.values.emplace(option.string_key, value).second) {
    problems.add("option --" + option.string_key + " is given twice");
  }
}

/// The arguments, with the names of options instead of aliases.
std::vector<std::string> without_aliases(const std::vector<OptionSpec>& specs,
                                         std::vector<std::string> arguments) {
  for (std::string& argument : arguments) {
    if (argument == "--") {
      break;
    }
    for (const OptionSpec& spec : specs) {
      const std::string alias = "--" + spec.alias;
      if (!spec.alias.empty() && argument.substr(0, argument.find('=')) == alias) {
        argument.replace(0, alias.size(), "--" + long_name(spec));
      }
    }
  }
  return arguments;
}

/// Whether the name of a file ends like a trajectory that gmx reads.
bool is_gmx_trajectory(const std::string& name) {
  const std::string lower = lower_case(name);
  return std::any_of(gmx_endings.begin(), gmx_endings.end(),
                     [&](std::string_view ending) { return lower.ends_with(ending); });
}

/// Refuses -f before a trajectory: gmx reads the file, starhist would replace an
/// output.
void check_force(const std::vector<po::option>& options, Problems& problems) {
  for (std::size_t k = 1; k < options.size(); ++k) {
    const po::option& force = options[k - 1];
    if (force.string_key != "force" || token_of(force).starts_with("--") ||
        options[k].position_key < 0 || options[k].value.empty()) {
      continue;
    }
    const std::string& file = options[k].value.front();
    if (is_gmx_trajectory(file)) {
      problems.add(
          "-f " + file +
          ": -f means --force, not the trajectory as in gmx rdf: for a trajectory, "
          "leave out -f; to replace the output, write --force");
    }
  }
}

bool is_spelled(const OptionSpec& spec, const std::string& argument) {
  return argument == "--" + long_name(spec) ||
         (!short_name(spec).empty() && argument == "-" + short_name(spec));
}

/// The option that `argument` names, with or without "=value"; null if none.
const OptionSpec* find_option(const std::vector<OptionSpec>& specs,
                              const std::string& argument) {
  const std::string name = argument.substr(0, argument.find('='));
  const auto found =
      std::find_if(specs.begin(), specs.end(),
                   [&](const OptionSpec& spec) { return is_spelled(spec, name); });
  return found == specs.end() ? nullptr : &*found;
}

/// `arguments` without options that lack their value (`--r-max` at the end or before
/// another option, `--r-max=`) and without switches that have a value (`--quiet=3`).
/// Each of them is added to `problems`. Boost would stop at the first one, and would
/// accept `--force` in `-o --force` as a file name.
std::vector<std::string> without_incomplete_options(
    const std::vector<OptionSpec>& specs, const std::vector<std::string>& arguments,
    Problems& problems) {
  std::vector<std::string> complete;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const std::string& argument = arguments[k];
    if (argument == "--") {
      complete.insert(complete.end(),
                      arguments.begin() + static_cast<std::ptrdiff_t>(k),
                      arguments.end());
      break;
    }
    const OptionSpec* option = find_option(specs, argument);
    const std::size_t equals = option ? argument.find('=') : std::string::npos;
    if (argument.empty()) {
      problems.add("an argument is '' (a variable of the shell that is not set?)");
    } else if (!option) {
      complete.push_back(argument);
    } else if (option->placeholder.empty()) {
      if (equals == std::string::npos) {
        complete.push_back(argument);
      } else {
        problems.add("option " + argument.substr(0, equals) + " takes no value ('" +
                     argument + "')");
      }
    } else if (equals != std::string::npos && equals + 1 < argument.size()) {
      const bool is_long = argument.rfind("--", 0) == 0;
      complete.push_back(is_long ? argument : argument.substr(0, equals));
      if (!is_long) {  // Boost would take the '=' for a part of the value
        complete.push_back(argument.substr(equals + 1));
      }
    } else if (equals == std::string::npos && k + 1 < arguments.size() &&
               !arguments[k + 1].empty() && !find_option(specs, arguments[k + 1])) {
      complete.insert(complete.end(), {argument, arguments[k + 1]});
      ++k;
    } else {
      const bool empty = k + 1 < arguments.size() && arguments[k + 1].empty();
      problems.add("option " + argument + " needs a value (" + option->placeholder +
                   ")" + (empty ? ", not ''" : ""));
      k += equals == std::string::npos && empty ? 1 : 0;
    }
  }
  return complete;
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
  if (found != values.end()) {
    return found->second;
  }
  const auto known = fallbacks.find(name);
  return known == fallbacks.end() ? fallback : known->second;
}

ParsedOptions parse_options(const std::vector<OptionSpec>& specs,
                            const std::vector<std::string>& arguments,
                            Problems& problems,
                            const std::vector<OptionElsewhere>& elsewhere) {
  ParsedOptions parsed;
  for (const OptionSpec& spec : specs) {
    if (!spec.value.fallback.empty()) {
      parsed.fallbacks.emplace(long_name(spec), spec.value.fallback);
    }
  }
  constexpr unsigned any_columns = 100;
  const po::options_description description = describe(specs, any_columns);
  const int style =
      po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  try {
    const auto result =
        po::command_line_parser(without_incomplete_options(
                                    specs, without_aliases(specs, arguments), problems))
            .options(description)
            .style(style)
            .allow_unregistered()
            .run();
    check_force(result.options, problems);
    for (const po::option& option : result.options) {
      if (option.position_key >= 0 || option.string_key.empty()) {
        parsed.positional.push_back(option.value.front());
      } else {
        store(option, specs, elsewhere, parsed, problems);
      }
    }
  } catch (const po::error& error) {
    problems.add(error.what());
  }
  return parsed;
}

void refuse_positional(const ParsedOptions& parsed, Problems& problems) {
  for (const std::string& argument : parsed.positional) {
    problems.add("unexpected argument '" + argument +
                 "' (this command takes only options)");
  }
}

std::string option_table(const std::vector<OptionSpec>& specs, unsigned columns) {
  std::ostringstream text;
  text << describe(specs, columns);
  // Boost starts a group with an empty line and leaves spaces at line breaks.
  std::string table = text.str();
  table.erase(0, table.find_first_not_of('\n'));
  for (std::size_t end; (end = table.find(" \n")) != std::string::npos;) {
    table.erase(end, 1);
  }
  return table;
}

}  // namespace starhist::driver
