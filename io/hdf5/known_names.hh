#pragma once

#include <span>
#include <string>
#include <string_view>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

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
