#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "codelets/core/counting/frame.hh"
#include "io/reader/time_order.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// Parses "drop", "keep" or "fail". Throws InputError.
RepeatedFrames parse_repeated_frames(const std::string& word);

/// The quantity by which the frames of a part are ordered.
enum class Clock {
  recorded,  ///< time or, if it is missing or 0 in both compared frames, step
  time,      ///< time, also of a frame at time 0
  step       ///< step, whatever the times
};

/// Properties that identify a frame in different files.
struct Moment : StepAndTime {
  bool timed = false;  ///< its time is known; a recorded 0 may be a missing time
  std::uint64_t checksum = 0;  ///< positions_checksum()
  Box box;
  std::uint64_t particles = 0;  ///< of all species
};

/// Consecutive frames of a reader, counted from 0.
struct PartFrames {
  TrajectoryReader& reader;
  std::uint64_t begin = 0;
  std::uint64_t count = 0;
  Clock clock = Clock::recorded;

  /// Step and time by this clock.
  Moment moment_of(const StepAndTime& recorded) const;
  /// Returns the moment of a frame; empty if it is unreadable.
  std::optional<Moment> moment(std::uint64_t index) const;
};

/// Returns the moment of the first, or last, readable frame; empty if the first, or
/// last, hundred frames are unreadable.
std::optional<Moment> first_moment(const PartFrames& frames);
std::optional<Moment> last_moment(const PartFrames& frames);

/// Whether one of the frames has the time and positions of `wanted`. Uses bisection:
/// times or steps must increase.
bool has_same_frame(const PartFrames& frames, const Moment& wanted);

/// Number of frames in front of the first one that is later than `before`, found by
/// bisection, as times or steps rise. The first frame is not later. Frames that cannot
/// be read count as the frame in front of them.
std::uint64_t count_not_later(const PartFrames& frames, const Moment& before);

/// Index of the first of `count` frames of `next` at whose moment `earlier` has no
/// frame; empty if it has all of them. Moments must rise in both.
std::optional<std::uint64_t> first_absent(const PartFrames& earlier,
                                          const PartFrames& next, std::uint64_t count);

/// Whether two frames have the same step, time, positions and box; false if one is
/// unreadable.
bool is_same_frame(const std::optional<Moment>& a, const std::optional<Moment>& b);

/// Whether frames of two files show the same moment: step and time are equal and at
/// least one of them is known. Simulation programs repeat a frame like this when they
/// continue a run.
bool is_repeated(const Moment& before, const Moment& frame);

/// Whether `frame` is not later than `before`, by time or, if a time is missing, by
/// step. False if neither is known.
bool is_not_later(const Moment& frame, const Moment& before);

/// Whether `frame` is known to be later than `before`, by time or, if a time is
/// missing, by step.
bool is_later(const Moment& frame, const Moment& before);

/// Describes a moment: "step 10, time 1 ps".
std::string moment_text(const StepAndTime& moment, const std::string& time_unit);

}  // namespace starhist::io
