#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "io/particles/particle_table.hh"
#include "io/text/text_index.hh"

namespace starhist::io {

/// Where the whole frames of a PDB file are. The last line of a file needs no end if it
/// has its full width.
struct PdbIndex {
  TextIndex frames;
  TextFile::Position end;  ///< of the last of them
  /// The CRYST1 record that holds for each frame: its number in `boxes`.
  std::vector<std::size_t> box_of;
  std::vector<std::string> boxes;  ///< the first is "", for none
};

/// Frames are models, or what END ends, or the file. A CRYST1 record holds for the
/// models behind it too. Throws InputError where there is no whole frame.
PdbIndex index_pdb(TextFile& file);

/// A frame of a PDB file without its box.
struct PdbFrame {
  std::int64_t step = 0;          ///< 0 where no title tells it
  double time = no_time;          ///< [ps]; no_time where no title tells it
  std::vector<double> positions;  ///< x, y, z of each atom [Angstrom]
};

/// Reads the frame that begins here and ends at byte `end`. Appends the atoms to
/// `names` unless it is null. Throws InputError, which does not name the file, for an
/// atom without a position and for a model without atoms.
void read_pdb_frame(TextFile& file, std::uint64_t end, PdbFrame& frame,
                    ParticleTable* names);

}  // namespace starhist::io
