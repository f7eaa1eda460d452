#include "io/reader/time_order.hh"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "codelets/core/base/error.hh"

namespace starhist::io {
namespace {

/// Largest number of parts that are compared with each other.
constexpr std::size_t most_parts = 1000;

/// Step and time of a frame; empty if it cannot be read.
std::optional<StepAndTime> listed_moment(TrajectoryReader& reader, std::uint64_t index,
                                         Frame& scratch) {
  try {
    return reader.read_moment(FrameIndex(index), scratch);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// Whether step and time of a frame go back, or stand still, after the frame before it
/// in the file. Stricter than is_not_later(): short intervals between late times are
/// not rounding.
bool goes_back(const StepAndTime& frame, const StepAndTime& before) {
  if (!has_moment(before.step, before.time)) {
    return false;
  }
  const bool has_times = has_moment(0, before.time) || has_moment(0, frame.time);
  if (!has_times || std::isnan(frame.time)) {
    return frame.step <= before.step &&
           std::isnan(frame.time) == std::isnan(before.time);
  }
  const bool has_steps = frame.step != 0 || before.step != 0;
  return has_steps && same_time(frame, before) ? frame.step <= before.step
                                               : frame.time <= before.time;
}

/// Number of frames with step and time of an earlier one.
std::uint64_t count_repeated(TrajectoryReader& reader) {
  std::vector<std::tuple<bool, double, std::int64_t>> moments;
  Frame scratch;
  for (std::uint64_t k = 0; k < reader.info().frame_count; ++k) {
    const auto moment = listed_moment(reader, k, scratch);
    if (moment && has_moment(moment->step, moment->time)) {
      const bool known = !std::isnan(moment->time);
      moments.emplace_back(known, known ? moment->time : 0.0, moment->step);
    }
  }
  std::sort(moments.begin(), moments.end());
  const auto distinct = std::unique(moments.begin(), moments.end());
  return static_cast<std::uint64_t>(moments.end() - distinct);
}

}  // namespace

bool same_time(const StepAndTime& a, const StepAndTime& b) {
  if (std::isnan(a.time) || std::isnan(b.time)) {
    return std::isnan(a.time) && std::isnan(b.time);
  }
  return std::abs(a.time - b.time) <=
         time_rounding(std::max(std::abs(a.time), std::abs(b.time)));
}

TimeOrder::TimeOrder(TrajectoryReader& reader) {
  const TrajectoryInfo& info = reader.info();
  if (!info.lists_moments) {
    return;
  }
  Frame scratch;
  std::optional<StepAndTime> before;
  for (std::uint64_t k = 0; k < info.frame_count; ++k) {
    const auto moment = listed_moment(reader, k, scratch);
    if (moment && before && goes_back(*moment, *before)) {
      begins_.push_back(k);
    }
    before = moment ? moment : before;
  }
  if (3 * begins_.size() > info.frame_count || begins_.size() >= most_parts) {
    unordered_ = begins_.size();
    repeated_ = count_repeated(reader);
    begins_.clear();
  }
}

}  // namespace starhist::io
