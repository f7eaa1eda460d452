#pragma once

#include <cstdint>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "codelets/labelled/labelled_pairs.hh"
#include "tasks/planning/counting_options.hh"
#include "tasks/planning/machine_speeds.hh"

namespace starhist::tasks {

/// Approximate time of a pair with a label on a CPU worker [s].
inline constexpr double seconds_per_labelled_pair = 2.5e-9;

/// Chooses the species pairs that are counted together: those whose pairs of particles
/// take less time than a task and its preparation of each frame, if they are 16 or
/// more. Alongside GPUs they are chosen only if CPU workers count them in half the time
/// that GPUs would need to launch their tasks. CountingOptions::labels may forbid or
/// demand it. Chooses none if only pairs within compounds are counted, or without CPU
/// workers.
///
/// A pure function of the numbers of particles in `frame`; the choice applies to all
/// frames of the run, whatever their numbers. Groups have about equally many pairs, and
/// there are enough groups for all workers.
LabelledPairs choose_labelled_pairs(const MachineSpeeds& machine,
                                    const HistogramLayout& layout,
                                    const CountingOptions& options, const Frame& frame);

/// Number of pairs of particles of a group in `frame`.
std::uint64_t pair_count(const HistogramLayout& layout, const Frame& frame,
                         const LabelledPairs::Group& group);
/// Number of pairs of particles of all groups in `frame`.
std::uint64_t pair_count(const HistogramLayout& layout, const Frame& frame,
                         const LabelledPairs& labels);

/// Number of pairs of each group in all frames.
std::vector<std::uint64_t> pairs_of_groups(const HistogramLayout& layout,
                                           const LabelledPairs& labels,
                                           const std::vector<Frame>& frames);

/// By species: true if the species needs separate positions, because it has pairs
/// outside `labels` or pairs to be subtracted.
std::vector<bool> species_besides(const HistogramLayout& layout,
                                  const PairExclusions& exclusions,
                                  const LabelledPairs& labels);

}  // namespace starhist::tasks
