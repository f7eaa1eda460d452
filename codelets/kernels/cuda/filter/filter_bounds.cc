#include "codelets/kernels/cuda/filter/filter_bounds.hh"

#include <algorithm>
#include <cmath>

#include "codelets/core/counting/bin_position.hh"

// docs/explanation/certified-counts.md derives the bounds.

namespace starhist::kernels::cuda {
namespace {

constexpr double unit = 0x1p-24;         // unit roundoff of float
constexpr double double_unit = 0x1p-53;  // unit roundoff of double
constexpr double small = 0.375;          // a negligible relative error, in `unit`

/// The bound for errors relative * s + absolute [bins] of a distance s. Empty if most
/// pairs could be ambiguous or a bin would have no candidate.
std::optional<FilterBound> make_filter_bound(double relative, double absolute,
                                             const BinScale& bins) {
  constexpr std::uint32_t most_bins = (1U << 22U) - 2U;
  constexpr double most_ambiguity = 0.35;
  constexpr double roundings_of_binner = 4.0 * unit;
  relative *= 1.001;
  absolute = 1.001 * absolute + roundings_of_binner;
  if (bins.count > most_bins || !(relative * bins.count + absolute < most_ambiguity)) {
    return std::nullopt;
  }
  return FilterBound{
      std::nextafter(static_cast<float>(relative), 1.0F),
      std::nextafter(static_cast<float>(0.5 - absolute - 0.5 * relative), 0.0F)};
}

/// Sets edges, in whole orthogonal_step, and scale in the unit of DistanceFilter, 2^-32
/// of the longest edge; a step is 2^-24 of that edge. Returns
/// the error bound of displacements [bins]. Along each axis two coordinates have an
/// error of half a step each, and a displacement at most half the edge's error.
/// `of_scale` is set to the rounding error of the scale [relative].
double set_orthogonal_steps(const FixedLattice& lattice, const BinScale& bins,
                            FastScale& out, double& of_scale) {
  double edge[3];
  for (int axis = 0; axis < 3; ++axis) {
    edge[axis] = 1.0 / std::sqrt(dot(lattice.dual[axis], lattice.dual[axis]));
  }
  const double step = 0x1p-24 * *std::max_element(edge, edge + 3);
  double error2 = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double steps = std::round(edge[axis] / step);
    out.orthogonal_edge[axis] = static_cast<float>(orthogonal_step * steps);
    const double error = 1.0 + 0.51 * std::abs(steps - edge[axis] / step);
    error2 += error * error;
  }
  const double scale = step * bins.inverse_width / orthogonal_step;
  out.scale = static_cast<float>(scale);
  of_scale = std::abs(static_cast<double>(out.scale) / scale - 1.0);
  return step * bins.inverse_width * std::sqrt(error2);
}

/// Error bound of squared distances from the tensor cores [squared bins], of vectors no
/// longer than `radius` [bins].
double error_of_square(double radius) {
  return 64.0 * double_unit * radius * radius;
}

float rounded_down(double v) {
  const auto f = static_cast<float>(v);
  return static_cast<double>(f) <= v ? f : std::nextafter(f, 0.0F);
}
float rounded_up(double v) {
  const auto f = static_cast<float>(v);
  return static_cast<double>(f) >= v ? f : std::nextafter(f, 2.0F);
}

/// The true distance is in [low, high] times the approximate one.
struct Factors {
  double low = 1.0;
  double high = 1.0;
  double start = 0.0;  ///< distance from which on they hold [bins]
};

/// The factors for relative errors `units` [2^-24], an error of_square of the squared
/// distance [squared bins] and an error `error` of the displacement [bins]. The last
/// two matter at short distances: these are left ambiguous up to the point where both
/// are `negligible` [2^-24, relative], as far as that costs few bins. `farthest`: most
/// distances are less [bins]. Empty if too many pairs would be ambiguous.
std::optional<Factors> proportional_errors(const BinScale& bins, double farthest,
                                           double of_square, double error,
                                           ErrorBounds units, double negligible) {
  // An error d of the squared distance causes an error d / (2 s) of the distance s,
  // which is d / (2 s^2) relative to it.
  constexpr double first_edge = 0.9;  // below 1, whatever the error
  const auto relative = [&](double s) { return of_square / (2.0 * s * s) + error / s; };
  const auto both_below = [&](double so_many_units) {
    const double each = so_many_units * unit;
    return std::max(std::sqrt(of_square / (2.0 * each)), error / each);
  };
  Factors factors;
  double from = first_edge;
  if (relative(from) > 2.0 * unit) {
    constexpr double few_bins = 0.015;
    from = std::max({29.0, both_below(small),
                     std::min(both_below(negligible), few_bins * bins.count)});
    factors.start = std::ceil(from / first_edge);
  }
  const double less = 1.001 * (units.less * unit + relative(from));
  // Edges lie edge_shift below integer numbers of bins: the defining function sees
  // distances that are longer by that much.
  const double more = 1.001 * (units.more * unit + relative(from) + edge_shift / from);
  constexpr double most_bins = (1U << 22U) - 2U;
  constexpr double most_ambiguity = 0.2;
  constexpr double largest_start = 0.3;  // of the bins: 3 % of the pairs
  if (bins.count > most_bins || !(more * farthest < most_ambiguity) ||
      !(from < std::max(32.0, largest_start * bins.count))) {
    return std::nullopt;
  }
  factors.low = 1.0 - less;
  factors.high = 1.0 + more;
  return factors;
}

/// Sets the bits of a square that QuantisedCertificate uses for the root, and the
/// distance from which that is accurate. Leaves widest_clusters at 0 if 32 bits are not
/// sufficient. `start`: FastScale::certified_start; there are 2^log2_steps steps per
/// squared bin.
void set_root(const BinScale& bins, double start, int log2_steps,
              QuantisedSquares& out) {
  // Two clusters whose radii add up to less than bins.count, with a pair in range, have
  // no pair beyond three times bins.count; the rest is for roundings.
  int log2_scale = 0;
  while (std::exp2(16 + log2_scale) < 3.1 * (bins.count + 1.0)) {
    ++log2_scale;
  }
  const int shift = log2_steps + 2 * log2_scale;
  constexpr double most_bins = 0x1p18;
  constexpr int most_shift =
      19;  // all 32 below the bit that QuantisedSquares::shift sets
  if (bins.count >= most_bins || shift > most_shift) {
    return;
  }
  constexpr double most_left_out = 0.2;  // error from bits left out [bins]
  const double scale_of_root = std::exp2(log2_scale);
  out.root_shift = static_cast<std::uint32_t>(shift);
  out.root_scale = static_cast<float>(scale_of_root);
  out.root_start = static_cast<float>(std::max(
      start, std::ceil(scale_of_root * scale_of_root / (2.0 * most_left_out))));
  out.widest_clusters = static_cast<float>(bins.count);
}

}  // namespace

