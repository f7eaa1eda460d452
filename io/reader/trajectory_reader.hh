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

/// What is known of a trajectory before its frames are read.
struct TrajectoryInfo {
  std::vector<std::string> paths;
  std::string format;  ///< "H5MD", "LAMMPS text dump", ...
  std::string group;   ///< particle group; "" where the format has none
  /// Sorted, numbers by value; every frame's positions follow it. {"all"} when the
  /// file does not tell species apart, or when no frame has particles. Readers of one
  /// file leave it empty in the second case.
  std::vector<std::string> species;
  /// What makes the species, where no rules are given.
  SpeciesBy species_by = SpeciesBy::file;
  /// Number of species of the file; more than those above where
  /// ReadOptions::most_species made elements of them. 0: not known.
  std::size_t species_of_file = 0;
  std::string length_unit;        ///< "" when the file does not say
  std::string time_unit;          ///< "" when the file does not say
  std::uint64_t frame_count = 0;  ///< of a stream, most_stream_frames
  /// A simulation that runs: each frame can be read once, or again until the next one
  /// is read, and EndOfStream tells that there are no more.
  bool stream = false;
  /// Frames are best read one after the other, by one reader: they are compressed
  /// together, so that several readers would do the same work several times.
  bool sequential_only = false;
  /// Reading takes far more computing time than the file takes to be read: each reader
  /// decompresses positions by itself, beside the others.
  bool decompresses = false;
  /// Sentences about files that end within a frame: which the last one is that can be
  /// read. Frames are those that are whole.
  std::vector<std::string> truncation;
  /// Sentences about what was done with the files, which users might not expect.
  std::vector<std::string> remarks;
  /// The other files in which data of HDF5 files lie.
  ExternalFileList external_files = {};
  /// Of a reader whose frames have all particles as one species, in the order of this
  /// table (ReadOptions::per_particle); else without particles.
  ParticleTable particles;
  /// Some atom has several locations or the letter of one.
  bool has_alternate_locations = false;
  /// By species, where it is known which particles it is made of; else empty.
  std::vector<SpeciesParticles> members;
  /// By species, where their elements are known; else empty. Readers that deliver
  /// species rather than particles set it from what the format defines as an element.
  std::vector<SpeciesElement> elements = {};
  /// Where box, names, elements, residues, times and units come from. Readers set what
  /// the file has even if ReadOptions::box replaces its boxes.
  ReadFrom from = {};
};

/// So many frames of a stream are read at most.
inline constexpr std::uint64_t most_stream_frames = 1'000'000'000;

/// A simulation sends no more frames. The message says which the first one is that did
/// not come.
class EndOfStream : public RunError {
 public:
  using RunError::RunError;
};

class TextIndexStore;

/// What is done with the first frame of a file that repeats the last one of the file
/// before.
enum class RepeatedFrames { drop, keep, fail };

struct ReadOptions {
  std::string group;        ///< particle group; "" means the only one there is
  std::optional<Box> box;   ///< replaces the box of every frame
  std::string length_unit;  ///< for files that do not say theirs
  std::vector<SpeciesGroup> species;  ///< empty: those of the file
  /// What makes the species, without rules.
  SpeciesBy by = SpeciesBy::file;
  /// A file with more species has its elements as species instead, without rules. 0: no
  /// limit. Where it does not tell elements open_trajectory() throws InputError, with
  /// what to type.
  std::size_t most_species = 0;
  /// Without rules: all particles as one species, in the same order in every frame, and
  /// TrajectoryInfo::particles that describes them.
  bool per_particle = false;
  /// That TrajectoryInfo::members are told, which needs the same particles in every
  /// frame. Rules that look at particles tell them anyway.
  bool with_membership = false;
  /// That Frame::order is told.
  bool tell_order = false;
  /// What is known of text files; readers that share it go through each only once.
  /// Empty: one for this trajectory alone.
  std::shared_ptr<TextIndexStore> text_indexes = {};
  std::string structure = {};  ///< file that names the atoms; "": none
  /// Index file of GROMACS, whose groups the rules name; "": none.
  std::string index = {};
  /// File of the elements of names (read_element_aliases()), for particles without one;
  /// "": none.
  std::string aliases = {};
  /// That elements are guessed from names, for particles that are still without one.
  bool guess_elements = false;
  RepeatedFrames repeated = RepeatedFrames::drop;
  /// Which of the alternate locations of an atom are read: choose_locations().
  std::string altloc = "first";
  /// Of HDF5 files whose data lie in other files.
  ExternalFiles external = ExternalFiles::refused;
  std::string time_unit = {};  ///< for files that do not say theirs
  /// File with a box for each frame of all files together, which replaces theirs
  /// (read_frame_boxes()); "": none.
  std::string box_file = {};
};

/// Throws InputError when a particle group is asked for, which the format does not
/// have.
void refuse_group(const std::string& path, const std::string& format,
                  const ReadOptions& options);

/// Frame::order where the file has its species one after the other, without ids.
/// `positions`: by species.
std::vector<FileOrder> species_in_turn(
    const std::vector<std::vector<double>>& positions);

/// Frames of a trajectory, in any order. One thread at a time.
class TrajectoryReader {
 public:
  TrajectoryReader() = default;
  TrajectoryReader(const TrajectoryReader&) = delete;
  TrajectoryReader& operator=(const TrajectoryReader&) = delete;
  virtual ~TrajectoryReader() = default;

  virtual const TrajectoryInfo& info() const = 0;

  /// Reads frame `index` < info().frame_count into `frame`, whose memory is reused.
  /// Throws InputError naming file and frame when positions are not finite or all
  /// zero (what a truncated and padded file looks like), when the box is not usable,
  /// or when the file cannot be read there.
  virtual void read(FrameIndex index, Frame& frame) = 0;

  /// Frame::time of frame `index`, for a look at all times. Formats that hold it apart
  /// from the positions do not read these; others read the frame into `scratch`. Throws
  /// as read().
  virtual double read_time(FrameIndex index, Frame& scratch) {
    read(index, scratch);
    return scratch.time;
  }

  /// Whether passed_on() has something for frames of this trajectory.
  virtual bool passes_on() const { return false; }

  /// What the file wants passed on with the counts of frame `index`, one frame. Throws
  /// as read().
  virtual PassedOn passed_on(FrameIndex index) {
    static_cast<void>(index);
    return {};
  }
};

/// Opens one or more files as one trajectory, their frames one after the other.
/// Throws InputError when a file is missing, empty, truncated or of no known format,
/// when it has no such group, or when the files differ in units.
std::unique_ptr<TrajectoryReader> open_trajectory(const std::vector<std::string>& paths,
                                                  const ReadOptions& options);

}  // namespace starhist::io
