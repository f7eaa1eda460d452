#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/particles/structure.hh"
#include "io/reader/time_order.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/trajectory/repeated_frames.hh"

namespace starhist::io {

/// Opens one file of a trajectory.
using OpenFile =
    std::function<std::unique_ptr<TrajectoryReader>(const std::string& path)>;

/// Reads one or more files as one trajectory with concatenated frames and the union of
/// the species; particles that are read individually must agree in all files. Only one
/// file is open at a time. A file to which a restarted run was appended has several
/// parts (TimeOrder), which follow each other like files. Messages get the frame index.
class JoinedTrajectory : public TrajectoryReader {
 public:
  /// Units that the user specified; "": not given.
  struct Units {
    std::string length;
    std::string time;
  };

  /// `structure`: provides the units of files that lack them; may be null. `units`:
  /// units to use if the structure lacks them, too. Throws InputError when `paths` is
  /// empty, when units differ between files or from `units`, for a repeated frame with
  /// RepeatedFrames::fail, and for files that hold different particles of the same
  /// frames, which only `open_with_order` recognises: it sets Frame::order.
  JoinedTrajectory(const std::vector<std::string>& paths, OpenFile open,
                   const Units& units, RepeatedFrames repeated = RepeatedFrames::drop,
                   SharedStructure structure = nullptr,
                   OpenFile open_with_order = nullptr);

  const TrajectoryInfo& info() const override { return info_; }
  void read(FrameIndex index, Frame& frame) override;
  StepAndTime read_moment(FrameIndex index, Frame& scratch) override;
  bool passes_on() const override { return passes_on_; }
  PassedOn passed_on(FrameIndex index) override;

 private:
  struct Part {
    std::string path;
    std::uint64_t first_frame = 0;           ///< in the trajectory
    std::uint64_t begin = 0;                 ///< its first frame in the file
    std::vector<std::string> species = {};   ///< species of this file
    std::vector<std::size_t> position = {};  ///< index of each of them in info_.species
    std::uint64_t left_out = 0;  ///< number of repeated frames skipped at its beginning
    std::uint64_t frames = 0;    ///< number of frames, including these
    Clock clock = Clock::recorded;
    /// Moments of the first and last readable frame.
    std::optional<Moment> first = {};
    std::optional<Moment> last = {};

    /// "a.dump", or "a.dump from frame 8 on".
    std::string name() const;
    /// Index in the file of a frame of the trajectory.
    FrameIndex in_file(FrameIndex index) const {
      return FrameIndex(index.get() - first_frame + left_out + begin);
    }
  };

  /// `units`: used if neither the file nor the structure specifies them.
  void add(const std::string& path, const Units& units);
  /// Adds the parts of the open file.
  void add_parts(const std::string& path);
  /// Returns the units of the open file.
  Units units_of(const std::string& path, const Units& given) const;
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
    const Part* of;  ///< the overlapping part
    Kind kind;
    std::uint64_t count;       ///< number of frames to skip
    std::uint64_t absent = 0;  ///< with `gaps`: first frame that the earlier part lacks
  };
  /// Whether `next` begins after the last step of `before`. Both must have moments.
  static bool is_later_by_steps(const Part& next, const Part& before) {
    return before.last->step > 0 && next.first->step > before.last->step;
  }
  /// Throws InputError if the file differs from the first one both in species and in
  /// the number of particles of its first readable frame.
  void check_same_system(const Part& next) const;
  /// Throws InputError if this frame of the open file and the first frame of the first
  /// file show the same moment in the same box and have no particle id in common.
  void check_whole_frames(const std::string& path, std::uint64_t begin);
  /// Reader of a file: current_ if it reads that file, or another one.
  using Opened = std::shared_ptr<TrajectoryReader>;
  Opened opened(const std::string& path);
  /// Whether `next`, of the open file, has the same frames as an earlier part: the same
  /// number, and the same first, middle and last ones.
  bool is_same_part(const Part& earlier, const Part& next);
  /// A message about a file without order. Throws InputError if its frames are repeated
  /// and must not be.
  std::string unordered_text(const std::string& path, const TimeOrder& order) const;
  /// Compares `next`, of the open file, with the parts before it: by its times and, if
  /// these show another run, by its steps, because some programs restart times at 0.
  Repeats repeats_of(const Part& next);
  /// Compares the beginning of `next`, of the open file, with the part before it.
  Repeats compare_begin(const Part& before, const Part& next);
  /// Whether two files without steps and times join at a repeated frame, as of a run
  /// that was continued. `next` is of the open file.
  bool join_at_one_frame(const Part& before, const Part& next);
  /// share_a_frame_by_clock() by times or by steps.
  bool share_a_frame(const Part& earlier, const Part& next);
  /// Whether two parts, `next` of the open file, have a frame in common where the later
  /// of them begins; if both begin with the same frame, where the shorter one ends.
  /// Opens the file of `earlier` only if its times include the compared frame.
  bool share_a_frame_by_clock(const Part& earlier, const Part& next);
  /// Throws InputError if `next` fills gaps of an earlier part.
  void check_gaps(const Part& next, const Repeats& repeats, TrajectoryInfo& messages);
  /// Throws InputError if frames of `next`, of the open file, count twice, because an
  /// earlier part contains them and is not the one that ends last. With
  /// RepeatedFrames::describe the message is added to `messages`.
  void check_order(const Part& next, const Repeats& repeats, TrajectoryInfo& messages);
  /// Returns the number of frames to skip at the beginning of `next`, of the open file,
  /// because they repeat frames of earlier parts. Adds remarks and truncation about
  /// these, and about times that jump back, to `messages`.
  std::uint64_t repeated_at_begin(const Part& next, TrajectoryInfo& messages);
  /// Sets the clock of a part with times.
  static void set_clock(Part& part);
  /// The part, ordered by steps; empty if its steps do not rise.
  static std::optional<Part> by_steps(const Part& part);
  /// The frames of a part in a reader of its file.
  static PartFrames range_of(TrajectoryReader& reader, const Part& part) {
    return {reader, part.begin, part.frames, part.clock};
  }
  /// Returns the part that contains the frame, and opens its file.
  const Part& part_of(std::uint64_t frame);

  OpenFile open_;
  OpenFile open_with_order_;
  RepeatedFrames repeated_;
  SharedStructure structure_;
  bool several_;  ///< there is more than one file
  std::vector<Part> parts_;
  TrajectoryInfo info_;
  std::map<std::string, SpeciesElement> elements_;  ///< by species, over all files
  bool passes_on_ = false;    ///< at least one file passes on data
  std::string current_path_;  ///< file of current_, or ""
  std::unique_ptr<TrajectoryReader> current_;
  Frame scratch_;
};

}  // namespace starhist::io
