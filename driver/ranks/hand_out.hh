#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "driver/ranks/unit_cutter.hh"

namespace starhist::driver {

/// Most work units that each rank has in hand: one that it counts, and two ahead for
/// each of its GPUs, or for its cores. Where those ahead would take more than about a
/// second they are fewer, but at least two: a killed run loses what is in hand. Four
/// GPUs of a rank with three short units in hand lost 7 % of the time.
std::vector<std::uint64_t> most_in_hand(const RankedFrames& frames,
                                        const RankWeights& weights);

/// Decides which rank gets which work unit. A rank has several units in hand, so that
/// it need not wait for the next one. No unit is handed out that is far ahead of the
/// first one that is missing, which bounds the memory of the counts that wait for it
/// and what a killed run loses. For one thread.
class HandOut {
 public:
  /// `most_in_hand`: of each rank [>= 1]. They are fewer at the end of the run, where a
  /// slow rank would keep them from the others. `window`: a unit is handed out if fewer
  /// units than that lie between it and the first one that is missing [>= 1].
  HandOut(UnitCutter cutter, RankWeights weights,
          std::vector<std::uint64_t> most_in_hand, std::uint64_t window);

  /// The next unit for a rank, which it then has in hand. Nothing if it has enough, if
  /// the window is full, or if there is none left. `missing`: number of the first unit
  /// whose counts are missing.
  std::optional<WorkUnit> next(std::uint32_t rank, std::uint64_t missing);

  /// The rank has counted one of its units, or will not.
  void returned(std::uint32_t rank) { --in_hand_[rank]; }
  std::uint64_t in_hand(std::uint32_t rank) const { return in_hand_[rank]; }

  /// No more units are handed out.
  void stop() { stopped_ = true; }
  /// Whether next() will return no more units.
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
