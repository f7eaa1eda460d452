#pragma once

#include <array>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Datasets of H5MD trajectories in the form that other programs read. All functions
/// throw RunError.

/// Returns the unit in the spelling of MDAnalysis and other readers of H5MD; starhist's
/// reader accepts all spellings.
std::string h5md_unit(const std::string& unit);

/// Creates `value` with shape [frames][particles][3], one chunk per frame, stored as
/// `type`.
Hdf5Object create_h5md_positions(hid_t group, const std::array<hsize_t, 3>& shape,
                                 hid_t type);

/// Creates an enumeration type with the names for 0, 1, ...
Hdf5Object create_h5md_enumeration(hid_t group, const std::vector<std::string>& names);

/// Writes the species of each particle as an enumeration of the names.
void write_h5md_species(hid_t group, const std::vector<std::string>& names,
                        const std::vector<std::int32_t>& species);

/// Links the object `target` under a second name.
void link_hdf5(hid_t file, const std::string& target, const std::string& name);

}  // namespace starhist::io
