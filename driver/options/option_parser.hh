#pragma once

#include <map>
#include <string>
#include <vector>

#include "driver/options/option_spec.hh"

namespace starhist::driver {

/// Problems with the options of one command, reported together.
class Problems {
 public:
  void add(const std::string& problem) { problems_.push_back(problem); }
  /// Runs `check`, which may throw InputError, and notes what it throws.
  template <class Check>
  void collect(Check check);
  /// Throws one InputError with all problems, if there are any.
  void throw_if_any(const std::string& command) const;

 private:
  std::vector<std::string> problems_;
};

/// The options of a command as the user wrote them.
struct ParsedOptions {
  std::map<std::string, std::string> values;     ///< by long name; switches have ""
  std::map<std::string, std::string> fallbacks;  ///< of OptionValue, by long name
  std::vector<std::string> positional;

  bool has(const std::string& name) const { return values.count(name) != 0; }
  /// The value that the user gave, else the one in `fallbacks`, else `fallback`.
  std::string get(const std::string& name, const std::string& fallback = "") const;
};

/// Parses the arguments of a command. Unknown options, missing and repeated values go
/// to `problems`. `--help` and `-h` are always known, as "help".
ParsedOptions parse_options(const std::vector<OptionSpec>& specs,
                            const std::vector<std::string>& arguments,
                            Problems& problems);

/// Notes each positional argument as a problem, for commands that take none.
void refuse_positional(const ParsedOptions& parsed, Problems& problems);

/// The table of options for a help text, one part per group of options under its title.
/// --help is the last option of the last group.
std::string option_table(const std::vector<OptionSpec>& specs);

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
