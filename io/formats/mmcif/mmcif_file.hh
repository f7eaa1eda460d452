#pragma once

#include <string>
#include <vector>

#include "io/particles/particle_table.hh"
#include "io/reader/model_trajectory.hh"

namespace starhist::io {

/// An mmCIF file as gemmi parses it, all models in memory.
struct MmcifFile {
  std::vector<double> positions;   ///< x, y, z of the atoms of all models [Angstrom]
  std::vector<std::size_t> first;  ///< number of each model's first atom
  ParticleTable names;             ///< of the atoms of all models
  std::vector<AtomModel> models;
  double edges[9] = {};              ///< rows; all zero: no cell
  std::string cell_problem;          ///< why the cell cannot be used; "": it can
  std::vector<std::string> remarks;  ///< about the whole file
};

/// Reads a file, plain or compressed. Throws InputError, which does not name the file,
/// for one that is no mmCIF with Cartesian coordinates.
MmcifFile read_mmcif(const std::string& path);

}  // namespace starhist::io
