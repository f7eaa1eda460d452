#pragma once

#include <string>

namespace starhist {

/// One spelling for each unit: "nanometers" becomes "nm", "Angstrom" becomes "A",
/// "picosecond" becomes "ps". Other units ("sigma", "0.1 nm") stay as they are; values
/// are never converted.
std::string unit_spelling(const std::string& unit);

}  // namespace starhist
