#pragma once

#include <string>
#include <vector>

#include "io/particles/particle_table.hh"

namespace starhist::io {

/// Content of a LAMMPS data file (command read_data) that describes its atoms.
struct LammpsData {
  /// Sorted by id: id, type ("2"), molecule if the style has it, mass if each type has
  /// one, and name: the label of the type (Atom Type Labels), otherwise the first word
  /// of the comment after its mass.
  ParticleTable particles;
  std::vector<double> positions;  ///< x, y, z in that order
  double edges[9] = {};  ///< rows are the box edges; all zero: the box is missing
  std::string units;  ///< unit style noted by write_data, such as "real"; "": unknown
  /// Messages about guessed properties.
  std::vector<std::string> remarks;
};

/// Reads a data file, plain or compressed: the header's numbers of atoms and atom types
/// and its box, and the sections Atoms, Masses and Atom Type Labels. Other counts in
/// the header ("9 bonds"), `abc origin` and all other sections are ignored; other
/// header lines are refused.
///
/// Throws InputError with the line number if it is not a data file or ends too early.
LammpsData read_lammps_data(const std::string& path);

}  // namespace starhist::io
