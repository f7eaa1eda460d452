#include "codelets/core/analysis/axes/second_axis_distribution.hh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "codelets/core/analysis/distribution_errors.hh"
#include "codelets/core/analysis/jackknife.hh"
#include "codelets/core/analysis/radial_distribution.hh"
#include "codelets/core/base/error.hh"

namespace starhist::analysis {
namespace {

/// Volume of the points of a ball that are at most `height` from a plane through its
/// centre.
double layer_of_ball(double radius, double height) {
  const double h = std::min(height, radius);
  return 2.0 * std::numbers::pi * h * (radius * radius - h * h / 3.0);
}

double legendre(int degree, double x) {
  double before = 1.0;
  double value = x;
  for (int n = 1; n < degree; ++n) {  // Bonnet's recursion
    const double next = ((2.0 * n + 1.0) * x * value - n * before) / (n + 1.0);
    before = value;
    value = next;
  }
  return degree == 0 ? 1.0 : value;
}

/// Height of the part of an annulus in a bin of separations, above and below its centre
/// [length]; 0 beyond half the smallest period, where not all of it is in each box.
double height_of_part(const SecondAxis& axis, double half_period,
                      std::uint32_t column) {
  constexpr double tolerance = 1e-6;  // as in normalizable_bins()
  const double top = axis.edge(column + 1, 0.0);
  return top <= half_period * (1.0 + tolerance) ? 2.0 * (top - axis.edge(column, 0.0))
                                                : 0.0;
}

/// Half the smallest period along the normal of a plane.
double smallest_half_period(const SecondAxis& axis,
                            const std::vector<BlockCounts>& blocks) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const BlockCounts& block : blocks) {
    smallest = std::min(smallest, block.half_period);
  }
  if (smallest == 0.0) {
    throw InputError("g by distance and " + to_string(axis) +
                     " needs a volume, but the box is open along the normal of the "
                     "plane: count with a periodic box (--box), or export --quantity "
                     "axis2-counts");
  }
  return smallest;
}

}  // namespace

double share_of_shell(const UniformBins& bins, const SecondAxis& axis, std::uint32_t k,
                      std::uint32_t column) {
  if (axis.kind == SecondAxis::Kind::cosine) {
    return 1.0 / axis.count;
  }
  const auto within = [&](std::uint32_t edge) {
    const double height = axis.edge(edge, bins.r_max);
    return layer_of_ball(bins.edge(k + 1), height) -
           layer_of_ball(bins.edge(k), height);
  };
  if (axis.edge(column, bins.r_max) >= bins.edge(k + 1)) {
    return 0.0;
  }
  return (within(column + 1) - within(column)) / shell_volume(bins, k);
}

SecondAxisValues second_axis_distribution(const HistogramLayout& layout,
                                          const std::vector<BlockCounts>& blocks,
                                          PairId pair) {
  constexpr auto normalization = Normalization::pairs_over_volume;
  const SecondAxis& axis = *layout.second;
  const UniformBins& bins = layout.bins;
  const std::size_t p = pair.index();
  const ShellVolumes shells(layout, blocks);
  const std::size_t cells = std::size_t{bins.count} * axis.count;
  const auto orders = static_cast<double>(axis.orders(layout.pairs[p].like()));
  SecondAxisValues g;
  g.values.assign(cells, std::numeric_limits<double>::quiet_NaN());
  g.errors = g.values;
  std::vector<BlockCounts> of_column;  // with the counts of one column
  for (const BlockCounts& block : blocks) {
    of_column.push_back(block);
    of_column.back().second.clear();
    if (axis.along_normal()) {
      of_column.back().pairs_over_volume = block.pairs_over_space;
    }
  }
  const double half_period =
      axis.along_normal() ? smallest_half_period(axis, blocks) : 0.0;
  const std::uint32_t rows = axis.along_normal() ? shells.defined() : shells.whole();
  for (std::uint32_t column = 0; column < axis.count; ++column) {
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      for (std::size_t k = 0; k < bins.count; ++k) {
        of_column[b].counts[p][k] = blocks[b].second[p][k * axis.columns() + column];
      }
    }
    const auto values =
        radial_distribution(layout, of_column, shells, pair, normalization);
    const auto errors =
        radial_distribution_errors(layout, of_column, shells, pair, normalization);
    for (std::uint32_t k = 0; k < rows; ++k) {
      const double share = axis.along_normal()
                               ? height_of_part(axis, half_period, column)
                               : share_of_shell(bins, axis, k, column);
      if (share > 0.0) {
        const std::size_t cell = std::size_t{k} * axis.count + column;
        g.values[cell] = values[k] / (orders * share);
        g.errors[cell] = errors[k] / (orders * share);
      }
    }
  }
  return g;
}

double mean_legendre(int degree, double low, double high) {
  // The derivative of P_{n+1} - P_{n-1} is (2 n + 1) P_n.
  const auto integral = [degree](double x) {
    return (legendre(degree + 1, x) - legendre(degree - 1, x)) / (2.0 * degree + 1.0);
  };
  return (integral(high) - integral(low)) / (high - low);
}

SecondAxisValues legendre_moments(const HistogramLayout& layout,
                                  const std::vector<BlockCounts>& blocks, PairId pair,
                                  int degree) {
  const SecondAxis& axis = *layout.second;
  const double r_max = layout.bins.r_max;
  std::vector<double> weights;
  for (const BlockCounts& block : blocks) {
    weights.push_back(block.frames);
  }
  std::vector<double> polynomial;
  for (std::uint32_t c = 0; c < axis.count; ++c) {
    polynomial.push_back(
        mean_legendre(degree, axis.edge(c, r_max), axis.edge(c + 1, r_max)));
  }
  SecondAxisValues moments;
  std::vector<double> above(blocks.size());
  std::vector<double> below(blocks.size());
  for (std::size_t k = 0; k < layout.bins.count; ++k) {
    double all_above = 0.0;
    double all_below = 0.0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      above[b] = 0.0;
      below[b] = 0.0;
      for (std::size_t c = 0; c < axis.count; ++c) {
        const auto count =
            static_cast<double>(blocks[b].second[pair.index()][k * axis.count + c]);
        above[b] += count * polynomial[c];
        below[b] += count;
      }
      all_above += above[b];
      all_below += below[b];
    }
    moments.values.push_back(all_above / all_below);
    moments.errors.push_back(jackknife_error(weights, [&](std::size_t b) {
      return (all_above - above[b]) / (all_below - below[b]);
    }));
  }
  return moments;
}

}  // namespace starhist::analysis
