#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/formats/pdb/pdb_records.hh"
#include "io/reader/model_trajectory.hh"

namespace starhist::io {

/// Positions of the complete frames of a PDB file. A last line without a newline is
/// complete if it has its full width.
struct PdbIndex {
  TextIndex frames;
  TextFile::Position end;  ///< end of the last frame
  std::vector<AtomModel> models;
  std::vector<std::size_t> cell_of;  ///< index of each model's cell in `cells`
  std::vector<PdbCell> cells;
  std::vector<std::string> remarks;  ///< messages about the whole file
};

/// Indexes a PDB file. A frame is a model, or ends at END or the end of the file. A
/// model also ends at the next one, if it has as many atoms as the others. A CRYST1
/// record also applies to the models that follow. Throws InputError unless there is a
/// complete frame. `fixed_box`: the boxes are not used and may contradict each other.
PdbIndex index_pdb(TextFile& file, bool fixed_box);

/// Reads the frame at the current position, which ends at byte `end`, with step and
/// time from its title. Appends its atoms to `names`, unless that is null. Throws
/// InputError without the file name for an atom without a position or a residue number.
void read_pdb_frame(TextFile& file, std::uint64_t end, ModelAtoms& frame,
                    ParticleTable* names);

}  // namespace starhist::io
