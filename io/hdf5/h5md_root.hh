#pragma once

#include <string>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Writes the group /h5md: version, author and creator, and the units module if the
/// length unit is an SI unit. Throws RunError when writing fails.
void write_h5md_root(hid_t file, const std::string& length_unit);

/// Returns the name of the program that wrote the object's H5MD file, in lower case; ""
/// if it is missing.
std::string h5md_creator(hid_t object);

}  // namespace starhist::io
