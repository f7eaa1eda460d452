#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/formats/gromacs/xdr/frame_offsets.hh"
#include "io/formats/gromacs/xdr/xtc_code.hh"

namespace starhist::io {

class ByteFile;

/// What stands before the compressed positions of a frame of XTC.
struct XtcHeader {
  static constexpr std::size_t most_bytes = 96;

  std::uint32_t atoms = 0;
  std::int32_t step = 0;
  double time = 0.0;        ///< ps
  double edges[9] = {};     ///< nm, rows; decimal_of() those of the file
  std::uint64_t size = 0;   ///< of the frame, in bytes, with the header
  bool compressed = false;  ///< as frames of more than 9 atoms are
  /// Offset of the positions: of the code if compressed, else of x, y, z as floats.
  std::uint64_t positions = 0;
  std::uint64_t code_bytes = 0;  ///< length of the code
  XtcCode code;                  ///< without its bytes
  float precision = 0.0F;        ///< of the code: whole numbers per nm [> 0]

  /// Of the bytes a frame begins with. Throws InputError saying what cannot be; `whole`
  /// becomes false where there are too few bytes.
  static XtcHeader parse(std::string_view bytes, bool& whole);
};

/// The decimal number of at most six significant digits that `value` is the nearest
/// float of, as a double; `value` itself where there is none. Six digits survive a
/// float (FLT_DIG), so numbers of programs and people who think in decimals, such as
/// the edge 0.564 of a crystal, come back as they were. They move by at most half a
/// unit in the last place of the float.
double decimal_of(float value);

/// Finds the frames by their headers. Throws InputError when there is no whole one.
FrameOffsets find_xtc_frames(const ByteFile& file);

}  // namespace starhist::io
