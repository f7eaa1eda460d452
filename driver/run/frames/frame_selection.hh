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
  /// The frames to which first, last and step refer, ascending; null: all frames of the
  /// trajectory. Set by select_by_time().
  std::shared_ptr<const std::vector<std::uint64_t>> among = {};

  /// Number of frames selected from a trajectory of `frame_count`. Throws InputError if
  /// it is 0.
  std::uint64_t count(std::uint64_t frame_count) const;

  /// The frame of the trajectory with this number [0, count()) in the selection. For a
  /// larger number a frame after the last selected one.
  std::uint64_t index(std::uint64_t number) const;

  /// The number in the selection of a frame that index() returns. Throws InputError for
  /// a frame that is not selected.
  std::uint64_t number_of(std::uint64_t index) const;
};

/// One of `count` parts of a selection of frames, for separate jobs.
struct SelectionPart {
  std::uint64_t number = 1;  ///< [1, count]
  std::uint64_t count = 1;   ///< [>= 1]
};

/// The frames of that part. Parts start at whole blocks, and their numbers of blocks
/// differ by one at most: the results of all parts, merged in order, have the blocks of
/// one run. The last part extends to the end of `frames`. Throws InputError if there
/// are fewer blocks than parts.
FrameSelection part_of(const FrameSelection& frames, const SelectionPart& part,
                       std::uint64_t frame_count, std::uint32_t frames_per_block);

/// Selection of frames by time, in the time unit of the trajectory. Empty fields do not
/// select.
struct TimeSelection {
  std::optional<double> begin;  ///< frames from this time on
  std::optional<double> end;    ///< frames up to this time, inclusive
  /// Frames at a multiple of this time after the first selected frame [> 0].
  std::optional<double> every;

  bool any() const { return begin || end || every; }
};

/// Selects those frames of the selection whose times match, like gmx -b -e -dt: first
/// and last apply to the trajectory, then begin and end, then `every` or step, counted
/// from the first remaining frame. Reads the times of all frames. A frame whose time
/// cannot be read is selected if the frame before it lies between begin and end, so
/// that reading it reports the error.
///
/// Times are equal if they differ by at most a hundredth of the smallest interval
/// between neighbouring frames, and by at most 2^-22 of their size, a few roundings of
/// single precision. Neighbours that differ by at most a hundredth of the median
/// interval, and by at most 2^-22 of their size, are also equal and do not define an
/// interval. Intervals so short that doubles cannot resolve their hundredth allow for
/// the rounding of doubles: 2^-51 of the size, at most a third of the interval.
///
/// Returns `frames` unchanged without times. Throws InputError if no frame has a time
/// other than 0, which readers return for files without times, if no frame is left, or
/// if multiples of `every` next to frames have no frame: any of them, if the frames are
/// at regular intervals, otherwise more than half.
FrameSelection select_by_time(const FrameSelection& frames, const TimeSelection& times,
                              io::TrajectoryReader& reader);

/// The distance between frames of the selection; empty unless it is constant.
std::optional<std::uint64_t> stride(const FrameSelection& frames);

}  // namespace starhist::driver
