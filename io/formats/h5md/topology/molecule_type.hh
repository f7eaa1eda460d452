#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Atoms of a molecule type in the columns of GROMACS' H5MD, one entry per atom.
struct MoleculeType {
  std::string place;  ///< for messages
  std::vector<std::string> name;
  /// "DUMMY" for sites without an atom; "" if the element is unknown.
  std::vector<std::string> element;
  std::vector<std::string> residue_name;
  std::vector<std::int64_t> residue;  ///< residue_id of the file
  std::vector<double> mass;           ///< [u]
  std::vector<double> charge;         ///< [e]

  std::size_t count() const { return name.size(); }

  /// Whether all atoms belong to one residue.
  bool single_residue() const;
};

/// Reads the columns of a group. Throws InputError when a column is missing, differs in
/// length from the others, or contains impossible values.
MoleculeType read_molecule_type(hid_t group);

}  // namespace starhist::io
