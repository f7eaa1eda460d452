#pragma once

#include <string>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Writes the group /h5md: version, author and creator, and the module of units if the
/// length unit is an SI unit. Throws RunError when it cannot be written.
void write_h5md_root(hid_t file, const std::string& length_unit);

/// Name of the program that wrote the H5MD file of this object, in lower case; "" where
/// the file does not state it.
std::string h5md_creator(hid_t object);

}  // namespace starhist::io
