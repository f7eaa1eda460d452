#pragma once

#include <string>
#include <vector>

#include "io/particles/particle_table.hh"

namespace starhist::io {

/// What a LAMMPS data file (the command read_data) tells of its atoms.
struct LammpsData {
  /// In the order of the ids: id, type ("2"), molecule where the style has one, mass
  /// where each type has one, and name: the label of the type (Atom Type Labels), else
  /// the first word of the comment behind its mass.
  ParticleTable particles;
  std::vector<double> positions;  ///< x, y, z in that order
  double edges[9] = {};           ///< rows are the edges; all zero: no box is given
  std::string units;              ///< "real", as write_data notes it; "": not said
  /// Sentences about what was guessed.
  std::vector<std::string> remarks;
};

/// Reads the header's numbers of atoms and atom types and its box, and the sections
/// Atoms, Masses and Atom Type Labels. Of the header other counts ("9 bonds") and `abc
/// origin`, and all other sections, hold nothing that is needed; other lines of the
/// header are refused.
///
/// Reads a file, plain or compressed. Throws InputError, with the number of the line,
/// for what is no data file or ends too early.
LammpsData read_lammps_data(const std::string& path);

}  // namespace starhist::io
