#pragma once

#include <cstdint>
#include <span>

#include "codelets/kernels/count_pairs.hh"
#include "codelets/kernels/cpu/variants.hh"

namespace starhist::kernels::cpu {

/// The particles of many small species in one frame, label by label: label L has
/// [label_begin[L], label_begin[L + 1]).
struct LabelledBlock {
  PositionSpan particles;
  const std::uint32_t* label_begin = nullptr;  ///< number of labels + 1 entries
  const MinimumImage* image = nullptr;
  const UniformBins* bins = nullptr;
};

/// Pairs of the particles with label row_label and the particles with labels
/// [first_label, end_label), where row_label <= first_label; pairs within a label occur
/// once. Each label of the range has a histogram: first_label has number
/// first_histogram, and the others follow.
struct LabelRun {
  std::uint32_t row_label = 0;
  std::uint32_t first_label = 0;
  std::uint32_t end_label = 0;
  std::uint64_t first_histogram = 0;
};

/// Number of pairs of a run in a frame with this LabelledBlock::label_begin.
std::uint64_t pair_count(const LabelRun& run, const std::uint32_t* label_begin);

/// Adds the pairs of all runs in all frames to `counts`: bins.count + 1 entries for
/// each histogram, as for CountPairs. All frames have the same labels and bins, and
/// each histogram belongs to one label of one run. Each pair is counted in the bin that
/// pair_bin returns. CountedPairs::loop is the loop of CountPairs after "labelled".
CountedPairs count_labelled_pairs(std::span<const LabelledBlock> frames,
                                  std::span<const LabelRun> runs, int threads,
                                  std::uint64_t* counts);
/// Uses a given variant, for tests and benchmarks.
CountedPairs count_labelled_pairs(const Variant& variant,
                                  std::span<const LabelledBlock> frames,
                                  std::span<const LabelRun> runs, int threads,
                                  std::uint64_t* counts);

}  // namespace starhist::kernels::cpu
