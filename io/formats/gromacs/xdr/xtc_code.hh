#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace starhist::io {

/// The coded positions of an XTC frame: integers, equal to coordinates times the
/// precision of the frame.
///
/// Most atoms lie close to the previous one. The code defines a box around all atoms
/// and places some of them in it; each may be followed by up to ten atoms given as
/// differences in a small cube, whose size changes along the frame in steps of the cube
/// root of 2. Three coordinates in ranges s0, s1, s2 form one number (x0 s1 + x1) s2 +
/// x2, lowest byte first. (F. van Hoesel's xdr3dfcoord; GROMACS' manual, "File
/// formats", xtc.)
struct XtcCode {
  std::array<std::int32_t, 3> low{};   ///< smallest coordinate along each axis
  std::array<std::int32_t, 3> high{};  ///< largest coordinate along each axis [>= low]
  std::int32_t small = 0;              ///< index of the first small cube
  std::string_view bytes;

  static constexpr std::int32_t first_small = 9;
  static constexpr std::int32_t smalls = 73;  ///< number of indices

  /// Fills `coordinates` with x, y, z of `atoms` atoms. Throws InputError without the
  /// file name if the code is damaged: it ends early, or the smallest and largest
  /// coordinates differ from `low` and `high`.
  void decode(std::uint64_t atoms, std::vector<std::int32_t>& coordinates) const;
};

}  // namespace starhist::io
