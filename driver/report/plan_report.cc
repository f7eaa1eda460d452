#include "driver/report/plan_report.hh"

#include <algorithm>
#include <iomanip>
#include <numeric>
#include <ostream>
#include <sstream>

#include "codelets/core/base/text.hh"
#include "codelets/kernels/clusters/spatial_order.hh"
#include "codelets/kernels/cpu/cluster_census.hh"
#include "codelets/kernels/species_positions.hh"
#include "driver/run/exclusions.hh"
#include "tasks/planning/counting_speeds.hh"
#include "tasks/run_planner.hh"

namespace starhist::driver {
namespace {

using Positions = std::vector<double>;

/// Maximum number of species pairs with separate rows.
constexpr std::uint32_t most_rows = 20;

std::vector<Positions> sorted_positions(const Frame& frame) {
  std::vector<Positions> sorted = frame.positions;
  for (std::size_t s = 0; s < sorted.size(); ++s) {
    const kernels::PositionSpan span{frame.positions[s].data(),
                                     frame.positions[s].size() / 3};
    kernels::copy_in_spatial_order(span, frame.box.minimum_image(),
                                   kernels::ClusterAxes::lattice, sorted[s].data());
  }
  return sorted;
}

void print(std::ostream& out, const std::string& name,
           const kernels::cpu::ClusterCensus& census) {
  const auto percent = [&](std::uint64_t pairs) {
    return census.pairs == 0
               ? 0.0
               : 100.0 * static_cast<double>(pairs) / static_cast<double>(census.pairs);
  };
  out << std::left << std::setw(12) << name << std::right << std::setw(20)
      << grouped(census.pairs) << std::fixed << std::setprecision(2) << std::setw(14)
      << percent(census.out_of_range()) << std::setw(12) << percent(census.rounded)
      << std::setw(12) << percent(census.general) << '\n';
}

/// Prints the cluster census of all pairs of the frame, before exclusions.
void report_clusters(std::ostream& out, const HistogramLayout& layout,
                     const PairExclusions& exclusions, const Frame& frame,
                     bool clustered) {
  const UniformBins bins = layout.bins.from_zero();
  out << "Clusters are groups of particles close to each other. "
      << (clustered ? "The run treats\n" : "With them, the run\nwould treat ")
      << "the pairs of frame " << frame.index.get() << " ("
      << to_string(frame.box.kind())
      << " box) as follows (shares in %):\n"
         "out of range  skipped, because their clusters are farther apart than r_max\n"
         "image         the nearest periodic image is the same for all their pairs\n"
         "search        the nearest periodic image is determined for each pair\n"
      << "pair                       pairs  out of range       image      search\n";
  const std::vector<Positions> sorted = sorted_positions(frame);
  kernels::cpu::ClusterCensus all;
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    const SpeciesPair& pair = layout.pairs[p];
    const kernels::cpu::ClusterCensus census = kernels::cpu::take_cluster_census(
        kernels::all_rows(pair, sorted, frame.box, bins));
    if (p < most_rows) {
      print(out, pair_name(pair, layout.species), census);
    } else if (p == most_rows) {
      out << "... (" << grouped(layout.pairs.size()) << " pairs in all)\n";
    }
    all.pairs += census.pairs;
    all.rounded += census.rounded;
    all.general += census.general;
  }
  print(out, "all", all);
  const std::vector<std::uint64_t> excluded =
      exclusions.numbers(layout, frame).excluded;
  const std::string sentence = exclusion_sentence(
      layout.exclusion,
      std::accumulate(excluded.begin(), excluded.end(), std::uint64_t{0}));
  out << (sentence.empty() ? "" : sentence + "\n");
}

std::string properties_of(const perfmodels::GpuProperties& gpu) {
  constexpr double gigahertz = 1e9;
  std::ostringstream text;
  text << "compute capability " << gpu.capability / 10 << '.' << gpu.capability % 10
       << ", " << gpu.multiprocessors << " multiprocessors, " << std::setprecision(3)
       << gpu.clock / gigahertz << " GHz";
  return text.str();
}

/// Properties of GPUs, each kind once; of an H100 if CUDA does not report them.
std::string properties_of(const std::map<int, perfmodels::GpuProperties>& gpus) {
  std::vector<std::string> kinds;
  for (const auto& [number, gpu] : gpus) {
    const std::string text = properties_of(gpu);
    if (std::find(kinds.begin(), kinds.end(), text) == kinds.end()) {
      kinds.push_back(text);
    }
  }
  return kinds.empty() ? properties_of(perfmodels::GpuProperties{}) : join(kinds, "; ");
}

/// Prints the basis of the predicted speed of the workers `whose`. `properties`: the
/// basis without measurements.
void report_source(std::ostream& out, const std::string& whose,
                   perfmodels::SpeedSource source, const std::string& properties) {
  out << "speed of " << whose << ": ";
  switch (source) {
    case perfmodels::SpeedSource::history:
      out << "measured models";
      break;
    case perfmodels::SpeedSource::this_run:
      out << "tasks of this run";
      break;
    case perfmodels::SpeedSource::other_order:
      out << "measured models of the other order of particles";
      break;
    case perfmodels::SpeedSource::properties:
      out << "estimate for " << properties;
      break;
  }
  out << (perfmodels::is_measured(source) ? "\n"
                                          : " (starhist calibrate measures it)\n");
}

}  // namespace

