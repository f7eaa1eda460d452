#include "io/export/tables/scattering_plan.hh"

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/export/analysis_tables.hh"
#include "io/export/default_q.hh"

namespace starhist::io {
namespace {

void check_volume(const ResultFile& result) {
  for (const BlockCounts& block : result.blocks) {
    if (!(block.volume > 0.0)) {
      throw InputError(
          "the transform of g(r) needs a volume, but the boxes of block " +
          std::to_string(block.index.get()) + " of " + result.path +
          " are not periodic along all three axes (--debye sums over all pairs)");
    }
  }
}

void check_debye(const ResultFile& result, const AnalysisRequest& request) {
  const HistogramLayout& layout = result.layout;
  const auto refuse = [](const std::string& option) {
    throw InputError("--debye sums over all pairs as counted: " + option +
                     " has no meaning with it");
  };
  if (request.window != analysis::Window::none) {
    refuse("--window");
  }
  if (request.r_cut) {
    refuse("--r-cut");
  }
  if (request.partials && request.partials != Partials::ashcroft_langreth) {
    refuse("--partials " + to_string(*request.partials) +
           ", which is relative to a uniform density,");
  }
  const BlockCounts all = total(result.blocks);
  for (std::size_t p = 0; p < layout.pairs.size(); ++p) {
    if (all.out_of_range[p] > 0) {
      throw InputError("--debye needs all pairs, but " + grouped(all.out_of_range[p]) +
                       " of " + grouped(all.pairs[p]) + " " +
                       pair_name(layout.pairs[p], layout.species) +
                       " pairs lie beyond r_max " + number_text(layout.bins.r_max) +
                       " (count with a larger --r-max)");
    }
  }
}

}  // namespace

ScatteringPlan plan_scattering(const ResultFile& result,
                               const AnalysisRequest& request) {
  ScatteringPlan plan;
  const UniformBins bins = result.layout.bins;
  if (request.debye) {
    check_debye(result, request);
    plan.bin_count = bins.count;
  } else {
    check_volume(result);
    plan.shells.emplace(result.layout, result.blocks);
    plan.bin_count = bins_below_cut(result, request.r_cut, plan.shells->defined(),
                                    "up to where g(r) is defined");
    if (plan.bin_count == 0) {
      throw InputError(
          "no bin of " + result.path +
          " lies in the range where g(r) is defined (count with narrower bins)");
    }
  }
  plan.grid = choose_q_grid(request, result.layout, bins.edge(plan.bin_count));
  return plan;
}

}  // namespace starhist::io
