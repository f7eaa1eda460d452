#pragma once

#include <string>
#include <vector>

#include "io/text/text_index.hh"

namespace starhist::io {

/// Where the whole frames of a GRO or PDB file are. The last line of a file needs no
/// end if it has its full width, or, as a box of GRO, all its decimals (last_line.hh).
struct GromacsTextIndex {
  TextIndex frames;
  TextFile::Position end;  ///< of the last of them
  /// Of PDB, the CRYST1 record that holds for each frame: its number in `boxes`.
  std::vector<std::size_t> box_of;
  std::vector<std::string> boxes;  ///< the first is "", for none
};

/// Whether a line of PDB is one of ATOM or HETATM.
bool is_pdb_atom(std::string_view line);

/// Frames of GRO: title, number of atoms, so many lines, box. Throws InputError for
/// what is none.
GromacsTextIndex index_gro(TextFile& file);

/// Frames of PDB: models, or what END ends, or the file. A CRYST1 record holds for the
/// models behind it too.
GromacsTextIndex index_pdb(TextFile& file);

/// Frames of G96: a block of positions that END ends, with the blocks before and behind
/// it. The last frame needs a box where others have one.
TextIndex index_g96(TextFile& file);

}  // namespace starhist::io
