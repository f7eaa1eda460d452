#pragma once

#include <string>
#include <vector>

#include "io/output/path_conflicts.hh"

namespace starhist::driver {

/// Heading under which an option stands in the help, in the order of the help.
enum class OptionGroup {
  input,     ///< which frames are read, and how
  species,   ///< what the particles are
  counting,  ///< pairs and bins
  quantity,  ///< what is computed from the counts
  ranges,    ///< where that is computed
  output,    ///< what is written where
  running,   ///< memory, progress, going on
  expert     ///< what only changes the speed
};

/// "what to count" of OptionGroup::counting.
std::string title_of(OptionGroup group);

/// Possible values of an option, and its default.
struct OptionValue {
  /// Value if the option is not given; "": none.
  std::string fallback{};
  /// The default in words, shown instead of `fallback`; "": `fallback` is shown.
  std::string otherwise{};
  /// The only words that are allowed as the value, or, if the placeholder ends in
  /// ",...", as the elements of a list. Empty: any value.
  std::vector<std::string> choices{};
  /// Words that a shell completes, if other values are allowed, too.
  std::vector<std::string> examples{};
  /// How the value is used, if it is a path or, with a placeholder that ends in ",...",
  /// a list of paths. Neither `examples` nor `fallback` are paths.
  io::PathUse path = io::PathUse::none;
};

/// An option of a command. Parsing, --help, the manual pages, the shell completion and
/// docs/reference/options.md are made from it.
struct OptionSpec {
  OptionGroup group;
  std::string name;         ///< "r-max" or, with a short form, "output,o"
  std::string placeholder;  ///< name of the value: "R"; "" for a switch without a value
  std::string help;         ///< what it does, without the default
  OptionValue value{};
};

/// An option that users look for in a command which has another way.
struct OptionElsewhere {
  std::string name;    ///< "out-unit"
  std::string remedy;  ///< follows "unknown option '--out-unit'": ": results keep ..."
};

/// "output" of "output,o".
std::string long_name(const OptionSpec& spec);

/// "o" of "output,o"; "" without a short form.
std::string short_name(const OptionSpec& spec);

/// What the option does and its default: "every N-th frame (default 1)".
std::string help_sentence(const OptionSpec& spec);

/// Whether the options are of several groups.
bool has_groups(const std::vector<OptionSpec>& options);

/// The options group by group, in each as they were.
std::vector<OptionSpec> by_group(std::vector<OptionSpec> options);

}  // namespace starhist::driver
