#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/formats/gromacs/xdr/frame_offsets.hh"

namespace starhist::io {

class ByteFile;

/// What stands before the compressed positions of a frame of XTC.
struct XtcHeader {
  static constexpr std::size_t most_bytes = 96;

  std::uint32_t atoms = 0;
  std::int32_t step = 0;
  double time = 0.0;        ///< ps
  double edges[9] = {};     ///< nm, rows
  std::uint64_t size = 0;   ///< of the frame, in bytes, with the header
  bool compressed = false;  ///< as frames of more than 9 atoms are
  /// Smallest and largest coordinate of all atoms along each axis, if compressed: the
  /// code of a frame begins with them, so each is that of an atom.
  float low[3] = {};
  float high[3] = {};
  float resolution = 0.0F;  ///< coordinates are multiples of it

  /// Of the bytes a frame begins with. Throws InputError saying what cannot be; `whole`
  /// becomes false where there are too few bytes.
  static XtcHeader parse(std::string_view bytes, bool& whole);
};

/// Finds the frames by their headers. Throws InputError when there is no whole one.
FrameOffsets find_xtc_frames(const ByteFile& file);

}  // namespace starhist::io
