#pragma once

#include <string>
#include <vector>

#include "io/particles/particle_table.hh"
#include "io/reader/model_trajectory.hh"

namespace starhist::io {

/// An mmCIF file parsed by gemmi, with all models in memory.
struct MmcifFile {
  std::vector<double> positions;   ///< x, y, z of the atoms of all models [Angstrom]
  std::vector<std::size_t> first;  ///< index of each model's first atom
  ParticleTable names;             ///< names of the atoms of all models
  std::vector<AtomModel> models;
  double edges[9] = {};      ///< rows; all zero: no cell
  std::string cell_problem;  ///< reason why the cell cannot be used; "": it is usable
  std::vector<std::string> remarks;  ///< messages about the whole file
};

/// Reads a file, plain or compressed. Throws InputError without the file name if it is
/// not mmCIF with Cartesian coordinates.
MmcifFile read_mmcif(const std::string& path);

}  // namespace starhist::io
