#pragma once

#include <cstdint>
#include <vector>

#include "io/hdf5/hdf5_object.hh"
#include "io/particles/particle_table.hh"

namespace starhist::io {

/// Writes the columns of `table`, except for species, as datasets of an H5MD particle
/// group, with the names that H5mdParticles reads: id, name, type, element, resname,
/// ..., mass, charge. Row k describes particle `places[k]` of the table; `with_id`
/// false: the group already has the dataset `id`. Throws RunError.
void write_h5md_columns(hid_t particle_group, const ParticleTable& table,
                        const std::vector<std::uint32_t>& places, bool with_id);

/// Dataset with the residue number of each particle, from 0, which is written if the
/// other columns do not define the residues.
inline constexpr const char* h5md_residue_index = "residue_index";

/// Attribute of `molecule` that is 1 if particles with molecule number 0 belong to no
/// molecule (ParticleTable::molecule_zero_is_none).
inline constexpr const char* h5md_zero_is_none = "zero_is_none";

}  // namespace starhist::io