double planned_seconds(tasks::Runtime& runtime, const HistogramLayout& layout,
                       const PairExclusions& exclusions,
                       const tasks::CountingOptions& options, const Frame& frame) {
  const tasks::RunPlan plan =
      tasks::plan_run(runtime, layout, exclusions, options, frame);
  return tasks::predicted_seconds(tasks::counting_speeds(plan.machine, plan.work),
                                  plan.work);
}

void report_plan(std::ostream& out, tasks::Runtime& runtime,
                 const HistogramLayout& layout, const PairExclusions& exclusions,
                 const tasks::CountingOptions& options, const Frame& frame) {
  const auto [labels, work, machine, plan] =
      tasks::plan_run(runtime, layout, exclusions, options, frame);
  const tasks::CountingSpeeds speeds = tasks::counting_speeds(machine, work);
  if (work.pairs_per_frame + work.labelled_pairs_per_frame == 0) {
    out << "no selected frame has a pair to count; plan for the last frame:\n";
  }
  if (counts_only_same(layout.exclusion)) {
    out << "frame " << frame.index.get() << ": " << grouped(work.pairs_per_frame)
        << " pairs of the same " << to_string(compound_of(layout.exclusion))
        << ", evaluated one by one; other pairs are not evaluated\n";
  } else {
    const std::string reason =
        options.clusters != tasks::Clustering::automatic
            ? "as requested"
            : std::string("because the run is expected to be faster with") +
                  (plan.clustered ? "" : "out") + " them";
    out << "clusters: " << (plan.clustered ? "used, " : "not used, ") << reason << '\n';
    report_clusters(out, layout, exclusions, frame, plan.clustered);
  }
  if (!labels.empty()) {
    out << "labels: " << grouped(work.labelled_species_pairs)
        << " species pairs counted together, " << grouped(work.labelled_pairs_per_frame)
        << " pairs in a frame\n";
  }
  out << std::fixed << "workers: " << speeds.workers << " on CPUs, "
      << counted(speeds.gpus, "GPU") << "\n"
      << "tasks: up to "
      << grouped(speeds.gpus > 0 ? plan.most_pairs_per_gpu_task
                                 : plan.most_pairs_per_task)
      << " pairs, in batches of " << counted(plan.frames_per_batch, "frame") << "\n"
      << "expected: " << std::setprecision(3) << tasks::predicted_seconds(speeds, work)
      << " s for " << counted(work.frames, "frame") << '\n';
  if (speeds.gpus > 0) {
    report_source(out, "GPUs", speeds.gpu_source,
                  properties_of(runtime.gpu_properties()));
  }
  if (speeds.workers > 0) {
    report_source(out, "CPUs", speeds.worker_source, "typical processors");
  }
}

}  // namespace starhist::driver
