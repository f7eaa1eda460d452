#pragma once

#include <cstdint>
#include <string>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/geometry/box.hh"
#include "io/formats/xyz/xyz_columns.hh"
#include "io/text/text_file.hh"

namespace starhist::io {

/// The two lines before the atoms of an XYZ frame. Extended XYZ (libAtoms' extxyz, as
/// ASE, OVITO, LAMMPS and QUIP write it) has key=value words in the second; others a
/// remark.
///
/// Keys, in any case of letters:
///
/// * `Lattice`, `pbc`: xyz_box().
/// * `Properties`: XyzColumns.
/// * `Time`, and `Step` or `Timestep`.
/// * `units`, `length_unit`, `time_unit` and the like: refused without --unit or
///   --time-unit.
/// * Words about boxes and periodicity: refused by xyz_box() without --box.
///
/// Other keys, such as energies, hold nothing that is needed.
struct XyzHeader {
  std::uint64_t atoms = 0;
  Box box;  ///< open without `Lattice`; `pbc` says which axes are periodic, else all
  /// Why the box cannot be used, with the line; "": it can.
  std::string box_problem;
  /// A statement about units of length or time, "units=bohr", or "".
  std::string length_unit;
  std::string time_unit;
  double time = no_time;
  std::int64_t step = 0;
  XyzColumns columns;
};

/// Reads up to the first atom. False when the file ends before. Throws InputError, with
/// the number of the line, for what is no XYZ file, and NoFrameBegins where there is no
/// number of atoms.
bool read_xyz_header(TextFile& file, XyzHeader& header);

/// Goes to the next beginning of a frame behind `begin`, where one begins that is cut
/// off or damaged: a number of atoms alone in its line, or at the end of a line that
/// was cut off, as a run that is appended leaves it. False where there is none.
bool find_xyz_frame(TextFile& file, const TextFile::Position& begin);

}  // namespace starhist::io
