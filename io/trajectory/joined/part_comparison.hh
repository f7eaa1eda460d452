#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/reader/trajectory_reader.hh"
#include "io/trajectory/joined/trajectory_part.hh"

namespace starhist::io {

/// How the beginning of a part overlaps with earlier parts.
struct Repeats {
  enum class Kind {
    none,        ///< it begins after their end
    same_run,    ///< same frames
    same_times,  ///< same times, but different positions
    other_run,   ///< same times, but another run
    unknown,     ///< the decisive frames cannot be read
    gaps         ///< it fills gaps of the earlier part
  };
  const TrajectoryPart* of;  ///< the overlapping part
  Kind kind;
  std::uint64_t count;       ///< number of frames to skip
  std::uint64_t absent = 0;  ///< with `gaps`: first frame that the earlier part lacks
};

/// Compares a part of a trajectory with the parts before it, to find frames that were
/// written twice.
class PartComparison {
 public:
  using Opened = std::shared_ptr<TrajectoryReader>;
  using Open = std::function<Opened(const std::string& path)>;

  /// `parts`: the earlier parts; `current`: reader of the open file; `open`: opens a
  /// file. References must outlive this object.
  PartComparison(const std::vector<TrajectoryPart>& parts, TrajectoryReader& current,
                 Open open)
      : parts_(parts), current_(current), open_(std::move(open)) {}

  /// Compares `next`, of the open file, with the parts before it: by its times and, if
  /// these show another run, by its steps, because some programs restart times at 0.
  Repeats repeats_of(const TrajectoryPart& next);
  /// Whether two parts, `next` of the open file, have a frame in common, by times or by
  /// steps.
  bool share_a_frame(const TrajectoryPart& earlier, const TrajectoryPart& next);

 private:
  /// Whether `next`, of the open file, has the same frames as an earlier part: the same
  /// number, and the same first, middle and last ones.
  bool is_same_part(const TrajectoryPart& earlier, const TrajectoryPart& next);
  /// Compares the beginning of `next`, of the open file, with the part before it.
  Repeats compare_begin(const TrajectoryPart& before, const TrajectoryPart& next);
  /// Whether two files without steps and times join at a repeated frame, as of a run
  /// that was continued. `next` is of the open file.
  bool join_at_one_frame(const TrajectoryPart& before, const TrajectoryPart& next);
  /// Whether two parts, `next` of the open file, have a frame in common where the later
  /// of them begins; if both begin with the same frame, where the shorter one ends.
  /// Opens the file of `earlier` only if its times include the compared frame.
  bool share_a_frame_by_clock(const TrajectoryPart& earlier,
                              const TrajectoryPart& next);

  const std::vector<TrajectoryPart>& parts_;
  TrajectoryReader& current_;
  Open open_;
};

}  // namespace starhist::io
