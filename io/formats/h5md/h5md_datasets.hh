#pragma once

#include <array>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Datasets of H5MD trajectories in the form in which other programs read them.
/// Everything throws RunError.

/// As MDAnalysis and the other readers of H5MD spell it; ours knows all spellings.
std::string h5md_unit(const std::string& unit);

/// `value` of shape [frames][particles][3], a chunk per frame, of `type` in the file.
Hdf5Object create_h5md_positions(hid_t group, const std::array<hsize_t, 3>& shape,
                                 hid_t type);

/// A type that has the names for 0, 1, ...
Hdf5Object create_h5md_enumeration(hid_t group, const std::vector<std::string>& names);

/// `species`: that of each particle, as an enumeration of the names.
void write_h5md_species(hid_t group, const std::vector<std::string>& names,
                        const std::vector<std::int32_t>& species);

/// Gives the object `target` a second name.
void link_hdf5(hid_t file, const std::string& target, const std::string& name);

}  // namespace starhist::io
