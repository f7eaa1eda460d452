#pragma once

#include <memory>
#include <string>

#include "io/output/output_path.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// Precision of stored positions.
enum class H5mdPrecision { single, full };

/// Form of stored boxes: matrices of nine numbers, or vectors of three lengths for
/// orthorhombic boxes, as VOTCA requires (MDAnalysis 2.4 then considers the system
/// open).
enum class H5mdEdges { matrix, vector };

struct H5mdFormat {
  H5mdPrecision precision = H5mdPrecision::single;
  H5mdEdges edges = H5mdEdges::matrix;
};

/// Writes frames with the same number of particles as H5MD 1.1, group particles/all:
/// one chunk of positions per frame, in the order of the source file (ParticleOrder),
/// and the columns of TrajectoryInfo::particles (write_h5md_columns()). The file is
/// called PATH.partial until it is complete.
class H5mdWriter {
 public:
  /// Prepares for at most `most_frames` frames like `first`, and reserves space for
  /// them. Throws InputError when `path` cannot be used and RunError when the disk is
  /// full.
  H5mdWriter(const std::string& path, Overwrite overwrite, const TrajectoryInfo& info,
             const Frame& first, std::uint64_t most_frames, const H5mdFormat& format);
  /// Removes an unfinished file.
  ~H5mdWriter();
  H5mdWriter(const H5mdWriter&) = delete;
  H5mdWriter& operator=(const H5mdWriter&) = delete;

  /// Appends a frame. False when single precision cannot represent a position exactly;
  /// the file is then useless. Throws InputError when the frame differs from the first
  /// in its number of particles, ids or periodic axes, or has a box that the format
  /// cannot represent; RunError when writing fails.
  bool append(const Frame& frame);

  /// Whether the species of a row has changed in any frame so far.
  bool species_change() const;

  /// Writes the rest and renames the file to PATH. Throws RunError.
  void finish(const std::string& version);

 private:
  class File;
  std::unique_ptr<File> file_;
};

}  // namespace starhist::io
