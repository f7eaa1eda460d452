#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/base/error.hh"
#include "codelets/core/counting/frame.hh"
#include "io/files/passed_on.hh"
#include "io/hdf5/inspection/external_files.hh"
#include "io/particles/particle_table.hh"
#include "io/particles/read_from.hh"
#include "io/selection/species_by.hh"
#include "io/selection/species_groups.hh"

namespace starhist::io {

/// Properties of a trajectory that are known before its frames are read.
struct TrajectoryInfo {
  std::vector<std::string> paths;
  std::string format;  ///< "H5MD", "LAMMPS text dump", ...
  std::string group;   ///< particle group; "" if the format has no groups
  /// Sorted, numbers by value; positions of a frame have the same order. {"all"} if the
  /// file does not distinguish species, or if all frames are empty; readers of single
  /// files leave it empty in the latter case.
  std::vector<std::string> species;
  /// Property that defines the species without selection rules.
  SpeciesBy species_by = SpeciesBy::file;
  /// Number of species in the file; larger than species.size() if
  /// ReadOptions::most_species replaced them by elements. 0: unknown.
  std::size_t species_of_file = 0;
  std::string length_unit;        ///< "" if the file does not specify it
  std::string time_unit;          ///< "" if the file does not specify it
  std::uint64_t frame_count = 0;  ///< most_stream_frames for a stream
  /// Running simulation: a frame can be read, also repeatedly, only until the next one
  /// is read, and EndOfStream signals the end.
  bool stream = false;
  /// Frames should be read in order by one reader: they are compressed together, so
  /// several readers would repeat each other's work.
  bool sequential_only = false;
  /// Steps and times of all frames are known without reading the frames.
  bool lists_moments = false;
  /// Decompression takes much longer than reading from the disk; parallel readers
  /// decompress independently.
  bool decompresses = false;
  /// Messages about files that end within a frame; only their complete frames count.
  std::vector<std::string> truncation;
  /// Messages about how the files were interpreted, for users who might not expect it.
  std::vector<std::string> remarks;
  /// Other files that hold data of HDF5 files.
  ExternalFileList external_files = {};
  /// The particles, if ReadOptions::per_particle is set: they form one species, in the
  /// order of the positions. Otherwise without particles.
  ParticleTable particles;
  /// Some atoms have several locations, or a location with a letter.
  bool has_alternate_locations = false;
  /// Particles of each species; empty if unknown or if they change between frames.
  std::vector<SpeciesParticles> members;
  /// HistogramLayout::selections.
  std::vector<std::string> selections = {};
  /// Elements of each species; empty if unknown. Readers that deliver species rather
  /// than particles set it according to the format's definition of an element.
  std::vector<SpeciesElement> elements = {};
  /// Sources of box, names, elements, residues, times and units. Readers describe the
  /// file's own box even if ReadOptions::box replaces it.
  ReadFrom from = {};
};

/// Largest number of frames read from a stream.
inline constexpr std::uint64_t most_stream_frames = 1'000'000'000;

/// Thrown if the simulation has sent its last frame. The message names the first
/// missing frame.
class EndOfStream : public RunError {
 public:
  using RunError::RunError;
};

class TextIndexStore;

/// Treatment of frames that repeat frames of an earlier file, or of an earlier part of
/// the same file.
enum class RepeatedFrames {
  drop,
  keep,
  fail,
  describe  ///< like drop, but a remark instead of an error about frames out of order
};

struct ReadOptions {
  std::string group;                  ///< particle group; "": the only one in the file
  std::optional<Box> box;             ///< replaces the box of every frame
  std::string length_unit;            ///< for files that do not specify it
  std::vector<SpeciesGroup> species;  ///< empty: the species of the file
  /// Property that defines the species, without rules.
  SpeciesBy by = SpeciesBy::file;
  /// Largest number of species without rules: a file with more gets its elements as
  /// species instead. 0: no limit. If its elements are unknown, open_trajectory()
  /// throws InputError with the options to use.
  std::size_t most_species = 0;
  /// Deliver, without rules, all particles as one species, in the same order in every
  /// frame, with TrajectoryInfo::particles describing them.
  bool per_particle = false;
  /// Set TrajectoryInfo::members, which requires the same particles in every frame.
  /// Rules that select particles set it in any case.
  bool with_membership = false;
  /// Set Frame::order.
  bool tell_order = false;
  /// Indexes of text files; readers that share a store scan each file only once. Null:
  /// a store for this trajectory only.
  std::shared_ptr<TextIndexStore> text_indexes = {};
  std::string structure = {};  ///< file with atom names; "": not given
  /// GROMACS index file with the groups that rules refer to; "": not given.
  std::string index = {};
  /// File that maps names to elements (read_element_aliases()), for particles without
  /// an element; "": not given.
  std::string aliases = {};
  /// Guess elements from names, for particles that still lack one.
  bool guess_elements = false;
  RepeatedFrames repeated = RepeatedFrames::drop;
  /// Choice of alternate locations, see choose_locations().
  std::string altloc = "first";
  /// Whether HDF5 files may refer to data in other files.
  ExternalFiles external = ExternalFiles::refused;
  std::string time_unit = {};  ///< for files that do not specify it
  /// File with one box per frame of the joined trajectory, which replace the boxes in
  /// the files (read_frame_boxes()); "": not given.
  std::string box_file = {};
  /// Plane onto which positions and boxes are projected (in_plane()).
  Plane plane = Plane::none;
  /// Set Frame::heights; only with `plane`.
  bool heights = false;
  /// Axes of the box to open (with_open_axes()); not with `plane`.
  std::array<bool, 3> open = {};
};

/// Throws InputError if the options name a particle group and the format has no groups.
void refuse_group(const std::string& path, const std::string& format,
                  const ReadOptions& options);

/// Returns Frame::order for a file that stores its species one after the other, without
/// ids. `positions`: by species.
std::vector<FileOrder> species_in_turn(
    const std::vector<std::vector<double>>& positions);

/// Reads frames of a trajectory in any order. Not thread-safe.
class TrajectoryReader {
 public:
  TrajectoryReader() = default;
  TrajectoryReader(const TrajectoryReader&) = delete;
  TrajectoryReader& operator=(const TrajectoryReader&) = delete;
  virtual ~TrajectoryReader() = default;

