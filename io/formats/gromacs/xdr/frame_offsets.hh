#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "io/formats/gromacs/xdr/step_times.hh"

namespace starhist::io {

/// Positions of the complete frames of a binary trajectory.
struct FrameOffsets {
  struct Place {
    std::uint64_t offset = 0;  ///< offset of its first byte
    std::uint64_t size = 0;    ///< [bytes]
    StepAndTime moment = {};   ///< as stored [ps]
    bool has_double = false;   ///< the time is stored in double precision
  };
  std::vector<Place> frames;
  std::uint64_t atoms = 0;  ///< atoms of the first frame
  StepTimes times;          ///< times of the frames
  /// Problem after the last frame: "frame 12 is cut off in byte 34567"; "" if the file
  /// ends there.
  std::string damage;

  /// Step and time of a frame [ps].
  StepAndTime moment(std::uint64_t frame) const;
  /// Returns the messages for TrajectoryInfo::truncation.
  std::vector<std::string> truncation_sentences(const std::string& path) const;
  /// Throws InputError if the file has 0 frames.
  void check_not_empty(const std::string& path) const;
};

/// Returns the message about a damage and the number of frames before it.
std::string frames_before(const std::string& damage, std::uint64_t frames);

/// Describes frame `frame`, which is truncated at the end of the file.
std::string truncation_damage(std::uint64_t frame, std::uint64_t file_size);
/// Describes a frame that cannot begin at byte `offset`, for `reason`.
std::string broken_damage(std::uint64_t frame, std::uint64_t offset,
                          const std::string& reason);

}  // namespace starhist::io
