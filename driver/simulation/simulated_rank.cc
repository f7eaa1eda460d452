#include "driver/simulation/simulated_rank.hh"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "driver/ranks/rank_plan.hh"
#include "driver/run/run_checks.hh"
#include "driver/simulation/simulated_frames.hh"
#include "tasks/pair_counter.hh"
#include "tasks/runtime/simulation.hh"

namespace starhist::driver {
namespace {

/// Assigns each unit to a rank with the fewest frames, as equal ranks would request
/// them. Returns the units of the rank with most.
std::vector<WorkUnit> units_of_one_rank(const RankedFrames& frames,
                                        const RankWeights& weights) {
  struct Rank {
    std::uint64_t frames = 0;  // or parts of frames, if rows are divided
    std::vector<WorkUnit> units;
  };
  const auto fewer = [](const Rank& a, const Rank& b) { return a.frames < b.frames; };
  std::vector<Rank> ranks(weights.size());
  UnitCutter cutter(frames, weights);
  while (const std::optional<WorkUnit> unit = cutter.next()) {
    Rank& next = *std::min_element(ranks.begin(), ranks.end(), fewer);
    next.frames += unit->frames();
    next.units.push_back(*unit);
  }
  return std::move(std::max_element(ranks.begin(), ranks.end(), fewer)->units);
}

/// True if unit k has other rows of the previous unit's frame, which is then in memory.
bool same_frame(const std::vector<WorkUnit>& units, std::size_t k) {
  return k > 0 && units[k - 1].begin == units[k].begin;
}

std::uint64_t frames_to_read(const std::vector<WorkUnit>& units) {
  std::uint64_t frames = 0;
  for (std::size_t k = 0; k < units.size(); ++k) {
    frames += same_frame(units, k) ? 0 : units[k].frames();
  }
  return frames;
}

}  // namespace

RunResult count_as_one_rank(const SimulatedRun& run, tasks::Runtime& runtime,
                            std::uint64_t frames_ahead) {
  const RankWeights weights(run.ranks, weight_of_rank(runtime.gpus()));
  const RankedFrames all_frames =
      ranked_frames(runtime, run.layout, {}, run.options, weights, run.frame);
  const std::vector<WorkUnit> units = units_of_one_rank(all_frames, weights);
  SimulatedFrames frames(run.frame, frames_to_read(units),
                         {run.seconds_to_read_a_frame, run.seconds_to_accept_a_frame,
                          run.seconds_to_start},
                         frames_ahead);
  const double start = tasks::seconds_now();
  tasks::CountingOptions options = options_of_rank(run.options, run.ranks);
  // Like UnitCounting: each unit is a block, and no unit fills it.
  const std::uint64_t block = most_frames_per_unit(all_frames, weights) + 1;
  options.frames_per_block = static_cast<std::uint32_t>(block);
  options.expected_in_block = static_cast<std::uint32_t>(block - 1);
  check_memory(run.layout, options, runtime);
  runtime.bytes_moved();  // resets the counter
  tasks::PairCounter counter(runtime, run.layout, options, [](BlockCounts&&) {});
  for (std::size_t k = 0; k < units.size(); ++k) {
    const WorkUnit& unit = units[k];
    for (std::uint64_t f = 0; f < unit.frames(); ++f) {
      if (same_frame(units, k)) {
        counter.add_rows(k * block, unit.rows);
      } else {
        counter.add(frames.next().value(), k * block + f, unit.rows);
      }
      for (Frame& used : counter.take_used_frames()) {
        frames.recycle(std::move(used));
      }
    }
    counter.close_block();
  }
  counter.finish();
  RunResult result;
  result.count_seconds = tasks::seconds_now() - start;
  add_work(runtime, counter.status(), result);
  return result;
}

}  // namespace starhist::driver
