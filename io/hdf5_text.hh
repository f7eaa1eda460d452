#pragma once

#include <string>

#include "io/hdf5_object.hh"

namespace starhist {

/// Strings of variable length, which the readers in Python expect. Throw RunError.

/// Attaches the attribute `unit` unless it is "". H5MD asks for a fixed length here,
/// but MDAnalysis cannot read files that have it.
void write_hdf5_unit(hid_t dataset, const std::string& unit);

/// Creates a dataset that is one string.
void write_hdf5_text(hid_t parent, const std::string& name, const std::string& text);

/// "nm+3" from "nm" and 3; "" when the unit is more than one word, such as "0.1 nm".
std::string unit_power(const std::string& unit, int power);

}  // namespace starhist
