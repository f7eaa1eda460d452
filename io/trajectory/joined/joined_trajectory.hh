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
#include "io/trajectory/joined/part_comparison.hh"
#include "io/trajectory/joined/repeated_frames.hh"
#include "io/trajectory/joined/trajectory_part.hh"

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
  using Part = TrajectoryPart;

  /// `units`: used if neither the file nor the structure specifies them.
  void add(const std::string& path, const Units& units);
  /// Adds the parts of the open file.
  void add_parts(const std::string& path);
  /// Returns the units of the open file.
  Units units_of(const std::string& path, const Units& given) const;
  /// Throws InputError if the file differs from the first one both in species and in
  /// the number of particles of its first readable frame.
  void check_same_system(const Part& next) const;
  /// Throws InputError if this frame of the open file and the first frame of the first
  /// file show the same moment in the same box and have no particle id in common.
  void check_whole_frames(const std::string& path, std::uint64_t begin);
  /// Reader of a file: current_ if it reads that file, or another one.
  PartComparison::Opened opened(const std::string& path);
  /// Compares parts of the open file with the parts before them.
  PartComparison comparison() {
    return {parts_, *current_,
            [this](const std::string& path) { return opened(path); }};
  }
  /// A message about a file without order. Throws InputError if its frames are repeated
  /// and must not be.
  std::string unordered_text(const std::string& path, const TimeOrder& order) const;
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
