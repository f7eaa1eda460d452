#include "codelets/core/counting/bins.hh"

#include <cmath>

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
  return bins;
}

std::vector<double> bin_edges(const UniformBins& bins) {
  std::vector<double> edges(bins.count + 1ULL);
  for (std::uint32_t k = 0; k <= bins.count; ++k) {
    edges[k] = bins.edge(k);
  }
  return edges;
}

}  // namespace starhist