  virtual const TrajectoryInfo& info() const = 0;

  /// Reads frame `index` < info().frame_count into `frame`, whose memory is reused.
  /// Throws InputError naming file and frame when positions are not finite or all zero
  /// (as in a truncated and padded file), when the box is invalid, or when the file
  /// cannot be read there.
  virtual void read(FrameIndex index, Frame& frame) = 0;

  /// Returns step and time of frame `index`, for scans of all frames. Without
  /// TrajectoryInfo::lists_moments the frame is read into `scratch`. Throws InputError
  /// for a frame whose step and time cannot be read.
  virtual StepAndTime read_moment(FrameIndex index, Frame& scratch) {
    read(index, scratch);
    return {scratch.step, scratch.time};
  }

  /// Whether passed_on() returns data for frames of this trajectory.
  virtual bool passes_on() const { return false; }

  /// Returns the data to pass on with the counts of the single frame `index`. Throws
  /// like read().
  virtual PassedOn passed_on(FrameIndex index) {
    static_cast<void>(index);
    return {};
  }
};

/// Opens one or more files as one trajectory, concatenating their frames. Throws
/// InputError when a file is missing, empty, truncated, of unknown format, or without
/// the particle group, or when the units of the files differ.
std::unique_ptr<TrajectoryReader> open_trajectory(const std::vector<std::string>& paths,
                                                  const ReadOptions& options);

}  // namespace starhist::io
