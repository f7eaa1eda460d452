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
  std::int64_t step = 0;          ///< 0 where the title does not tell it
  double time = no_time;          ///< [ps]; no_time where the title does not tell it
  std::vector<double> positions;  ///< x, y, z of each atom [nm]
  std::string box;                ///< line of the box, for read_gro_box()
};

/// The frames of a GRO file. Throws InputError for what is no GRO file and where there
/// is no whole frame.
TextIndex index_gro(TextFile& file);

/// Reads the frame that begins here. Appends the atoms to `names` unless it is null.
/// Throws InputError, which does not name the file, for a line without a position.
void read_gro_frame(TextFile& file, GroFrame& frame, ParticleTable* names);

}  // namespace starhist::io
