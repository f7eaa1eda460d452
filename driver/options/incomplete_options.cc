#include "driver/options/incomplete_options.hh"

#include <algorithm>

namespace starhist::driver {
namespace {

bool is_spelled(const OptionSpec& spec, const std::string& argument) {
  return argument == "--" + long_name(spec) ||
         (!short_name(spec).empty() && argument == "-" + short_name(spec));
}

/// The option that `argument` names, with or without "=value"; null if none.
const OptionSpec* find_option(const std::vector<OptionSpec>& specs,
                              const std::string& argument) {
  const bool is_long = argument.rfind("--", 0) == 0;
  const std::string name = is_long ? argument.substr(0, argument.find('=')) : argument;
  const auto found =
      std::find_if(specs.begin(), specs.end(),
                   [&](const OptionSpec& spec) { return is_spelled(spec, name); });
  return found == specs.end() ? nullptr : &*found;
}

}  // namespace

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
      complete.push_back(argument);
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

}  // namespace starhist::driver
