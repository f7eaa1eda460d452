#pragma once

#include <string_view>

namespace starhist::io {

/// Whether these columns of a line hold a number, as 12.345 and -0.5 are; libgromacs
/// takes what it can of "12.3x5".
bool is_decimal(std::string_view line, std::size_t column, std::size_t width);

/// Whether the three numbers of a position stand where GRO and PDB have them.
bool has_gro_position(std::string_view line);
bool has_pdb_position(std::string_view line);

}  // namespace starhist::io
