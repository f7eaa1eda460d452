#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/geometry/box.hh"
#include "io/text/text_file.hh"
#include "io/text/text_particles.hh"

namespace starhist::io {

/// The two lines before the atoms of an XYZ frame. Extended XYZ (as ASE and OVITO write
/// it) has key=value words in the second; others a remark.
struct XyzHeader {
  std::uint64_t atoms = 0;
  Box box;  ///< open without `Lattice`; `pbc` says which axes are periodic, else all
  double time = no_time;  ///< `Time`
  std::int64_t step = 0;  ///< `Step`
  /// Columns, from 0: as `Properties` has them, or name x y z.
  std::optional<std::size_t> species = 0;
  std::size_t position = 1;  ///< of x, before y and z
  std::size_t columns = 4;   ///< of a line, at least
  ParticleColumns particles;
};

/// Reads up to the first atom. False when the file ends before. Throws InputError, with
/// the number of the line, for what is no XYZ file or a cell that cannot be used.
bool read_xyz_header(TextFile& file, XyzHeader& header);

}  // namespace starhist::io
