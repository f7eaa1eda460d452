#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/options/neighbours/cutoff_list.hh"
#include "driver/options/rdf_options.hh"

namespace starhist::driver {

/// The options of `starhist coordination`.
struct CoordinationOptions {
  RdfOptions run;
  CutoffList cutoffs;
  std::string from;  ///< result with the minima of g(r); "": no cut-off is a minimum
  /// Bins of which the cut-offs are edges; empty: each cut-off is the edge of one bin.
  std::optional<UniformBins> bins;
  bool per_frame = false;     ///< record the neighbours of each frame
  bool per_particle = false;  ///< record the neighbours of each particle
};

Manual coordination_manual();

/// Empty and throws like parse_rdf_options().
std::optional<CoordinationOptions> parse_coordination_options(
    const std::vector<std::string>& arguments, bool writes = true);

}  // namespace starhist::driver