std::optional<FastScale> tensor_scale(const BinScale& bins, double radius, double error,
                                      const ApproximationErrors& errors) {
  constexpr double truncation = 1.0;  // the square may be up to 2u more, the root 1u
  constexpr double negligible = 0.0025;
  const auto factors = proportional_errors(
      bins, bins.count, error_of_square(radius), error,
      {errors.root.less, errors.root.more + truncation}, negligible);
  if (!factors) {
    return std::nullopt;
  }
  // Floats are 2^-23 apart above 1 and 2^-24 below. So all distances are scaled up a
  // little, to have both factors below 1, where rounding them outwards costs less. The
  // upper one is not 1, because floats that are integers would then be ambiguous.
  FastScale scale;
  scale.high = 1.0F - 0x1p-24F;
  const double longer = factors->high / static_cast<double>(scale.high);
  scale.coordinate_scale = tensor_core_scale * longer;
  scale.low = rounded_down(factors->low / longer);
  scale.certified_start = static_cast<float>(factors->start);
  return scale;
}

std::optional<FastScale> local_scale(const BinScale& bins, double spread, double radius,
                                     double error, const ApproximationErrors& errors) {
  // Bounds of the quotient (s^2 - L^2) / (s + L) at origin L: the true value is most
  // above it where s = L or L = 0, and most below it where L = 0.
  const double more = 2.0 + 0.5 * (1.0 + errors.root.less) + errors.inverse.more + 2.0;
  const double more_at_0 = 1.0 + 0.5 + errors.root.less + errors.inverse.more + 2.0;
  const double less = 0.5 + errors.root.more + errors.inverse.less + 2.0;
  // Distances beyond the spread, up to a window and the start, must be off by less than
  // half a bin, too, for BlockHistogram::reevaluate_added().
  constexpr float largest_start = 0x1p17F;
  const auto factors = proportional_errors(bins, spread, error_of_square(radius), error,
                                           {less, std::max(more, more_at_0)}, small);
  if (!factors || factors->start > largest_start) {
    return std::nullopt;
  }
  FastScale scale;
  scale.low = rounded_down(factors->low);
  scale.high = rounded_up(factors->high);
  scale.certified_start = static_cast<float>(factors->start);
  return scale;
}

