#pragma once

#include <cstdint>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "codelets/labelled/labelled_pairs.hh"
#include "perfmodels/work_class.hh"
#include "tasks/planning/counting_options.hh"

namespace starhist::tasks {

/// What a run has to count, as far as one of its frames shows it.
struct Workload {
  /// Pairs that are gone through in each frame, without those that are counted with a
  /// label per particle: all of the species pairs, or only those within compounds
  /// (only_within_compounds).
  std::uint64_t pairs_per_frame = 0;
  std::uint64_t species_pairs = 1;             ///< number of them
  std::uint64_t labelled_pairs_per_frame = 0;  ///< those with a label per particle
  std::uint64_t labelled_species_pairs = 0;    ///< number of them
  std::uint64_t labelled_groups = 0;     ///< number of tasks that count them in a batch
  std::uint64_t frames = 0;              ///< in the whole run; 0: not known
  std::uint64_t frames_per_block = 100;  ///< [>= 1]
  std::uint64_t row_parts = 1;  ///< parts of a frame, each a batch of its own [>= 1]
  std::uint64_t particles = 0;  ///< of all species in a frame
  bool on_gpu = false;          ///< positions come in the memory of a GPU
  std::uint64_t bins = 0;       ///< of a species pair, from distance 0 on
  /// Of the species pair with most pairs, and of its distances: they select the
  /// performance model.
  perfmodels::PairKind kind = perfmodels::PairKind::like;
  perfmodels::Geometry geometry = perfmodels::Geometry::open;
  /// Cost of a pair in clusters, on average over all pairs, relative to an evaluated
  /// one (ClusterCost::work) [> 0]: less than 1 where most pairs are out of range
  /// together.
  double cluster_cost_on_cpus = 1.0;
  double cluster_cost_on_gpus = 1.0;
  Clustering clusters = Clustering::automatic;
  /// Pairs within compounds count and no others: CPU workers go through these one by
  /// one, without clusters, and so does the submitting thread where there are none.
  bool only_within_compounds = false;
};

/// The workload of a run whose frames are like `frame`, where `labels` are counted with
/// a label per particle.
Workload workload_of(const HistogramLayout& layout, const PairExclusions& exclusions,
                     const CountingOptions& options, const Frame& frame,
                     const LabelledPairs& labels = {});

}  // namespace starhist::tasks
