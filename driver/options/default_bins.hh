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

/// Whether both ends and the width follow from what is given.
bool is_complete(const BinTexts& given);

/// The bins from what is given, and defaults for the rest:
///
/// * r_max: 0.99 times the inscribed radius of the frame's box, up to which g(r) is
///   defined, rounded down to a whole number of bins, or to three digits where the
///   width is not known. Without a box by --box none: just more than the diagonal of
///   the cuboid that holds the particles of the frame, so that all its pairs count;
/// * width: 0.002 nm, or a little less, so that it divides a given r_max; r_max / 500
///   in units that are no lengths of atoms, and where 0.002 nm is more than r_max or
///   less than a millionth of it.
///
/// Throws InputError as parse_bins(), and when r_max is not given and the box is not
/// periodic along all axes, unless there is to be none and the particles differ in
/// place.
ChosenBins choose_bins(const BinTexts& given, const Frame& frame,
                       const std::string& length_unit);

}  // namespace starhist::driver
