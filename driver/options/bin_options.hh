#pragma once

#include <optional>
#include <string>

#include "codelets/core/counting/bins.hh"

namespace starhist::driver {

/// The bins that --r-min, --r-max and either --bins or --bin-width ask for, as the user
/// wrote them; "" where an option is missing. `r_max` is empty if it cannot be used
/// itself: the others are then checked as far as is possible without it.
///
/// r_min is a whole number of bins from 0, so that edges do not depend on it: with a
/// width w it is a multiple of w, with N bins on [r_min, r_max) of (r_max - r_min) / N.
/// Throws InputError that gives the nearest r_min that is.
std::optional<UniformBins> parse_bins(const std::string& r_min,
                                      std::optional<double> r_max,
                                      const std::string& bins,
                                      const std::string& bin_width);

}  // namespace starhist::driver
