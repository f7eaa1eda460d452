#pragma once

#include <string>

#include "codelets/core/counting/frame.hh"
#include "driver/run/trajectory_run.hh"

namespace starhist::driver {

/// The values of the options for bins; "" for an option that is not given.
struct BinTexts {
  std::string r_min;
  std::string r_max;
  std::string bins;
  std::string bin_width;
  bool no_box = false;  ///< --box none
};

/// True if both ends and the width follow from the given values.
bool is_complete(const BinTexts& given);

/// The bins from the given values, with these defaults:
///
/// * r_max: 0.99 times the inscribed radius of the frame's box, up to which g(r) is
///   defined, rounded down to an integer number of bins, or to three digits if the
///   width is unknown. With --box none: just more than the diagonal of the cuboid
///   around the frame's particles, so that all its pairs count;
/// * width: 0.002 nm, or slightly less, so that it divides a given r_max; r_max / 500
///   in units unsuitable for atoms, and if 0.002 nm is more than r_max or less than a
///   millionth of it.
///
/// Throws InputError like parse_bins(), and if r_max is not given and the box is not
/// periodic along all axes, unless --box none was given and the particles' positions
/// differ.
ChosenBins choose_bins(const BinTexts& given, const Frame& frame,
                       const std::string& length_unit);

}  // namespace starhist::driver
