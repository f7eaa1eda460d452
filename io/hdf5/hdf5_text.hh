#pragma once

#include <string>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Attaches the attribute `unit`, a string of variable length, unless the unit is "".
/// H5MD requires a fixed length, but MDAnalysis cannot read such files. Throws
/// RunError.
void write_hdf5_unit(hid_t dataset, const std::string& unit);

/// Creates a dataset that consists of one fixed-length string. Throws RunError.
void write_hdf5_text(hid_t parent, const std::string& name, const std::string& text);

/// Returns a power of a unit: "nm+3" for "nm" and 3; "" for a unit of several words,
/// such as "0.1 nm".
std::string scale_power(const std::string& unit, int power);

}  // namespace starhist::io
