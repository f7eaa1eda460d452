#pragma once

#include <cstdint>
#include <string>

#include "io/hdf5/hdf5_object.hh"
#include "io/particles/structure.hh"

namespace starhist::io {

/// The topology that GROMACS stores inside its H5MD files, null if there is none:
/// - `/h5md/modules/gromacs_topology`, version 0.1: a group for each molecule type, and
///   the blocks of molecules that make the system, in the order of the positions;
/// - the same columns in the particle group itself, which come first.
/// Columns are id (1, 2, ...), species (atomic number), mass [u], charge [e],
/// particle_name and residue_name (indexes into particle_name_table and
/// residue_name_table), and residue_id.
///
/// It gives names, elements, residues, molecules (0, 1, ...), masses and charges.
/// Molecules of one residue get the numbers of GROMACS' tools: residues of them are
/// numbered one after the other, behind those of the larger molecules. mdrun 2026
/// writes residue_id one too large, which shows in molecules of one residue: then it is
/// corrected. `/connectivity/bonds` is checked against the atoms and counted.
///
/// Throws InputError when the version is another one, when columns contradict each
/// other, when the topology is not of `particle_count` particles, and for bonds of
/// atoms that do not exist.
SharedStructure read_gromacs_topology(hid_t particle_group, const std::string& path,
                                      std::uint64_t particle_count);

}  // namespace starhist::io
