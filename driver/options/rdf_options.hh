#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/options/manual.hh"
#include "driver/options/option_values.hh"
#include "driver/run/trajectory_run.hh"

namespace starhist::driver {

/// Whether a progress bar and a summary are printed to standard error.
enum class Verbosity { normal, quiet };

/// The options of `starhist rdf`, checked as far as possible without opening a file.
struct RdfOptions : TrajectoryRunSpec {
  bool explain = false;  ///< print the plan report and do not count
  Verbosity verbosity = Verbosity::normal;
  std::string json;   ///< path of the summary as JSON; "": none
  std::string trace;  ///< path of the list of tasks (CSV); "": none
};

Manual rdf_manual();

/// The options, or nothing after printing the help that they ask for. Throws one
/// InputError with all problems. `writes`: this process writes files, so that their
/// names are checked.
std::optional<RdfOptions> parse_rdf_options(const std::vector<std::string>& arguments,
                                            bool writes = true);

}  // namespace starhist::driver
