#pragma once

#include <array>
#include <string>

namespace starhist::io {

/// Cell of a crystal: a, b, c [Angstrom], alpha, beta, gamma [degrees].
using UnitCell = std::array<double, 6>;

/// Whether the cell stands for none: its first length is 0, or it is a cube of 1
/// Angstrom, because PDB and mmCIF demand one.
bool is_placeholder(const UnitCell& cell);

/// The edges of a cell (rows): a along x, b in the plane of x and y. All zero for one
/// that stands for none. `name` is that of the record or items in the message. Throws
/// InputError for numbers that are no cell.
void set_edges(const UnitCell& cell, const std::string& name, double (&edges)[9]);

/// Whether a space group has operators of symmetry: any but "P 1" and "".
bool has_symmetry(const std::string& space_group);

/// The sentence about atoms that symmetry would add, for TrajectoryInfo::remarks.
std::string symmetry_remark(const std::string& space_group);

/// Throws InputError unless `fractional` (rows; from Angstrom to fractions, in the
/// order xx, xy, xz, ...) turns the edges of a box into whole cells: else the file has
/// two boxes. `name` is that of the records or items.
void check_fractional(const double (&edges)[9], const std::array<double, 9>& fractional,
                      const std::string& name);

}  // namespace starhist::io
