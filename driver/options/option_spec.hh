#pragma once

#include <string>
#include <vector>

#include "io/output/path_conflicts.hh"

namespace starhist::driver {

/// Heading of an option in the help, in the order of the help.
enum class OptionGroup {
  input,     ///< frames to read, and how to read them
  species,   ///< definition of particles
  counting,  ///< pairs and bins
  quantity,  ///< quantity computed from the counts
  ranges,    ///< range of the computed quantity
  output,    ///< contents and names of outputs
  running,   ///< memory, progress, resuming
  expert     ///< options that only change the speed
};

/// Title of a group: "what to count" for OptionGroup::counting.
std::string title_of(OptionGroup group);

/// Possible values of an option, and its default.
struct OptionValue {
  /// Value if the option is not given; "": no default.
  std::string fallback{};
  /// The default in words, shown in place of `fallback`; "": shows `fallback`.
  std::string otherwise{};
  /// The only valid values, or, if the placeholder ends in ",...", the only valid
  /// elements of a list. Empty: any value.
  std::vector<std::string> choices{};
  /// Words for shell completion, if other values are valid, too.
  std::vector<std::string> examples{};
  /// Use of the path, if the value is a path or, with a placeholder that ends in
  /// ",...", a list of paths. Neither `examples` nor `fallback` are paths.
  io::PathUse path = io::PathUse::none;
};

/// An option of a command. Parsing, --help, the manual pages, the shell completion and
/// docs/reference/options.md are generated from it.
struct OptionSpec {
  OptionGroup group;
  std::string name;         ///< "r-max" or, with a short form, "output,o"
  std::string placeholder;  ///< name of the value: "R"; "" for a switch without a value
  std::string help;         ///< effect, without the default
  OptionValue value{};
  std::string alias{};  ///< former long name, also accepted; "": no alias
};

/// An option that users may expect in a command that has an alternative.
struct OptionElsewhere {
  std::string name;    ///< "out-unit"
  std::string remedy;  ///< follows "unknown option '--out-unit'": ": results keep ..."
};

/// "output" of "output,o".
std::string long_name(const OptionSpec& spec);

/// "o" of "output,o"; "" without a short form.
std::string short_name(const OptionSpec& spec);

/// Effect and default of the option: "every N-th frame (default 1)".
std::string help_sentence(const OptionSpec& spec);

/// True if the options are of several groups.
bool has_groups(const std::vector<OptionSpec>& options);

/// The options sorted by group; the order within a group is kept.
std::vector<OptionSpec> by_group(std::vector<OptionSpec> options);

}  // namespace starhist::driver
