#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "driver/options/option_spec.hh"

namespace starhist::driver {

/// Collects problems with the options of one command, to report them together.
class Problems {
 public:
  void add(const std::string& problem) { problems_.push_back(problem); }
  /// Calls check() and adds the message of an InputError that it throws.
  template <class Check>
  void collect(Check check);
  /// Throws one InputError with all problems, if there are any.
  void throw_if_any(const std::string& command) const;

 private:
  std::vector<std::string> problems_;
};

/// The options of a command as the user wrote them.
struct ParsedOptions {
  std::map<std::string, std::string> values;  ///< by long name; "" for a switch
  std::map<std::string, std::string>
      fallbacks;                        ///< OptionValue::fallback, by long name
  std::vector<std::string> positional;  ///< positional arguments
  /// Long names of options with an invalid value, and unknown options as written. A
  /// positional argument may be the value of an unknown one.
  std::set<std::string> refused;

  /// True if the user gave the option.
  bool has(const std::string& name) const { return values.count(name) != 0; }
  /// The user's value, otherwise the one in `fallbacks`, otherwise `fallback`.
  std::string get(const std::string& name, const std::string& fallback = "") const;
};

/// Parses the arguments of a command. Adds unknown options, missing and repeated values
/// and values outside OptionValue::choices to `problems`. Values given by
/// OptionSpec::alias are under the name of the option. Every command has the option
/// "help" (`--help`, `-h`).
ParsedOptions parse_options(const std::vector<OptionSpec>& specs,
                            const std::vector<std::string>& arguments,
                            Problems& problems,
                            const std::vector<OptionElsewhere>& elsewhere = {});

/// Adds a problem for each positional argument, for commands without any.
void refuse_positional(const ParsedOptions& parsed, Problems& problems);

/// The table of options for a help text, grouped under titles, or without a title if
/// all are of one group. --help is the last option before the expert options. Lines
/// have at most `columns` characters [>= 40].
std::string option_table(const std::vector<OptionSpec>& specs, unsigned columns);

}  // namespace starhist::driver

#include "codelets/core/base/error.hh"

template <class Check>
void starhist::driver::Problems::collect(Check check) {
  try {
    check();
  } catch (const InputError& error) {
    add(error.what());
  }
}
