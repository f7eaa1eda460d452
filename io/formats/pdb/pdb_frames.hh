#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/formats/pdb/pdb_cell.hh"
#include "io/reader/model_trajectory.hh"

namespace starhist::io {

/// Where the whole frames of a PDB file are. The last line of a file needs no end if it
/// has its full width.
struct PdbIndex {
  TextIndex frames;
  TextFile::Position end;  ///< of the last of them
  std::vector<AtomModel> models;
  std::vector<std::size_t> cell_of;  ///< of each model, in `cells`
  std::vector<PdbCell> cells;
  std::vector<std::string> remarks;  ///< about the whole file
};

/// Frames are models, or what END ends, or the file. A model also ends where the next
/// one begins, if it has as many atoms as the others. A CRYST1 record holds for the
/// models behind it too. Throws InputError where there is no whole frame. `fixed_box`:
/// the boxes are not used, so that they may contradict each other.
PdbIndex index_pdb(TextFile& file, bool fixed_box);

/// Reads the frame that begins here and ends at byte `end`; step and time are those of
/// its title. Appends the atoms to `names` unless it is null. Throws InputError, which
/// does not name the file, for an atom without a position or a residue number.
void read_pdb_frame(TextFile& file, std::uint64_t end, ModelAtoms& frame,
                    ParticleTable* names);

}  // namespace starhist::io