std::optional<FastScale> edge_scale(const BinScale& bins, double radius, double error,
                                    const ApproximationErrors& errors) {
  constexpr double truncation = 1.0;
  constexpr double most_of_root =
      0.4;  // the edge is then the nearest or the next [bins]
  constexpr double roundings_of_definition = 32.0 * double_unit;
  const double count = bins.count + 1.0;
  const double of_root = (errors.root.more + truncation) * unit * count;
  const double of_square =
      1.01 * (error_of_square(radius) + 2.0 * count * (error + edge_shift) +
              roundings_of_definition * count * count);
  // From here on the error of the square is less than the rest of a bin.
  const double start = std::ceil(2.0 + 6.0 * of_square);
  constexpr double largest_start = 0.05;
  if (!(of_root < most_of_root) ||
      !(start < std::max(32.0, largest_start * bins.count))) {
    return std::nullopt;
  }
  FastScale scale;
  scale.certified_start = static_cast<float>(start);
  // Largest |s^2 - k^2| of a pair whose edge k is the nearest or the next.
  const double largest = 2.0 * count + 1.0;
  const int log2_steps = 30 - static_cast<int>(std::ceil(std::log2(largest)));
  const double per_square = std::exp2(log2_steps);
  // Rounding errors in steps. Two if the shift is added at the end; if the tensor cores
  // add to it, nine additions with half a step each, or a whole one if they truncate.
  constexpr double roundings_of_quantised = 12.0;
  scale.quantised.per_square = static_cast<std::uint32_t>(per_square);
  scale.quantised.error = static_cast<std::uint32_t>(
      std::ceil(of_square * per_square + roundings_of_quantised));
  scale.quantised.step = tensor_core_scale * tensor_core_scale / per_square;
  scale.quantised.shift = 0x1.8p52 * scale.quantised.step;
  set_root(bins, start, log2_steps, scale.quantised);
  return scale;
}

std::optional<FastScale> lattice_scale(const FixedLattice& lattice,
                                       const BinScale& bins,
                                       const ApproximationErrors& errors) {
  if (!lattice.usable) {
    return std::nullopt;
  }
  FastScale out;
  const ErrorBounds root =
      lattice.metric == Metric::searched ? errors.product : errors.root;
  const double of_root = std::max(root.less, root.more);
  double relative = static_cast<double>(lattice.fast.error_rel) + of_root * unit;
  double absolute = lattice.fast.error_abs;
  if (lattice.metric == Metric::isotropic || lattice.metric == Metric::diagonal) {
    double of_scale = 0.0;
    absolute += set_orthogonal_steps(lattice, bins, out, of_scale);
    relative = (1.6 + of_root) * unit + of_scale;  // squares and sums 1.5, and the root
  }
  const auto filter_bound = make_filter_bound(relative, absolute, bins);
  if (!filter_bound) {
    return std::nullopt;
  }
  out.filter_bound = *filter_bound;
  return out;
}

}  // namespace starhist::kernels::cuda
