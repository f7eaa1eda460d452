#include "codelets/core/counting/bins.hh"

#include <cmath>
#include <map>
#include <mutex>

#include "codelets/core/base/contract.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"

namespace starhist {

UniformBins make_bins(double r_max, std::uint64_t count, std::uint64_t below) {
  if (!std::isfinite(r_max) || r_max <= 0.0) {
    throw InputError("r_max = " + number_text(r_max) +
                     " is not a length (it must be finite and positive)");
  }
  if (!std::isfinite(r_max * r_max)) {
    throw InputError("r_max = " + number_text(r_max) +
                     " is too large: a double cannot hold its square");
  }
  if (count == 0 || count > max_bin_count) {
    throw InputError("bin count = " + std::to_string(count) +
                     " is not usable (give 1 to " + std::to_string(max_bin_count) +
                     ")");
  }
  if (below > max_bin_count - count) {
    throw InputError(std::to_string(count) + " bins, and " + std::to_string(below) +
                     " below them, are more than " + std::to_string(max_bin_count));
  }
  UniformBins bins;
  bins.r_max = r_max;
  bins.count = static_cast<std::uint32_t>(count);
  bins.below = static_cast<std::uint32_t>(below);
  bins.inverse_width = static_cast<double>(count + below) / r_max;
  if (!std::isfinite(bins.inverse_width)) {
    throw InputError("r_max = " + number_text(r_max) + " with " +
                     std::to_string(count) +
                     " bins gives a bin width that a double cannot hold");
  }
  STARHIST_ENSURE(bins.inverse_width > 0.0 && bins.width() > 0.0,
                  "the width of a bin can be represented");
  return bins;
}

double UniformBins::width() const {
  if (!uniform()) {
    throw InternalError("bins between explicit edges have no common width");
  }
  STARHIST_EXPECT(count_from_zero() > 0, "empty bins have no width");
  return r_max / count_from_zero();
}

namespace {

/// Lowering of explicit edges in units of the largest one.
constexpr double explicit_edge_shift = 0x1p-40;
/// Smallest difference of explicit edges in the same unit.
constexpr double smallest_step = 0x1p-30;

void check_edges(const std::vector<double>& edges) {
  if (edges.size() < 2) {
    throw InputError("one edge makes no bin: give at least two, such as 0,0.1,0.3");
  }
  if (edges.size() > max_explicit_bins + 1) {
    throw InputError(std::to_string(edges.size()) + " edges are more than the " +
                     std::to_string(max_explicit_bins + 1) +
                     " that are compared with each distance: give fewer, or --bins "
                     "for bins of equal width");
  }
  const double last = edges.back();
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const std::string text = "edge " + number_text(edges[k]);
    if (!std::isfinite(edges[k] * edges[k]) || edges[k] < 0.0) {
      throw InputError(text + " is not a distance (edges are finite and 0 or more)");
    }
    if (k > 0 && edges[k] <= edges[k - 1]) {
      throw InputError(text + " follows " + number_text(edges[k - 1]) +
                       " (edges must rise): sort them, without repetitions");
    }
    if (k > 0 && !(edges[k] - edges[k - 1] > smallest_step * last)) {
      throw InputError(text + " is too close to " + number_text(edges[k - 1]) +
                       " (edges must differ by more than a billionth of the largest, " +
                       number_text(last) + "): omit one of them");
    }
  }
}

/// Arrays for edges from 0 on, the same ones for equal edges. They are never freed:
/// bins are plain values, copied into tasks and kernels.
BinEdges kept_edges(const std::vector<double>& edges) {
  static std::mutex mutex;
  static auto& kept = *new std::map<std::vector<double>, std::vector<double>>();
  const std::lock_guard lock(mutex);
  const auto [entry, is_new] = kept.try_emplace(edges);
  if (is_new) {
    const double shift = explicit_edge_shift * edges.back();
    for (const double edge : edges) {
      const double lowered = edge > 0.0 ? edge - shift : 0.0;
      entry->second.push_back(lowered * lowered);
    }
  }
  return {entry->first.data(), entry->second.data()};
}

}  // namespace

UniformBins make_bins_between(const std::vector<double>& edges) {
  check_edges(edges);
  std::vector<double> from_zero = edges;
  if (edges.front() != 0.0) {
    from_zero.insert(from_zero.begin(), 0.0);
  }
  from_zero.front() = 0.0;  // not -0
  if (from_zero[1] <= smallest_step * edges.back()) {
    throw InputError("edge " + number_text(from_zero[1]) +
                     " is too close to 0 (less than a billionth of the largest, " +
                     number_text(edges.back()) + "): give 0 or a larger edge");
  }
  UniformBins bins =
      make_bins(edges.back(), edges.size() - 1, from_zero.size() - edges.size());
  bins.edges = kept_edges(from_zero);
  STARHIST_ENSURE(bins.r_min() == edges.front() && bins.edge(bins.count) == bins.r_max,
                  "bins are between the first and the last edge");
  return bins;
}

std::vector<double> logarithmic_edges(double r_min, double r_max, std::uint64_t count) {
  if (!(r_min > 0.0 && r_min < r_max) || !std::isfinite(r_max)) {
    throw InputError("logarithmic bins from " + number_text(r_min) + " to " +
                     number_text(r_max) +
                     " do not exist (the first edge must be positive and below the "
                     "last): correct --r-min or --r-max");
  }
  if (count == 0 || count > max_explicit_bins) {
    throw InputError(std::to_string(count) +
                     " logarithmic bins are not usable (give 1 "
                     "to " +
                     std::to_string(max_explicit_bins) + ")");
  }
  std::vector<double> edges;
  for (std::uint64_t k = 0; k < count; ++k) {
    edges.push_back(r_min * std::pow(r_max / r_min, static_cast<double>(k) /
                                                        static_cast<double>(count)));
  }
  edges.push_back(r_max);
  return edges;
}

std::vector<double> bin_edges(const UniformBins& bins) {
  std::vector<double> edges(bins.count + 1ULL);
  for (std::uint32_t k = 0; k <= bins.count; ++k) {
    edges[k] = bins.edge(k);
  }
  return edges;
}

}  // namespace starhist
