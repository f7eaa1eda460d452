#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "codelets/core/counting/frame.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// Parses "drop", "keep" or "fail". Throws InputError.
RepeatedFrames parse_repeated_frames(const std::string& word);

/// By what a frame of one file is recognized in another.
struct Moment {
  std::int64_t step = 0;
  double time = no_time;
  std::uint64_t checksum = 0;  ///< positions_checksum()
  Box box;
};

/// The moment of the first, or last, of a file's frames that can be read; nothing where
/// none of the first, or last, hundred can be.
std::optional<Moment> first_moment(TrajectoryReader& reader, std::uint64_t frames);
std::optional<Moment> last_moment(TrajectoryReader& reader, std::uint64_t frames);

/// Whether one of the frames, whose times or steps rise, has the time and the positions
/// of `wanted`; looked for by bisection.
bool has_same_frame(TrajectoryReader& reader, std::uint64_t frames,
                    const Moment& wanted);

/// Whether two frames have the same step, time, positions and box; false where one
/// cannot be read.
bool is_same_frame(const std::optional<Moment>& a, const std::optional<Moment>& b);

/// The moment of a frame; nothing where it cannot be read.
std::optional<Moment> moment_of(TrajectoryReader& reader, std::uint64_t index);

/// Whether frames of two files are the same moment: of equal step and time, one of
/// which is known, as simulation programs write them where they go on.
bool is_repeated(const Moment& before, const Moment& frame);

/// Whether `frame` is not later than `before`, by time or, where one has none, by step.
/// False where neither is known.
bool is_not_later(const Moment& frame, const Moment& before);

/// Whether `frame` is known to be later than `before`, by time or by step in the same
/// way.
bool is_later(const Moment& frame, const Moment& before);

/// "step 10, time 1 ps"
std::string moment_text(const Moment& moment, const std::string& time_unit);

}  // namespace starhist::io
