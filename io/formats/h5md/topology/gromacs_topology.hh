#pragma once

#include <cstdint>
#include <string>

#include "io/hdf5/hdf5_object.hh"
#include "io/particles/structure.hh"

namespace starhist::io {

/// Reads the topology that GROMACS stores inside its H5MD files; null if it is missing.
/// It consists of columns of properties, either
/// - in the particle group itself, which has priority, or
/// - in `/h5md/modules/gromacs_topology`, version 0.1: in a group for each molecule
///   type, in addition to the blocks of molecules that form the system, in the order of
///   the positions.
///
/// Columns are id (1, 2, ...), species (atomic number), mass [u], charge [e],
/// particle_name and residue_name (indices into particle_name_table and
/// residue_name_table), and residue_id.
///
/// It provides names, elements, residues, molecules (0, 1, ...), masses and charges.
/// Molecules with a single residue are numbered as by GROMACS' tools: their residues
/// are numbered consecutively, after the residues of larger molecules. mdrun 2026
/// writes residue_id one too large; this is detected in single-residue molecules and
/// corrected. `/connectivity/bonds` is checked against the atoms and counted.
///
/// Throws InputError for another version, for contradictory columns, when the topology
/// does not have `particle_count` particles, and for bonds of atoms that do not exist.
SharedStructure read_gromacs_topology(hid_t particle_group, const std::string& path,
                                      std::uint64_t particle_count);

}  // namespace starhist::io
