#pragma once

#include <string>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Attaches the attribute `unit`, a string of variable length, unless the unit is "".
/// H5MD requires a fixed length, but MDAnalysis cannot read files that have it. Throws
/// RunError.
void write_hdf5_unit(hid_t dataset, const std::string& unit);

/// Creates a dataset that is one string of fixed length. Throws RunError.
void write_hdf5_text(hid_t parent, const std::string& name, const std::string& text);

/// The power of a unit: "nm+3" from "nm" and 3; "" for a unit of more than one word,
/// such as "0.1 nm".
std::string scale_power(const std::string& unit, int power);

}  // namespace starhist::io
