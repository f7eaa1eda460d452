#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/options/option_parser.hh"
#include "driver/options/option_spec.hh"

namespace starhist::driver {

/// A part of a manual after the options: examples, keywords of an option.
struct ManualSection {
  std::string title;  ///< "examples"
  std::string text;   ///< printed lines, indented, each with its newline
};

/// Documentation of a command. `starhist help`, the manual pages, the shell completion
/// and docs/reference/options.md are generated from it.
struct Manual {
  std::string command;                    ///< "rdf"
  std::string summary;                    ///< one line for the list of commands
  std::string synopsis{};                 ///< arguments: "RESULT.h5 [options]"
  std::string description{};              ///< paragraphs, without the last newline
  std::vector<OptionSpec> options{};      ///< without --help, which every command has
  std::vector<ManualSection> sections{};  ///< in the order of printing
  std::vector<OptionElsewhere> elsewhere{};  ///< of other commands; not in the help
};

/// Text of `starhist COMMAND --help`. The lines of the table of options have at most
/// `columns` characters [>= 40].
std::string help_text(const Manual& manual, unsigned columns = 100);

/// Problem of a command without a file: "no result file is given (starhist export
/// RESULT.h5 [options])".
std::string no_file_problem(const Manual& manual, const std::string& what);

/// The options of a command. Empty if help was requested, and printed to standard
/// output.
std::optional<ParsedOptions> parse_unless_help(
    const Manual& manual, const std::vector<std::string>& arguments,
    Problems& problems);

/// Parses a command without positional arguments; each one is a problem.
std::optional<ParsedOptions> parse_options_alone(
    const Manual& manual, const std::vector<std::string>& arguments,
    Problems& problems);

/// Parses a command that requires exactly one result file; anything else is a problem.
std::optional<ParsedOptions> parse_result_options(
    const Manual& manual, const std::vector<std::string>& arguments,
    Problems& problems);

/// Throws InputError if an output would overwrite one of the `files` with data of the
/// positional arguments. parse_unless_help() checks the paths of the command line
/// itself.
void check_external_conflicts(const Manual& manual, const ParsedOptions& parsed,
                              const io::ExternalFileList& files);

}  // namespace starhist::driver
