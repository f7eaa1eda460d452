#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/formats/gromacs/xdr/xtc_code.hh"

namespace starhist::io {

/// Header of an XTC frame, before the compressed positions.
struct XtcHeader {
  static constexpr std::size_t most_bytes = 96;
  static constexpr bool has_positions = true;

  std::uint32_t atoms = 0;
  std::int32_t step = 0;
  double time = 0.0;        ///< [ps]
  double edges[9] = {};     ///< rows [nm]; decimal_of() the stored floats
  std::uint64_t size = 0;   ///< size of the frame, including the header [bytes]
  bool compressed = false;  ///< true for frames of more than 9 atoms
  /// Offset of the positions: of the code if compressed, otherwise of x, y, z as
  /// floats.
  std::uint64_t positions = 0;
  std::uint64_t code_bytes = 0;  ///< size of the code
  XtcCode code;                  ///< header of the code, without its bytes
  float precision = 0.0F;        ///< precision of the code: steps per nm [> 0]

  /// The time is stored in double precision.
  static bool has_double() { return false; }

  /// Parses the first bytes of a frame. Throws InputError describing impossible values;
  /// sets `whole` to false if there are too few bytes.
  static XtcHeader parse(std::string_view bytes, bool& whole);
};

/// Returns the decimal number with at most six significant digits that rounds to the
/// float `value`, as a double; `value` itself if there is no such number. Six digits
/// survive a float (FLT_DIG), so that decimal input, such as a crystal's edge 0.564, is
/// restored exactly. Numbers change by at most half a unit in the last place of the
/// float.
double decimal_of(float value);

}  // namespace starhist::io
