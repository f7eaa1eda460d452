#pragma once

#include <cstdint>
#include <string_view>

#include "io/formats/gromacs/xdr/frame_offsets.hh"

namespace starhist::io {

class ByteFile;

/// What stands before the numbers of a frame of TRR.
struct TrrHeader {
  static constexpr std::size_t most_bytes = 96;

  std::uint32_t atoms = 0;
  std::int64_t step = 0;
  double time = 0.0;             ///< ps
  std::uint64_t real_size = 4;   ///< bytes of a number
  std::uint64_t box_offset = 0;  ///< from the begin of the frame, in bytes
  std::uint64_t position_offset = 0;
  std::uint64_t size = 0;  ///< of the frame, with the header
  bool has_box = false;
  bool has_positions = false;

  /// Of the bytes a frame begins with. Throws InputError saying what cannot be; `whole`
  /// becomes false where there are too few bytes.
  static TrrHeader parse(std::string_view bytes, bool& whole);
};

/// Finds the frames that have positions. Throws InputError when there is no whole one.
FrameOffsets find_trr_frames(const ByteFile& file);

}  // namespace starhist::io
