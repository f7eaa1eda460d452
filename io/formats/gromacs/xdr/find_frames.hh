#pragma once

#include <string>

#include "codelets/core/base/error.hh"
#include "io/files/byte_file.hh"
#include "io/formats/gromacs/xdr/frame_offsets.hh"

namespace starhist::io {

/// Finds the frames of a file by their headers. A Header has `most_bytes`, `atoms`,
/// `size`, `step`, `time`, has_double() and parse(bytes, whole); has_positions(header)
/// selects the frames to read. Throws InputError unless there is a complete one.
template <class Header, class HasPositions>
FrameOffsets find_frames(const ByteFile& file, HasPositions has_positions) {
  FrameOffsets places;
  std::string bytes;
  for (std::uint64_t offset = 0; offset < file.size();) {
    const std::uint64_t number = places.frames.size();
    try {
      file.read(offset, Header::most_bytes, bytes);
      bool whole = false;
      const Header header = Header::parse(bytes, whole);
      if (!whole || header.size > file.size() - offset) {
        places.damage = truncation_damage(number, file.size());
        break;
      }
      if (has_positions(header)) {
        if (number == 0) {
          places.atoms = header.atoms;
        }
        places.frames.push_back(
            {offset, header.size, {header.step, header.time}, header.has_double()});
        places.times.add(header.step, header.time);
      }
      offset += header.size;
    } catch (const InputError& error) {
      places.damage = broken_damage(number, offset, error.what());
      break;
    }
  }
  places.check_not_empty(file.path());
  places.times.find_time_step();
  return places;
}

}  // namespace starhist::io
