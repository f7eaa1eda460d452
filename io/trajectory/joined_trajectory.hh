#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/particles/structure.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/trajectory/repeated_frames.hh"

namespace starhist::io {

/// Opens one file of a trajectory.
using OpenFile =
    std::function<std::unique_ptr<TrajectoryReader>(const std::string& path)>;

/// One or more files as one trajectory: frames one after the other, the union of the
/// species; or the same particles, where they are read one by one. Only one file is
/// open at a time. Adds the frame's index to messages.
class JoinedTrajectory : public TrajectoryReader {
 public:
  /// Units; "": none.
  struct Units {
    std::string length;
    std::string time;
  };

  /// `structure`: its units are those of files that do not say theirs; may be null.
  /// `units`: of files where the structure does not say them either. Throws InputError
  /// when `paths` is empty or the files differ in units, or from `units`, and for a
  /// repeated frame where these fail.
  JoinedTrajectory(const std::vector<std::string>& paths, OpenFile open,
                   const Units& units, RepeatedFrames repeated = RepeatedFrames::drop,
                   SharedStructure structure = nullptr);

  const TrajectoryInfo& info() const override { return info_; }
  void read(FrameIndex index, Frame& frame) override;
  double read_time(FrameIndex index, Frame& scratch) override;
  bool passes_on() const override { return passes_on_; }
  PassedOn passed_on(FrameIndex index) override;

 private:
  struct Part {
    std::string path;
    std::uint64_t first_frame = 0;
    std::vector<std::string> species;        ///< of this file
    std::vector<std::size_t> position = {};  ///< of each of them in info_.species
    std::uint64_t left_out = 0;              ///< frames at its begin that are left out
    std::uint64_t frames = 0;                ///< of the file
    std::string bytes = {};  ///< size and sampled_bytes_text(); "": unknown
    /// Of its first and last frame that can be read.
    std::optional<Moment> first = {};
    std::optional<Moment> last = {};
  };

  /// `units`: those of a file where neither it nor the structure says its own.
  void add(const std::string& path, const Units& units);
  /// The units of the file that is open.
  Units units_of(const std::string& path, const Units& given) const;
  /// What the begin of a file has of the files before it.
  struct Repeats {
    enum class Kind {
      none,        ///< it begins later than they end
      same_run,    ///< frames that they have
      same_times,  ///< times that they have, with other positions
      other_run,   ///< times that they have, of a run that begins anew
      unknown      ///< frames that tell it cannot be read
    };
    const Part* of;  ///< the file before it
    Kind kind;
    std::uint64_t count;  ///< frames that are left out
  };
  /// Of the file that is open, `next`.
  Repeats repeats_of(const Part& next);
  /// Number of frames at the begin of the file that is open, `next`, which are left out
  /// as they repeat frames of the files before; tells of these, and of times that go
  /// back.
  std::uint64_t repeated_at_begin(const Part& next);
  /// Goes to the file that holds the frame.
  const Part& part_of(std::uint64_t frame);

  OpenFile open_;
  RepeatedFrames repeated_;
  SharedStructure structure_;
  bool several_;  ///< files are joined
  std::vector<Part> parts_;
  TrajectoryInfo info_;
  std::map<std::string, SpeciesElement> elements_;  ///< by species, of all files
  bool passes_on_ = false;                          ///< one of the files does
  const Part* current_slice_ = nullptr;
  std::unique_ptr<TrajectoryReader> current_;
  Frame scratch_;
};

}  // namespace starhist::io
