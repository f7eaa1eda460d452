#pragma once

#include <cstdint>
#include <string_view>

#include "io/formats/gromacs/xdr/frame_offsets.hh"

namespace starhist::io {

class ByteFile;

/// Header of a TRR frame.
struct TrrHeader {
  static constexpr std::size_t most_bytes = 96;

  std::uint32_t atoms = 0;
  std::int64_t step = 0;
  double time = 0.0;             ///< [ps]
  std::uint64_t real_size = 4;   ///< size of a number [bytes]
  std::uint64_t box_offset = 0;  ///< offset from the beginning of the frame [bytes]
  std::uint64_t position_offset = 0;
  std::uint64_t size = 0;  ///< size of the frame, including the header [bytes]
  bool has_box = false;
  bool has_positions = false;

  /// The time is stored in double precision.
  bool has_double() const { return real_size == 8; }

  /// Parses the first bytes of a frame. Throws InputError describing impossible values;
  /// sets `whole` to false if there are too few bytes.
  static TrrHeader parse(std::string_view bytes, bool& whole);
};

/// Finds the frames that have positions. Throws InputError unless there is a complete
/// one.
FrameOffsets find_trr_frames(const ByteFile& file);

}  // namespace starhist::io
