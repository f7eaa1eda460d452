#include "codelets/core/analysis/bin_ranges.hh"

#include <algorithm>
#include <cmath>

#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"

namespace starhist::analysis {
namespace {

BinRange range_between(const UniformBins& bins, std::uint32_t first,
                       std::uint32_t last) {
  return {first, last, bins.middle(first, last)};
}

std::string bins_text(const UniformBins& bins) {
  return bins.uniform()
             ? "the bins are " + decimal_text(bins.width()) + " wide, from " +
                   decimal_text(bins.r_min()) + " to " + decimal_text(bins.r_max)
             : "the bins are from " + number_text(bins.r_min()) + " to " +
                   number_text(bins.r_max);
}

/// Throws InputError for bins of unequal width, which `option` cannot merge.
void check_uniform(const UniformBins& bins, const std::string& option) {
  if (!bins.uniform()) {
    throw InputError(option +
                     " needs bins of equal width, and these have explicit "
                     "edges: merge them with --rebin N, or count with --bins N");
  }
}

[[noreturn]] void refuse_outside(const UniformBins& bins, double r) {
  throw InputError("--rebin edge " + number_text(r) + " is outside the result (" +
                   bins_text(bins) + "): give edges in this range");
}

/// Number of the explicit edge at r.
std::uint32_t explicit_edge_index(const UniformBins& bins, double r) {
  std::uint32_t above = 0;
  while (above < bins.count && bins.edge(above) < r * (1.0 - 1e-9)) {
    ++above;
  }
  if (std::abs(bins.edge(above) - r) <= 1e-9 * r) {
    return above;
  }
  if (!(r > bins.r_min() && r < bins.r_max)) {
    refuse_outside(bins, r);
  }
  throw InputError("--rebin edge " + number_text(r) +
                   " is not a bin edge of the result: the nearest are " +
                   decimal_text(bins.edge(above - 1)) + " and " +
                   decimal_text(bins.edge(above)));
}

/// Number of the bin edge at r.
std::uint32_t edge_index(const UniformBins& bins, double r) {
  if (!bins.uniform()) {
    return explicit_edge_index(bins, r);
  }
  const double exact = r / bins.width() - bins.below;
  const double whole = std::round(exact);
  const double count = bins.count;
  if (std::isfinite(exact) && whole >= 0.0 && whole <= count &&
      std::abs(exact - whole) <= 1e-9 * std::max(1.0, whole + bins.below)) {
    return static_cast<std::uint32_t>(whole);
  }
  if (!(exact >= 0.0 && exact <= count)) {
    refuse_outside(bins, r);
  }
  const auto below = static_cast<std::uint32_t>(std::floor(exact));
  throw InputError("--rebin edge " + number_text(r) +
                   " is not a bin edge of the result (" + bins_text(bins) +
                   "): the nearest are " + decimal_text(bins.edge(below)) + " and " +
                   decimal_text(bins.edge(below + 1)));
}

std::vector<BinRange> ranges_between(const UniformBins& bins,
                                     const std::vector<std::uint32_t>& edges) {
  std::vector<BinRange> ranges;
  for (std::size_t e = 1; e < edges.size(); ++e) {
    ranges.push_back(range_between(bins, edges[e - 1], edges[e]));
  }
  return ranges;
}

void check_number(const UniformBins& bins, std::uint32_t number) {
  if (number == 0 || number > bins.count) {
    throw InputError("--rebin needs a number from 1 to the " +
                     std::to_string(bins.count) + " bins of the result, not " +
                     std::to_string(number));
  }
}

std::vector<BinRange> merged(const UniformBins& bins, std::uint32_t number) {
  check_number(bins, number);
  std::vector<std::uint32_t> edges;
  for (std::uint64_t edge = 0; edge <= bins.count; edge += number) {
    edges.push_back(static_cast<std::uint32_t>(edge));
  }
  return ranges_between(bins, edges);
}

std::vector<BinRange> logarithmic(const UniformBins& bins, std::uint32_t number) {
  check_number(bins, number);
  check_uniform(bins, "--rebin log:N");
  // Edges in widths from r = 0; the logarithm needs a first edge above 0.
  const std::uint32_t start = std::max(bins.below, 1U);
  const std::uint32_t end = bins.count_from_zero();
  std::vector<std::uint32_t> edges;
  if (bins.below == 0) {
    edges.push_back(0);
  }
  for (std::uint32_t i = 0; i <= number; ++i) {
    const double exact =
        start * std::pow(static_cast<double>(end) / start, i / double(number));
    const auto edge = static_cast<std::uint32_t>(std::round(exact)) - bins.below;
    if (edges.empty() || edge > edges.back()) {
      edges.push_back(std::min(edge, bins.count));
    }
  }
  return ranges_between(bins, edges);
}

std::vector<BinRange> at_edges(const UniformBins& bins,
                               const std::vector<double>& edges) {
  std::vector<std::uint32_t> indices;
  for (const double edge : edges) {
    indices.push_back(edge_index(bins, edge));
    if (indices.size() > 1 && indices.back() <= indices[indices.size() - 2]) {
      throw InputError("--rebin edge " + number_text(edge) +
                       " is not above the one before it (edges must ascend)");
    }
  }
  if (indices.size() < 2) {
    throw InputError("--rebin needs at least two edges, such as 0,0.5,1");
  }
  return ranges_between(bins, indices);
}

}  // namespace

std::vector<BinRange> bin_ranges(const UniformBins& bins, const Rebinning& rebinning) {
  switch (rebinning.kind) {
    case Rebinning::Kind::each_bin:
      return merged(bins, 1);
    case Rebinning::Kind::merged:
      return merged(bins, rebinning.number);
    case Rebinning::Kind::logarithmic:
      return logarithmic(bins, rebinning.number);
    case Rebinning::Kind::at_edges:
      return at_edges(bins, rebinning.edges);
  }
  throw InternalError("unknown rebinning");
}

std::vector<BinRange> centred_ranges(const UniformBins& bins) {
  check_uniform(bins, "a table of centred bins");
  if (bins.below > 0) {
    throw InputError("centred bins start at r = 0, but counts start at " +
                     decimal_text(bins.r_min()) + " (count without --r-min)");
  }
  std::vector<BinRange> ranges{{0, 1, 0.0}};
  for (std::uint32_t k = 1; k + 1 < bins.count; k += 2) {
    ranges.push_back({k, k + 2, bins.edge(k + 1)});
  }
  return ranges;
}

std::vector<BinRange> running_ranges(const UniformBins& bins, std::uint32_t half,
                                     std::uint32_t end) {
  std::vector<BinRange> ranges;
  for (std::uint32_t k = 0; k < bins.count; ++k) {
    const std::uint32_t inside = k < end ? std::min({half, k, end - 1 - k}) : 0;
    ranges.push_back(range_between(bins, k - inside, k + inside + 1));
  }
  return ranges;
}

std::uint32_t running_half_width(const UniformBins& bins, double width) {
  check_uniform(bins, "--smooth");
  const double in_bins = width / bins.width();
  if (!(in_bins >= 2.0 - 1e-9 && in_bins <= bins.count)) {
    throw InputError("--smooth " + number_text(width) +
                     " must span at least two bins and at most all (" +
                     bins_text(bins) + ")");
  }
  return static_cast<std::uint32_t>(std::max(1.0, std::round(0.5 * (in_bins - 1.0))));
}

}  // namespace starhist::analysis
