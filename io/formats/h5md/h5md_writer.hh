#pragma once

#include <memory>
#include <string>

#include "io/output/output_path.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// How numbers of positions are stored.
enum class H5mdPrecision { single, full };

/// How boxes are stored: all nine numbers of each, or the lengths of boxes along x, y
/// and z, as VOTCA needs it (MDAnalysis 2.4 then takes the system for open).
enum class H5mdEdges { matrix, vector };

struct H5mdFormat {
  H5mdPrecision precision = H5mdPrecision::single;
  H5mdEdges edges = H5mdEdges::matrix;
};

/// Writes frames with the same number of particles as H5MD 1.1, group particles/all, a
/// chunk for the positions of each frame, in the order of the file that they are from
/// (ParticleOrder), and the columns of TrajectoryInfo::particles
/// (write_h5md_columns()). The file is called PATH.partial until it is complete.
class H5mdWriter {
 public:
  /// For at most `most_frames` frames like `first`. Room for all of them is set aside.
  /// Throws InputError when `path` cannot be had and RunError when the disk is full.
  H5mdWriter(const std::string& path, Overwrite overwrite, const TrajectoryInfo& info,
             const Frame& first, std::uint64_t most_frames, const H5mdFormat& format);
  /// Removes a file that is not finished.
  ~H5mdWriter();
  H5mdWriter(const H5mdWriter&) = delete;
  H5mdWriter& operator=(const H5mdWriter&) = delete;

  /// False when single precision cannot hold a position as it is; the file is then of
  /// no use. Throws InputError when the frame has another number of particles, other
  /// ids or other periodic axes than the first, or a box that the format cannot hold;
  /// RunError.
  bool append(const Frame& frame);

  /// Whether the species of some row are not the same in all frames so far.
  bool species_change() const;

  /// Writes the rest, and gives the file its name. Throws RunError.
  void finish(const std::string& version);

 private:
  class File;
  std::unique_ptr<File> file_;
};

}  // namespace starhist::io
