#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "io/particles/particle_table.hh"

namespace starhist::io {

/// Lines of a GRO frame: a title, the number of atoms, a line per atom, the box.
/// An atom's line has residue number, residue name, atom name and atom number in five
/// columns each, then x, y, z [nm] and perhaps velocities. All numbers of a frame have
/// fields of the same width, which the distance between two decimal points tells.
///
/// Of the title `t=` and `step=` are read. Atom numbers, velocities and the rest of the
/// title hold nothing that is needed. Numbers of residues start over after 99999.

/// Width of the fields of x, y and z in a frame with this first atom [columns]; 0 for a
/// line without three decimal points at equal distances.
std::size_t gro_field_width(std::string_view first_atom);

/// Appends x, y and z [nm], each the double nearest to the number of the line. False
/// for a line without three numbers in fields of this width; `positions` is unspecified
/// then.
bool add_gro_position(std::string_view line, std::size_t width,
                      std::vector<double>& positions);

/// Appends atom name, residue name and residue number of an atom's line to the table.
void add_gro_names(std::string_view line, ParticleTable& table);

/// The box of a frame's last line, rows are the edges [nm]. The line has the diagonal,
/// then nothing or xy xz yx yz zx zy. Throws InputError for other lines.
void read_gro_box(std::string_view line, double (&edges)[9]);

}  // namespace starhist::io
