#include "driver/options/bin_options.hh"

#include <cmath>
#include <cstdio>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "driver/options/option_values.hh"

namespace starhist::driver {
namespace {

double parse_r_min(const std::string& text) {
  const double r_min = text.empty() ? 0.0 : parse_number("--r-min", text);
  if (!std::isfinite(r_min) || r_min < 0.0) {
    throw InputError("--r-min " + text + " is not a length of 0 or more");
  }
  return r_min;
}

/// `exact` as an integer number of bins; empty if it is not an integer up to rounding,
/// or too large.
std::optional<std::uint64_t> whole(double exact) {
  constexpr double tolerance = 1e-9;
  const double count = std::round(exact);
  if (std::abs(exact - count) > tolerance * exact || count > max_bin_count) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(count);
}

/// The length with 15 digits, without rounding errors in the last ones.
std::string tidy(double length) {
  char digits[32];
  std::snprintf(digits, sizeof(digits), "%.15g", length);
  return digits;
}

[[noreturn]] void refuse(double r_min, double nearest, const std::string& why) {
  throw InputError("--r-min " + number_text(r_min) +
                   " is not a whole number of bins from 0 (" + why + "; use --r-min " +
                   tidy(nearest) + ")");
}

/// Bins from r_min to r_max; `all` of them would fit between 0 and r_max.
UniformBins bins_of_width(double r_min, double r_max, std::uint64_t all) {
  const double exact = r_min * static_cast<double>(all) / r_max;
  const std::optional<std::uint64_t> below = whole(exact);
  if (!below || *below >= all) {
    const double last = static_cast<double>(all - 1);
    const double width = r_max / static_cast<double>(all);
    refuse(r_min, std::fmin(std::round(exact), last) * width,
           "they are " + tidy(width) + " wide");
  }
  return make_bins(r_max, all - *below, *below);
}

/// `count` bins from r_min to r_max. If k more fit below, r_min is k r_max / (count +
/// k).
UniformBins bins_between(double r_min, double r_max, std::uint64_t count) {
  const auto n = static_cast<double>(count);
  const double exact = r_min * n / (r_max - r_min);
  const std::optional<std::uint64_t> below = whole(exact);
  if (!below) {
    const auto allowed = [&](double k) { return k * r_max / (n + k); };
    const double low = allowed(std::floor(exact));
    const double high = allowed(std::ceil(exact));
    refuse(r_min, r_min - low < high - r_min ? low : high,
           std::to_string(count) + " bins up to " + number_text(r_max) + " are " +
               tidy((r_max - r_min) / n) + " wide");
  }
  return make_bins(r_max, count, *below);
}

}  // namespace

std::optional<UniformBins> parse_bins(const std::string& r_min,
                                      std::optional<double> r_max,
                                      const std::string& bins,
                                      const std::string& bin_width) {
  const std::uint64_t count = parse_bin_count(bins, bin_width, r_max);
  const double lower = parse_r_min(r_min);
  if (!r_max) {
    return std::nullopt;
  }
  if (lower >= *r_max) {
    throw InputError("--r-min " + r_min + " is not below --r-max " +
                     number_text(*r_max));
  }
  return bin_width.empty() ? bins_between(lower, *r_max, count)
                           : bins_of_width(lower, *r_max, count);
}

}  // namespace starhist::driver
