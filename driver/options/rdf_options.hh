#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driver/options/manual.hh"
#include "driver/options/option_values.hh"
#include "driver/run/trajectory_run.hh"

namespace starhist::driver {

/// Whether standard error gets a progress bar and a summary; verbose: with kernels,
/// workers and their speeds.
enum class Verbosity { quiet, normal, verbose };

/// The options of `starhist rdf`, checked as far as possible without opening a file.
struct RdfOptions : TrajectoryRunSpec {
  tasks::CpuMode cpu_mode = tasks::CpuMode::core;
  bool explain = false;  ///< print the plan report without counting
  Verbosity verbosity = Verbosity::normal;
  std::string json;   ///< path of the summary as JSON; "": no summary
  std::string trace;  ///< path of the list of tasks (CSV); "": no list
};

Manual rdf_manual();

/// Appends the options of rdf, without `except`, to the `options` of a similar command.
void add_options_of_rdf(std::span<const char* const> except,
                        std::vector<OptionSpec>& options);

/// Adds the options of rdf that a similar command lacks to its Manual::elsewhere,
/// unless they are there.
Manual without_options_of_rdf(Manual manual);

/// The options; empty after printing the requested help. Throws one InputError with all
/// problems. `writes`: this process writes files, so their names are checked.
std::optional<RdfOptions> parse_rdf_options(const std::vector<std::string>& arguments,
                                            bool writes = true);

/// The options of a command that counts like rdf, whose options are some of rdf's and
/// others that `further` parses. Empty and throws like parse_rdf_options().
std::optional<RdfOptions> parse_run_options(
    const Manual& manual, const std::vector<std::string>& arguments, bool writes,
    const std::function<void(const ParsedOptions&, RdfOptions&, Problems&)>& further =
        {});

}  // namespace starhist::driver
