#include "driver/options/default_bins.hh"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/base/units.hh"
#include "codelets/core/geometry/flat_positions.hh"
#include "driver/options/bin_options.hh"
#include "driver/options/option_values.hh"

namespace starhist::driver {
namespace {

constexpr double default_width_angstroms = 0.02;
constexpr double default_count = 500.0;
/// Maximum number of default bins: beyond an r_max of 2 um the particles are not atoms.
constexpr double most_usual_bins = 1e6;
/// Tolerance near integers, so that rounding errors do not cost a bin.
constexpr double bin_rounding = 1e-9;

/// Upper limit of the default of r_max.
struct Reach {
  double length = 0.0;
  bool whole = false;  ///< r_max must exceed `length`; false: r_max is at most `length`
};

/// `reach` in integer units.
double whole_units(const Reach& reach, double unit) {
  return reach.whole ? std::floor(reach.length / unit) + 1.0
                     : std::floor(reach.length / unit + bin_rounding);
}

/// `reach` with three significant digits.
std::string three_digits(const Reach& reach) {
  const double unit = std::pow(10.0, std::floor(std::log10(reach.length)) - 2.0);
  return length_text(whole_units(reach, unit) * unit);
}

/// Diagonal of the cuboid that holds all particles: no distance is longer.
double diagonal_of(const Frame& frame) {
  const auto [x, y, z] = extent_of(frame.positions);
  return std::hypot(x, y, z);
}

/// The default of r_max, before it is rounded.
Reach reach_of(const Frame& frame, bool no_box) {
  constexpr double share = 0.99;  // boxes of later frames may be a little smaller
  if (frame.box.is_planar()) {
    return {share * frame.box.inscribed_radius(), false};
  }
  if (const Plane plane =
          no_box ? Plane::none : two_dimensional(frame.box, frame.positions);
      plane != Plane::none) {
    throw InputError(
        "--r-max is missing (the particles of frame " +
        std::to_string(frame.index.get()) +
        " lie in a plane, where g(r) of space has no meaning): give --plane " +
        to_string(plane) +
        " for distances and g(r) in the plane, or --r-max to count anyway");
  }
  if (frame.box.has_volume()) {
    return {share * frame.box.inscribed_radius(), false};
  }
  if (const double diagonal = no_box ? diagonal_of(frame) : 0.0; diagonal > 0.0) {
    return {diagonal, true};
  }
  throw InputError(
      "--r-max is missing (the largest distance to count; its default needs a box that "
      "is periodic along all axes, but frame " +
      std::to_string(frame.index.get()) +
      " has no such box): give --r-max, a box with --box, or --box none to count all "
      "distances of that frame");
}

/// 0.002 nm in the length unit; empty if the unit is unknown, or if that is more than
/// r_max or less than a millionth of it.
std::optional<double> usual_width(const std::string& length_unit, double r_max) {
  const auto angstroms = angstroms_per(length_unit);
  if (!angstroms) {
    return std::nullopt;
  }
  const double width = default_width_angstroms / *angstroms;
  return width <= r_max && r_max <= most_usual_bins * width ? std::optional(width)
                                                            : std::nullopt;
}

/// `reach` as an integer number of bins.
std::string whole_bins(const Reach& reach, double width) {
  const double count = whole_units(reach, width);
  if (count < 1.0) {
    throw InputError("--bin-width " + length_text(width) + " exceeds " +
                     length_text(reach.length) +
                     ", the default of --r-max (99 % of half the shortest lattice "
                     "vector): give --r-max or a smaller --bin-width");
  }
  return length_text(count * width);
}

std::string default_r_max(const BinTexts& given, const Frame& frame,
                          const std::string& length_unit) {
  const Reach reach = reach_of(frame, given.no_box);
  if (!given.bins.empty()) {
    return three_digits(reach);
  }
  const auto width = given.bin_width.empty()
                         ? usual_width(length_unit, reach.length)
                         : parse_length("--bin-width", given.bin_width);
  return width ? whole_bins(reach, *width) : three_digits(reach);
}

/// The usual width, reduced if necessary to divide r_max.
std::string default_width(double r_max, const std::string& length_unit) {
  const auto usual = usual_width(length_unit, r_max);
  const double count = usual ? std::ceil(r_max / *usual - bin_rounding) : default_count;
  return number_text(r_max / count);
}

}  // namespace

bool is_complete(const BinTexts& given) {
  return !given.r_max.empty() && !(given.bins.empty() && given.bin_width.empty());
}

ChosenBins choose_bins(const BinTexts& given, const Frame& frame,
                       const std::string& length_unit) {
  BinTexts all = given;
  ChosenBins chosen;
  if (given.r_max.empty()) {
    all.r_max = default_r_max(given, frame, length_unit);
    chosen.defaults.emplace_back("--r-max");
  }
  const double r_max = parse_r_max(all.r_max);
  if (given.bins.empty() && given.bin_width.empty()) {
    all.bin_width = default_width(r_max, length_unit);
    chosen.defaults.emplace_back("--bin-width");
  }
  chosen.bins =
      parse_bins(all.r_min, r_max, all.bins, all.bin_width).value_or(UniformBins());
  return chosen;
}

}  // namespace starhist::driver
