#pragma once

#include <vector>

#include "codelets/core/analysis/jackknife.hh"

namespace starhist::analysis {

/// Curves of an estimate and their standard errors: [curve][point].
struct CurvesWithErrors {
  std::vector<std::vector<double>> values;
  std::vector<std::vector<double>> errors;  ///< NaN from fewer than two groups
};

/// Curves from the sum of all groups, with jackknife errors over the groups, of which
/// there is at least one. `Sums` has +=, without() and weight(), as jackknife_error()
/// needs them; estimate(Sums) returns the curves [curve][point].
template <class Sums, class Estimate>
CurvesWithErrors jackknife_curves(const std::vector<Sums>& groups, Estimate estimate) {
  Sums all = groups.front();
  for (std::size_t g = 1; g < groups.size(); ++g) {
    all += groups[g];
  }
  CurvesWithErrors curves{estimate(all), {}};
  std::vector<std::vector<std::vector<double>>> without;
  std::vector<double> weights;
  if (groups.size() > 1) {
    for (const Sums& group : groups) {
      without.push_back(estimate(all.without(group)));
      weights.push_back(group.weight());
    }
  }
  for (std::size_t c = 0; c < curves.values.size(); ++c) {
    curves.errors.emplace_back();
    for (std::size_t i = 0; i < curves.values[c].size(); ++i) {
      curves.errors[c].push_back(
          jackknife_error(weights, [&](std::size_t g) { return without[g][c][i]; }));
    }
  }
  return curves;
}

}  // namespace starhist::analysis
