#pragma once

#include <cstdint>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "codelets/labelled/labelled_pairs.hh"
#include "perfmodels/work_class.hh"
#include "tasks/planning/counting_options.hh"

namespace starhist::tasks {

/// Work of a run, estimated from one of its frames.
struct Workload {
  /// Pairs visited in each frame, without those that are counted with a label per
  /// particle: all of the species pairs, or only those within compounds
  /// (only_within_compounds).
  std::uint64_t pairs_per_frame = 0;
  std::uint64_t species_pairs = 1;             ///< number of these species pairs
  std::uint64_t labelled_pairs_per_frame = 0;  ///< pairs with a label per particle
  std::uint64_t labelled_species_pairs = 0;    ///< number of their species pairs
  std::uint64_t labelled_groups = 0;           ///< tasks that count them, per batch
  std::uint64_t frames = 0;                    ///< in the whole run; 0: unknown
  std::uint64_t frames_per_block = 100;        ///< [>= 1]
  std::uint64_t row_parts = 1;  ///< parts of a frame, each a batch of its own [>= 1]
  std::uint64_t particles = 0;  ///< of all species in a frame
  bool on_gpu = false;          ///< positions are in the memory of a GPU
  std::uint64_t bins = 0;       ///< of a species pair, from distance 0 on
  /// Kind of the species pair with most pairs, and geometry of its distances; both
  /// select the performance model.
  perfmodels::PairKind kind = perfmodels::PairKind::like;
  perfmodels::Geometry geometry = perfmodels::Geometry::open;
  /// Cost of a pair in clusters, averaged over all pairs, relative to an evaluated pair
  /// (ClusterCost::work) [> 0]: less than 1 if most pairs are in distant clusters.
  double cluster_cost_on_cpus = 1.0;
  double cluster_cost_on_gpus = 1.0;
  Clustering clusters = Clustering::automatic;
  /// Only pairs within compounds count: CPU workers, or the submitting thread if there
  /// are none, visit them one by one, without clusters.
  bool only_within_compounds = false;
  bool only_on_cpus = false;  ///< GPU kernels do not have these bins
};

/// Workload of a run whose frames are like `frame`, where `labels` are counted with a
/// label per particle.
Workload workload_of(const HistogramLayout& layout, const PairExclusions& exclusions,
                     const CountingOptions& options, const Frame& frame,
                     const LabelledPairs& labels = {});

/// Size of a counting task.
struct TaskSize {
  double pairs = 0.0;        ///< number of evaluated pairs in all frames [> 0]
  std::uint32_t frames = 1;  ///< [>= 1]
};

/// Size of a typical GPU task: the pairs of two species in a batch of frames. The batch
/// has about as many evaluated pairs as plan_batches() chooses for an H100.
TaskSize typical_gpu_task(const Workload& work, perfmodels::Order order);

}  // namespace starhist::tasks
