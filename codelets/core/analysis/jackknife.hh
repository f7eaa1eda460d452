#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace starhist::analysis {

/// Standard error of an estimate from independent groups of frames: without(j) is the
/// estimate from all groups but j, and weights[j] is the number of frames of group j.
/// A group of weight 0 adds nothing to the estimate and is left out. NaN from fewer
/// than two groups, and if an estimate is NaN, such as without the only group that has
/// counts.
///
/// The jackknife is right for ratios of sums too, of which the mean over groups would
/// be biased (Quenouille, Biometrika 43, 353 (1956)). With shares w_j of the weights
/// and k groups it is the delete-m_j jackknife (Busing, Meijer and van der Leeden,
/// Statistics and Computing 9, 3 (1999)):
///
///   variance = sum_j (1 - w_j)^2 (without(j) - mean)^2 / sum_j w_j (1 - w_j),
///   mean = sum_j (1 - w_j) without(j) / (k - 1).
///
/// For equal groups this is the ordinary jackknife (Efron, SIAM CBMS-NSF 38 (1982), eq.
/// 3.1). For means of frames x_j of variance s^2 / w_j the j-th term of the upper sum
/// is w_j^2 (x_j - x)^2, whose expectation is s^2 w_j (1 - w_j), so the variance is
/// unbiased whatever the lengths. Busing et al. divide each term by its own w_j (1 -
/// w_j) and take the mean, which is unbiased as well. But a last group of one frame
/// then counts as much as one of 100, and its term is too small if it is shorter than
/// the correlation time of the frames. Here it counts by its length.
///
/// Weights are numbers of frames, not the denominators of the estimates, because the
/// variance of a sum over m frames grows as m, whatever is summed.
template <class Without>
double jackknife_error(const std::vector<double>& weights, Without without) {
  double all = 0.0;
  std::size_t groups = 0;
  for (const double weight : weights) {
    all += weight;
    groups += weight > 0.0 ? 1 : 0;
  }
  if (groups < 2) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  double mean = 0.0;
  std::size_t first = 0;
  while (!(weights[first] > 0.0)) {
    ++first;
  }
  bool equal = true;  // false if an estimate is NaN
  for (std::size_t j = first; j < weights.size(); ++j) {
    if (weights[j] > 0.0) {
      equal = equal && without(j) == without(first);
      mean += (1.0 - weights[j] / all) * without(j) / static_cast<double>(groups - 1);
    }
  }
  if (equal) {  // the sums below would leave their rounding
    return 0.0;
  }
  double squares = 0.0;
  double expected = 0.0;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (weights[j] > 0.0) {
      const double share = weights[j] / all;
      const double off = (1.0 - share) * (without(j) - mean);
      squares += off * off;
      expected += share * (1.0 - share);
    }
  }
  return std::sqrt(squares / expected);
}

/// Adds `sign` times `other` to `values`, which are as long or empty.
inline void add_to(std::vector<double>& values, const std::vector<double>& other,
                   double sign) {
  values.resize(other.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] += sign * other[i];
  }
}

inline void add_to(std::vector<std::vector<double>>& rows,
                   const std::vector<std::vector<double>>& other, double sign) {
  rows.resize(other.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    add_to(rows[i], other[i], sign);
  }
}

/// The sums of all groups but one.
template <class Sums>
Sums without(Sums all, const Sums& group) {
  all.add(group, -1.0);
  return all;
}

/// Curves of an estimate and their standard errors: [curve][point].
struct CurvesWithErrors {
  std::vector<std::vector<double>> values;
  std::vector<std::vector<double>> errors;  ///< NaN from fewer than two groups
};

/// Curves from the sum of all groups, with jackknife errors over the groups, of which
/// there is at least one. `Sums` has add(other, sign), which adds or subtracts sums,
/// and weight(), as jackknife_error() needs it; estimate(Sums) returns the curves
/// [curve][point].
template <class Sums, class Estimate>
CurvesWithErrors jackknife_curves(const std::vector<Sums>& groups, Estimate estimate) {
  Sums all = groups.front();
  for (std::size_t g = 1; g < groups.size(); ++g) {
    all.add(groups[g]);
  }
  CurvesWithErrors curves{estimate(all), {}};
  std::vector<std::vector<std::vector<double>>> estimates;  // without each group
  std::vector<double> weights;
  if (groups.size() > 1) {
    for (const Sums& group : groups) {
      estimates.push_back(estimate(without(all, group)));
      weights.push_back(group.weight());
    }
  }
  for (std::size_t c = 0; c < curves.values.size(); ++c) {
    curves.errors.emplace_back();
    for (std::size_t i = 0; i < curves.values[c].size(); ++i) {
      curves.errors[c].push_back(
          jackknife_error(weights, [&](std::size_t g) { return estimates[g][c][i]; }));
    }
  }
  return curves;
}

/// Groups of consecutive blocks, as equal in number as possible. The jackknife needs
/// some tens of groups; its time and memory grow with their number.
struct BlockGroups {
  std::size_t blocks = 0;  ///< number of blocks
  std::size_t groups = 0;  ///< number of groups [<= blocks]

  BlockGroups(std::size_t block_count, std::size_t most_groups)
      : blocks(block_count),
        groups(block_count < most_groups ? block_count : most_groups) {}

  /// Number of the group of a block.
  std::size_t of(std::size_t block) const { return block * groups / blocks; }
};

/// Largest number of groups for errors of transforms.
inline constexpr std::size_t most_error_groups = 50;

}  // namespace starhist::analysis
