#pragma once

#include <span>
#include <string>
#include <string_view>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

// Content near positions and boxes that the H5MD reader knows. All other content of a
// particle group describes particles and is read by name, or cannot change distances:
// velocities, forces, images, charges, and any other name. The same holds for
// /observables, /parameters and /connectivity.

/// Throws InputError unless the file has H5MD version 1, or does not state its version.
void check_h5md_version(hid_t file);

/// Throws InputError for unknown content of the element `path`, positions or edges, and
/// for attributes by which other formats scale or shift its values.
void check_h5md_lengths(hid_t particle_group, const std::string& path);

/// Throws InputError for boxes in other places than H5MD's, and for ESPResSo's sheared
/// (Lees-Edwards) boundaries.
void check_h5md_boxes(hid_t particle_group);

/// Names that a reader of an HDF5 group knows.
using KnownNames = std::span<const std::string_view>;

/// Throws InputError for an unknown member of the group, because it may change the
/// meaning of the known ones. `remedy` completes the message: "(give ...)".
void refuse_unknown_members(hid_t group, KnownNames known, const std::string& remedy);

/// Like refuse_unknown_members(), for attributes of an object. Attributes that
/// libraries add to any object are always known.
void refuse_unknown_attributes(hid_t object, KnownNames known,
                               const std::string& remedy);

}  // namespace starhist::io
