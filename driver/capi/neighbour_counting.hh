#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "codelets/core/counting/coordination.hh"
#include "codelets/core/counting/frame.hh"
#include "driver/capi/frame_builder.hh"
#include "tasks/runtime/thread_pool.hh"

namespace starhist::capi {

/// Neighbours of each particle within cut-offs, summed over blocks, frames and
/// particles.
class NeighbourCounting {
 public:
  /// The numbers of a shell in one frame.
  struct FrameSums {
    double time = no_time;
    std::uint64_t centres = 0;     ///< number of particles that have neighbours
    std::uint64_t neighbours = 0;  ///< sum of their numbers of neighbours
  };

  /// `threads`: that count, including the caller [>= 1].
  NeighbourCounting(std::vector<NeighbourShell> shells, unsigned threads);

  const std::vector<NeighbourShell>& shells() const { return shells_; }
  /// Throws CallError if the shell does not exist.
  const NeighbourShell& shell(std::size_t number) const;

  /// Throws CallError if several images of a particle could be within a cut-off.
  void check(const HistogramLayout& layout, const Box& box) const;
  /// Counts a frame, which check() has accepted, of the last block or of a new one.
  void add(const Frame& frame, const Membership& membership, bool new_block);
  /// Discards all frames.
  void clear();

  /// Particles by their number of neighbours in a block.
  const NeighbourCounts& block(std::size_t block, std::size_t shell) const {
    return blocks_[block][shell];
  }
  FrameSums frame(std::uint64_t frame, std::size_t shell) const {
    return frames_[frame * shells_.size() + shell];
  }
  /// Neighbours of each particle of the caller, summed over all frames; UINT64_MAX for
  /// particles without neighbours in this shell. Throws CallError if particles or their
  /// species have changed between frames.
  std::vector<std::uint64_t> particles(std::size_t shell) const;

 private:
  void count(const Frame& frame, const NeighbourShell& shell);

  std::vector<NeighbourShell> shells_;
  std::unique_ptr<tasks::ThreadPool> threads_;
  std::vector<std::uint32_t> counts_;                 ///< of count(), by particle
  std::vector<std::vector<NeighbourCounts>> blocks_;  ///< by block and shell
  std::vector<FrameSums> frames_;                     ///< entry frame * shells + shell
  /// Sums by shell and particle of its centre species; invalid if `changed_`.
  std::vector<std::vector<std::uint64_t>> particles_;
  std::optional<Membership> first_;  ///< of the first frame
  std::uint64_t particle_number_ = 0;
  bool changed_ = false;
};

}  // namespace starhist::capi
