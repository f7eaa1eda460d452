#pragma once

#include <string>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Attaches the attribute `unit` unless it is "": a string of variable length. H5MD
/// asks for a fixed one here, but MDAnalysis cannot read files that have it. Throws
/// RunError.
void write_hdf5_unit(hid_t dataset, const std::string& unit);

/// Creates a dataset that is one string, of fixed length. Throws RunError.
void write_hdf5_text(hid_t parent, const std::string& name, const std::string& text);

/// "nm+3" from "nm" and 3; "" when the unit is more than one word, such as "0.1 nm".
std::string scale_power(const std::string& unit, int power);

}  // namespace starhist::io
