#pragma once

#include <string>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

// What the reader of H5MD knows near positions and boxes. Other content of a particle
// group describes particles and is read by its name, or cannot change distances:
// velocities, forces, images, charges, and any other name. So cannot /observables,
// /parameters and /connectivity.

/// Throws InputError unless the file is of H5MD 1, or does not state its version.
void check_h5md_version(hid_t file);

/// Throws InputError for content of the element `path`, positions or edges, that is not
/// known, and for attributes of its values by which other formats scale or move them.
void check_h5md_lengths(hid_t particle_group, const std::string& path);

/// Throws InputError for boxes in other places than those of H5MD, and for sheared
/// boundaries (Lees-Edwards) of ESPResSo.
void check_h5md_boxes(hid_t particle_group);

}  // namespace starhist::io
