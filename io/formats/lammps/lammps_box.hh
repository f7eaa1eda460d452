#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "codelets/core/base/vec3.hh"

namespace starhist::io {

/// The cell of a LAMMPS dump's frame, from `ITEM: BOX BOUNDS` and its three lines.
///
/// These headings of LAMMPS (manual: dump, Howto triclinic) are supported. Each is
/// followed by a pair of the letters p, f, s, m per axis, except in files of old
/// versions, whose boxes are periodic.
///
///     ITEM: BOX BOUNDS                lo hi          of each axis
///     ITEM: BOX BOUNDS xy xz yz       lo hi tilt     of the box around the tilted cell
///     ITEM: BOX BOUNDS abc origin     ax ay az ox    each edge, and the origin
struct LammpsBox {
  Vec3 origin;
  std::array<Vec3, 3> edges{};  ///< also for non-periodic axes
  std::array<bool, 3> periodic{};
};

/// `heading`: the words after BOX BOUNDS; `rows`: the lines below. Throws InputError
/// for an unsupported heading, and for lines that do not match it.
LammpsBox lammps_box(std::string_view heading, const std::vector<std::string>& rows);

}  // namespace starhist::io
