#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "codelets/core/counting/bins.hh"

namespace starhist::driver {

/// The bins from the values of --r-min, --r-max and either --bins or --bin-width; ""
/// for an option that is not given. `r_max` is empty if it is invalid; the others are
/// then checked as far as possible, and the result is empty.
///
/// "log:N" makes N bins of equal ratio of their edges from r_min, which must be given,
/// to r_max. Otherwise r_min must be an integer number of bins from 0, so that edges do
/// not depend on it: a multiple of the width, or with N bins a multiple of (r_max -
/// r_min) / N. Otherwise throws InputError with the nearest valid r_min.
std::optional<UniformBins> parse_bins(const std::string& r_min,
                                      std::optional<double> r_max,
                                      const std::string& bins,
                                      const std::string& bin_width);

/// The bins of --edges: edges as a comma-separated list ("0,0.1,0.3"), or the path of a
/// text file with edges separated by blanks, commas or line ends; # starts a comment.
/// Throws InputError with the line for a word that is not a number, and for edges that
/// make_bins_between() rejects.
UniformBins parse_edges(const std::string& text);

/// The length with 15 digits, without rounding errors in the last ones.
std::string length_text(double length);

/// Throws InputError if the value of --bins asks for logarithmic bins, which `command`
/// does not count in.
void check_equal_bins(const std::string& command, const std::string& bins);

}  // namespace starhist::driver
