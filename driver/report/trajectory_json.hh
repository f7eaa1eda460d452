#pragma once

#include <string>

#include "io/reader/trajectory_reader.hh"

namespace starhist::driver {

/// Parts of a trajectory that trajectory_json() writes in full.
struct JsonContents {
  bool all_frames = false;  ///< every frame, not only the first one
  bool particles = false;   ///< the columns of the particle table
};

/// A JSON document that describes a trajectory, with a final newline: files, format,
/// units, species, and for each frame its step, time, number of particles, box matrix
/// (rows are the edge vectors) and periodic axes. Values missing in the file are null.
/// Lengths are in the unit of the file. `reading`: the options with which `reader` was
/// opened. Throws InputError if a frame cannot be read.
std::string trajectory_json(io::TrajectoryReader& reader,
                            const io::ReadOptions& reading,
                            const JsonContents& contents);

}  // namespace starhist::driver
