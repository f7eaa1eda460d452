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

/// Reads one or more files as one trajectory with concatenated frames and the union of
/// the species; particles that are read individually must agree in all files. Only one
/// file is open at a time. Messages get the frame index.
class JoinedTrajectory : public TrajectoryReader {
 public:
  /// Units that the user specified; "": not given.
  struct Units {
    std::string length;
    std::string time;
  };

  /// `structure`: provides the units of files that lack them; may be null. `units`:
  /// units to use if the structure lacks them, too. Throws InputError when `paths` is
  /// empty, when units differ between files or from `units`, and for a repeated frame
  /// with RepeatedFrames::fail.
  JoinedTrajectory(const std::vector<std::string>& paths, OpenFile open,
                   const Units& units, RepeatedFrames repeated = RepeatedFrames::drop,
                   SharedStructure structure = nullptr);

  const TrajectoryInfo& info() const override { return info_; }
  void read(FrameIndex index, Frame& frame) override;
  StepAndTime read_moment(FrameIndex index, Frame& scratch) override;
  bool passes_on() const override { return passes_on_; }
  PassedOn passed_on(FrameIndex index) override;

 private:
  struct Part {
    std::string path;
    std::uint64_t first_frame = 0;
    std::vector<std::string> species;        ///< species of this file
    std::vector<std::size_t> position = {};  ///< index of each of them in info_.species
    std::uint64_t left_out = 0;  ///< number of repeated frames skipped at its beginning
    std::uint64_t frames = 0;    ///< number of frames in the file
    std::string bytes = {};      ///< size and sampled_bytes_text(); "": unknown
    /// Moments of the first and last readable frame.
    std::optional<Moment> first = {};
    std::optional<Moment> last = {};
  };

  /// `units`: used if neither the file nor the structure specifies them.
  void add(const std::string& path, const Units& units);
  /// Returns the units of the open file.
  Units units_of(const std::string& path, const Units& given) const;
  /// How the beginning of a file overlaps with earlier files.
  struct Repeats {
    enum class Kind {
      none,        ///< it begins after their end
      same_run,    ///< same frames
      same_times,  ///< same times, but different positions
      other_run,   ///< same times, but another run
      unknown      ///< the decisive frames cannot be read
    };
    const Part* of;  ///< the overlapping file
    Kind kind;
    std::uint64_t count;  ///< number of frames to skip
  };
  /// Throws InputError if the file differs from the first one both in species and in
  /// the number of particles of its first readable frame.
  void check_same_system(const Part& next) const;
  /// Compares the open file, `next`, with the files before it.
  Repeats repeats_of(const Part& next);
  /// Returns the number of frames to skip at the beginning of the open file, `next`,
  /// because they repeat frames of earlier files. Adds messages about these, and about
  /// times that jump back.
  std::uint64_t repeated_at_begin(const Part& next);
  /// Opens the file that contains the frame.
  const Part& part_of(std::uint64_t frame);

  OpenFile open_;
  RepeatedFrames repeated_;
  SharedStructure structure_;
  bool several_;  ///< there is more than one file
  std::vector<Part> parts_;
  TrajectoryInfo info_;
  std::map<std::string, SpeciesElement> elements_;  ///< by species, over all files
  bool passes_on_ = false;  ///< at least one file passes on data
  const Part* current_slice_ = nullptr;
  std::unique_ptr<TrajectoryReader> current_;
  Frame scratch_;
};

}  // namespace starhist::io
