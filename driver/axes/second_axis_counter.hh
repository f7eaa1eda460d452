#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "codelets/kernels/second_axis_pairs.hh"
#include "driver/axes/particle_directions.hh"

namespace starhist::driver {

/// The pairs of two species of a layout with a second axis. `vectors`: null unless the
/// axis is molecular. The arguments must outlive the pairs.
kernels::SecondAxisPairs second_axis_pairs(const HistogramLayout& layout,
                                           const Frame& frame,
                                           const ParticleDirections* vectors,
                                           PairId pair);

/// The cell of a pair of a particle with itself.
std::size_t self_cell(const kernels::SecondAxisPairs& pairs);

/// Throws InputError if the counts of SecondAxisCounter need more than a quarter of
/// `memory_bytes`.
void check_second_counts(const HistogramLayout& layout, std::uint64_t memory_bytes);

/// Counts pairs by distance and second axis on StarPU's workers, in addition to the
/// counter by distance, to whose blocks it adds BlockCounts::second.
class SecondAxisCounter {
 public:
  /// `layout`, which has a second axis, `exclusions` and `vectors` must outlive this
  /// object. `vectors`: null unless the axis is molecular. Throws like
  /// check_second_counts().
  SecondAxisCounter(const HistogramLayout& layout, const PairExclusions& exclusions,
                    ParticleDirections* vectors, std::uint64_t memory_bytes);

  /// Counts a frame of this block, while StarPU runs; blocks follow in order. Throws
  /// InputError for a frame that does not match the exclusions.
  void add(const Frame& frame, std::uint64_t block);

  /// Sets BlockCounts::second, pairs_over_space and half_period of the next block, in
  /// order, or of its frames so far unless it is `full`. Throws InternalError unless
  /// its counts add up to the counts by distance.
  void complete(BlockCounts& block, bool full = true);

 private:
  /// Number of cells of a pair in a frame.
  std::size_t cells() const {
    return std::size_t{layout_.bins.count_from_zero()} * layout_.second->columns();
  }
  void count_all(const std::vector<kernels::SecondAxisPairs>& pairs);
  void count_together(const std::vector<kernels::SecondAxisPairs>& pairs,
                      std::size_t begin, std::size_t end);
  void correct(const Frame& frame, PairId pair, const kernels::SecondAxisPairs& pairs);
  void add_to_block(std::size_t pair, const std::vector<std::uint64_t>& counts);

  const HistogramLayout& layout_;
  const PairExclusions& exclusions_;
  ParticleDirections* vectors_;
  /// Blocks before complete(). They have `second`, and if the axis is along a normal
  /// the sums of add_frame().
  std::deque<BlockCounts> blocks_;
};

}  // namespace starhist::driver
