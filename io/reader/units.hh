#pragma once

#include <optional>
#include <string>

namespace starhist::io {

/// One spelling for each unit: "nanometers" becomes "nm", "Angstrom" becomes "A",
/// "picosecond" becomes "ps". Other units ("sigma", "0.1 nm") stay as they are; values
/// are never converted.
std::string unit_spelling(const std::string& unit);

/// How many Angstrom the unit is, where it is a length of atoms ("A", "nm", "bohr",
/// "pm", "um"); nothing for "sigma" and the like.
std::optional<double> angstroms_per(const std::string& unit);

}  // namespace starhist::io
