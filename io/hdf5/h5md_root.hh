#pragma once

#include <string>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Writes what every H5MD file has: version, author and creator, and the module of
/// units if the length unit is one of SI. Throws RunError.
void write_h5md_root(hid_t file, const std::string& length_unit);

}  // namespace starhist::io
