#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driver/lags/lag_plan.hh"
#include "driver/lags/lag_window.hh"
#include "driver/run/counting_run.hh"
#include "driver/run/trajectory_run_spec.hh"

namespace starhist::driver {

/// Messages about a count between frames.
struct LagMessages {
  std::vector<std::string> conventions;
  std::vector<std::string> warnings;  ///< problems that may change results
};

/// The count between frames that the specification asks for, if any.
std::optional<LagPlan> lags_of(const TrajectoryRunSpec& spec, TrajectoryInput& input,
                               const HistogramLayout& layout);

/// Reads the result of an earlier count between frames; its blocks go to `sink`. Throws
/// InputError unless it has these lags.
io::ResultFile read_earlier_lags(const std::string& path, const LagLayout& now,
                                 const std::function<void(BlockCounts&&)>& sink);

/// The run `run` for pairs within frames as a count of particle sets (sets_of()).
/// `all_frames`: number of frames of all parts.
RunSpec sets_run(const RunSpec& run, const LagPlan& lags, std::uint64_t all_frames);

/// Counts pairs between the frames of `source`, and passes the blocks to `sink`. `run`:
/// sets_run(). Sets RunResult::lags. Throws like count_frames().
RunResult count_between_frames(FrameSource& source, tasks::Runtime& runtime,
                               const RunSpec& run, const LagPlan& lags,
                               const std::function<void(LaggedBlock&&)>& sink,
                               const RunHooks& hooks);

/// The messages about a finished count.
LagMessages messages_of(const LagNotes& notes, const LagPlan& lags,
                        const std::string& time_unit);

}  // namespace starhist::driver
