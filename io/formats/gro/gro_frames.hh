#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "io/particles/particle_table.hh"
#include "io/text/text_index.hh"

namespace starhist::io {

/// A frame of a GRO file.
struct GroFrame {
  std::int64_t step = 0;          ///< 0 if the title has no step
  double time = no_time;          ///< [ps]; no_time if the title has no time
  std::vector<double> positions;  ///< x, y, z of each atom [nm]
  std::string box;                ///< box line, for read_gro_box()
};

/// Indexes the frames of a GRO file. Throws InputError if it is not a GRO file or has
/// no complete frame.
TextIndex index_gro(TextFile& file);

/// Reads the frame at the current position. Appends its atoms to `names`, unless that
/// is null. Throws InputError without the file name for a line without a position.
void read_gro_frame(TextFile& file, GroFrame& frame, ParticleTable* names);

}  // namespace starhist::io
