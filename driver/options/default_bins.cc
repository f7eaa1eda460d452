#include "driver/options/default_bins.hh"

#include <cmath>
#include <cstdio>
#include <optional>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "driver/options/bin_options.hh"
#include "driver/options/option_values.hh"
#include "io/reader/units.hh"

namespace starhist::driver {
namespace {

constexpr double default_width_angstroms = 0.02;
constexpr double default_count = 500.0;
/// More bins of the default width are not made: where r_max is longer than 2 um the
/// particles are no atoms.
constexpr double most_usual_bins = 1e6;
/// Next to a whole number, rounding errors do not cost a bin.
constexpr double rounding = 1e-9;

/// The length with 15 digits, without rounding errors in the last ones.
std::string tidy(double length) {
  char digits[32];
  std::snprintf(digits, sizeof(digits), "%.15g", length);
  return digits;
}

/// `length` > 0, rounded down to three significant digits.
std::string three_digits(double length) {
  const double unit = std::pow(10.0, std::floor(std::log10(length)) - 2.0);
  return tidy(std::floor(length / unit + rounding) * unit);
}

/// The largest r_max that is a default, before it is rounded down.
double reach_of(const Frame& frame) {
  constexpr double share = 0.99;  // cells of later frames may be a little smaller
  if (!frame.box.has_volume()) {
    throw InputError(
        "--r-max is missing (the largest distance to count; the default "
        "is where g(r) ends, but frame " +
        std::to_string(frame.index.get()) +
        " has no box that is periodic along all axes): give --r-max, or "
        "the box with --box");
  }
  return share * frame.box.inscribed_radius();
}

/// 0.002 nm in the length unit; nothing where that is not known, more than r_max, or
/// less than a millionth of it.
std::optional<double> usual_width(const std::string& length_unit, double r_max) {
  const auto angstroms = io::angstroms_per(length_unit);
  if (!angstroms) {
    return std::nullopt;
  }
  const double width = default_width_angstroms / *angstroms;
  return width <= r_max && r_max <= most_usual_bins * width ? std::optional(width)
                                                            : std::nullopt;
}

/// The largest whole number of widths up to `reach`.
std::string whole_bins_up_to(double reach, double width) {
  const double count = std::floor(reach / width + rounding);
  if (count < 1.0) {
    throw InputError("--bin-width " + tidy(width) + " is more than " + tidy(reach) +
                     ", the default of --r-max (99 % of half the shortest lattice "
                     "vector): give --r-max, or narrower bins");
  }
  return tidy(count * width);
}

std::string default_r_max(const BinTexts& given, const Frame& frame,
                          const std::string& length_unit) {
  const double reach = reach_of(frame);
  if (!given.bins.empty()) {
    return three_digits(reach);
  }
  const auto width = given.bin_width.empty()
                         ? usual_width(length_unit, reach)
                         : parse_length("--bin-width", given.bin_width);
  return width ? whole_bins_up_to(reach, *width) : three_digits(reach);
}

/// The usual width, or a little less, so that it divides r_max.
std::string default_width(double r_max, const std::string& length_unit) {
  const auto usual = usual_width(length_unit, r_max);
  const double count = usual ? std::ceil(r_max / *usual - rounding) : default_count;
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
