#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "io/particles/particle_table.hh"

namespace starhist::io {

/// Lines of a GRO frame: a title, the number of atoms, one line per atom, the box. A
/// line of an atom has residue number, residue name, atom name and atom number in five
/// columns each, then x, y, z [nm] and optionally velocities. All coordinates of a
/// frame have the same field width, the distance between two decimal points.
///
/// `t=` and `step=` are read from the title. Its other text, atom numbers and
/// velocities are ignored. Residue numbers restart after 99999.

/// Returns the field width of x, y and z in a frame with this first atom [columns]; 0
/// for a line without three equidistant decimal points.
std::size_t gro_field_width(std::string_view first_atom);

/// Appends x, y and z [nm], correctly rounded. False for a line without three numbers
/// in fields of this width; `positions` is then unspecified.
bool add_gro_position(std::string_view line, std::size_t width,
                      std::vector<double>& positions);

/// Appends atom name, residue name and residue number of a line to the table.
void add_gro_names(std::string_view line, ParticleTable& table);

/// Reads a frame's box line into `edges` (rows) [nm]. The line has the diagonal,
/// optionally followed by xy xz yx yz zx zy. Throws InputError for other lines.
void read_gro_box(std::string_view line, double (&edges)[9]);

}  // namespace starhist::io
