#pragma once

#include <optional>
#include <string>

#include "codelets/core/counting/bins.hh"

namespace starhist::driver {

/// The bins from the values of --r-min, --r-max and either --bins or --bin-width; ""
/// for an option that is not given. `r_max` is empty if it is invalid; the others are
/// then checked as far as possible, and the result is empty.
///
/// r_min must be an integer number of bins from 0, so that edges do not depend on it: a
/// multiple of the width, or with N bins a multiple of (r_max - r_min) / N. Otherwise
/// throws InputError with the nearest valid r_min.
std::optional<UniformBins> parse_bins(const std::string& r_min,
                                      std::optional<double> r_max,
                                      const std::string& bins,
                                      const std::string& bin_width);

}  // namespace starhist::driver
