#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/options/manual.hh"
#include "driver/options/option_values.hh"
#include "driver/run/trajectory_run.hh"

namespace starhist::driver {

enum class Verbosity { normal, quiet };

/// Everything that `starhist rdf` was asked for, checked as far as is possible without
/// opening a file.
struct RdfOptions : TrajectoryRunSpec {
  bool explain = false;
  Verbosity verbosity = Verbosity::normal;
  std::string json;   ///< path of the summary for machines; empty: none
  std::string trace;  ///< path of the list of tasks; empty: none
};

Manual rdf_manual();

/// Empty when help was asked for, and printed. Throws one InputError with all problems.
std::optional<RdfOptions> parse_rdf_options(const std::vector<std::string>& arguments);

}  // namespace starhist::driver
