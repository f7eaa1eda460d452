#pragma once

#include <string>
#include <string_view>

#include "codelets/core/geometry/box.hh"
#include "io/formats/xyz/xyz_comment.hh"

namespace starhist::io {

/// Returns the box of a frame, from `Lattice` and `pbc` on its second line (keys in any
/// case):
///
/// - `Lattice`: nine numbers, the edges a, b, c in turn; three, the lengths of an
///   orthorhombic cell; or three rows of a matrix whose *columns* are the edges, as the
///   specification defines nested lists. Without it the box is open.
/// - `pbc`: three of T, True, 1, F, False, 0, or one for all axes. Without it all axes
///   are periodic.
///
/// Throws InputError if these are invalid, and if the line describes a box or its
/// periodicity in another way: in a key ("cell", "box_size", "boundary", "Lattice2", or
/// a, b and c together), in a line that violates the grammar, or in a remark
/// ("CELL(abcABC): 10 10 10 90 90 90").
Box xyz_box(std::string_view line, const XyzComment& comment);

/// Throws InputError if a word at the beginning of a line stands for a lattice vector:
/// Tv (MOPAC, Gaussian), VEC1 (AMS) or Vector1 (Open Babel).
void refuse_lattice_vector(std::string_view word);

/// Whether a line that violates the grammar contains Lattice, pbc or Properties, so
/// that it is not just a remark.
bool is_meant_as_extended(std::string_view line);

}  // namespace starhist::io
