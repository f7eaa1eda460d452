#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "io/reader/trajectory_reader.hh"

namespace starhist::driver {

/// Frames first, first + step, ... up to last (inclusive) of a trajectory, or of some
/// of its frames, counted from 0. Default: all frames.
struct FrameSelection {
  std::uint64_t first = 0;
  std::optional<std::uint64_t> last;  ///< empty: the last frame of the trajectory
  std::uint64_t step = 1;             ///< [>= 1]
  /// The frames that first, last and step count, ascending; null: all frames of the
  /// trajectory. select_by_time() makes it.
  std::shared_ptr<const std::vector<std::uint64_t>> among = {};

  /// Number of frames selected from a trajectory of `frame_count`. Throws InputError
  /// when it is 0.
  std::uint64_t count(std::uint64_t frame_count) const;

  /// The frame of the trajectory with this number [0, count()) in the selection. Beyond
  /// the last one, a frame that is beyond it.
  std::uint64_t index(std::uint64_t number) const;

  /// The number in the selection of a frame that index() returns. Throws InputError for
  /// a frame that is not selected.
  std::uint64_t number_of(std::uint64_t index) const;
};

/// One of `count` parts of a selection of frames, for jobs of their own.
struct SelectionPart {
  std::uint64_t number = 1;  ///< [1, count]
  std::uint64_t count = 1;   ///< [>= 1]
};

/// The frames of that part. Parts begin at whole blocks, and their numbers of blocks
/// differ by one at most: the results of all parts, merged in order, have the blocks of
/// one run. The last part goes as far as `frames` does. Throws InputError when there
/// are fewer blocks than parts.
FrameSelection part_of(const FrameSelection& frames, const SelectionPart& part,
                       std::uint64_t frame_count, std::uint32_t frames_per_block);

/// Frames by time, in the time unit of the trajectory. Empty: not by it.
struct TimeSelection {
  std::optional<double> begin;  ///< frames from this time on
  std::optional<double> end;    ///< frames up to this time, inclusive
  /// Frames at a multiple of this time after the first frame that is taken [> 0].
  std::optional<double> every;

  bool any() const { return begin || end || every; }
};

/// Those frames of the selection whose times are selected, as gmx -b -e -dt selects
/// them: first and last hold for the trajectory, then begin and end, then `every` or
/// step, which count from the first frame that is left. Goes through the times of all
/// frames. A frame whose time cannot be read is taken if the frame
/// before it lies between begin and end, so that reading it says what is wrong.
///
/// Times are equal if they differ by at most a hundredth of the smallest interval
/// between neighbouring frames, and by at most 2^-22 of their size, a few roundings of
/// single precision. Neighbours that differ by at most a hundredth of the median
/// interval, and by at most 2^-22 of their size, are equal too: that is no interval.
/// Intervals so short that doubles cannot resolve their hundredth
/// allow for the rounding of doubles: 2^-51 of the size, at most a third of the
/// interval.
///
/// Returns `frames` where no times are given. Throws InputError when no frame has a
/// time other than 0, which is what readers give where a file has none, when no frame
/// is left, or when less than half of the multiples of `every` next to frames have a
/// frame.
FrameSelection select_by_time(const FrameSelection& frames, const TimeSelection& times,
                              io::TrajectoryReader& reader);

/// The distance between frames of the selection, if it is the same for all.
std::optional<std::uint64_t> stride(const FrameSelection& frames);

}  // namespace starhist::driver
