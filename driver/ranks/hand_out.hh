#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codelets/core/base/contract.hh"
#include "driver/ranks/unit_cutter.hh"

namespace starhist::driver {

/// Largest number of work units in hand per rank: one being counted, and two queued for
/// each of its GPUs, or for its cores. If the queued ones would take more than about a
/// second there are fewer, but at least two, because a killed run loses the units in
/// hand. Four GPUs of a rank with three short units in hand lost 7 % of the time. Two
/// units that are whole blocks.
std::vector<std::uint64_t> most_in_hand(const RankedFrames& frames,
                                        const RankWeights& weights);

/// Decides which rank gets which work unit. A rank has several units in hand, so that
/// it need not wait for the next one. No unit far ahead of the first missing one is
/// handed out, which bounds the memory of waiting counts and the loss of a killed run.
/// For one thread.
class HandOut {
 public:
  /// `most_in_hand`: of each rank [>= 1]; fewer at the end of the run, when a slow rank
  /// would withhold them from the others. `window`: a unit is handed out if fewer units
  /// than that lie between it and the first missing one [>= 1].
  HandOut(UnitCutter cutter, RankWeights weights,
          std::vector<std::uint64_t> most_in_hand, std::uint64_t window);

  /// The next unit for a rank, which then has it in hand. Empty if the rank has enough,
  /// the window is full, or no unit is left. `missing`: number of the first unit whose
  /// counts are missing.
  std::optional<WorkUnit> next(std::uint32_t rank, std::uint64_t missing);

  /// Records that the rank has counted one of its units, or will not.
  void returned(std::uint32_t rank) {
    STARHIST_EXPECT(in_hand_.at(rank) > 0, "the rank has a unit in hand");
    --in_hand_[rank];
  }
  std::uint64_t in_hand(std::uint32_t rank) const { return in_hand_[rank]; }

  /// Hands out no more units.
  void stop() { stopped_ = true; }
  /// True if next() will return no more units.
  bool is_empty();

 private:
  const std::optional<WorkUnit>& peek();
  std::uint64_t most_for(std::uint32_t rank) const;

  UnitCutter cutter_;
  const RankWeights weights_;
  const std::vector<std::uint64_t> most_in_hand_;  // by rank
  const std::uint64_t window_;
  std::vector<std::uint64_t> in_hand_;  // by rank
  std::optional<WorkUnit> next_;
  bool stopped_ = false;
};

}  // namespace starhist::driver
