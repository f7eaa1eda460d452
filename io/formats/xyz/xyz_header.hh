#pragma once

#include <cstdint>
#include <string>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/geometry/box.hh"
#include "io/formats/xyz/xyz_columns.hh"
#include "io/text/text_file.hh"

namespace starhist::io {

/// The two lines before the atoms of an XYZ frame. In extended XYZ (libAtoms' extxyz,
/// as written by ASE, OVITO, LAMMPS and QUIP) the second has key=value words; otherwise
/// it is a remark.
///
/// Keys, in any case:
///
/// - `Lattice`, `pbc`: xyz_box()
/// - `Properties`: XyzColumns
/// - `Time`, and `Step` or `Timestep`
/// - `units`, `length_unit`, `time_unit` and the like: refused without --unit or
///   --time-unit
/// - words about boxes and periodicity: refused by xyz_box() without --box
/// - cell and units of i-PI: parse_ipi_comment()
///
/// Other keys, such as energies, are ignored.
struct XyzHeader {
  std::uint64_t atoms = 0;
  Box box;  ///< open without `Lattice`; `pbc` lists the periodic axes, default: all
  /// Reason, with the line, why the box cannot be used; "": it is usable.
  std::string box_problem;
  std::string unit;  ///< length unit, "A", if the comment is i-PI's; otherwise ""
  /// A statement about units of length or time, "units=bohr", or "".
  std::string length_unit;
  std::string time_unit;
  double time = no_time;
  std::int64_t step = 0;
  XyzColumns columns;
};

/// Reads the header up to the first atom. False at the end of the file. Throws
/// InputError with the line number if the file is not XYZ, and NoFrameBegins if the
/// number of atoms is missing.
bool read_xyz_header(TextFile& file, XyzHeader& header);

/// Seeks from `begin`, the beginning of a truncated or damaged frame, to the beginning
/// of the next one: a number of atoms as the only word of a line, or at the end of a
/// truncated line, if a run was appended. False at the end of the file.
bool find_xyz_frame(TextFile& file, const TextFile::Position& begin);

}  // namespace starhist::io
