#pragma once

#include <string>
#include <vector>

namespace starhist::driver {

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
};

/// An option of a command. Parsing, --help, the manual pages, the shell completion and
/// docs/reference/options.md are made from it.
struct OptionSpec {
  std::string name;         ///< "r-max" or, with a short form, "output,o"
  std::string placeholder;  ///< name of the value: "R"; "" for a switch without a value
  std::string help;         ///< what it does, without the default
  OptionValue value{};
  std::string group{};  ///< heading in the table of options; "": none
};

/// "output" of "output,o".
std::string long_name(const OptionSpec& spec);

/// "o" of "output,o"; "" without a short form.
std::string short_name(const OptionSpec& spec);

/// What the option does and its default: "every N-th frame (default 1)".
std::string help_sentence(const OptionSpec& spec);

/// Options under one heading.
struct OptionGroup {
  std::string title;
  std::vector<OptionSpec> options;
};

/// The options of all groups in this order, each with its group's title.
std::vector<OptionSpec> in_groups(const std::vector<OptionGroup>& groups);

}  // namespace starhist::driver
