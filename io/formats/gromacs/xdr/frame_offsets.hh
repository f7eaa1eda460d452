#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/formats/gromacs/xdr/step_times.hh"

namespace starhist::io {

/// Where the whole frames of a binary trajectory are.
struct FrameOffsets {
  struct Place {
    std::uint64_t offset = 0;  ///< of its first byte
    std::uint64_t size = 0;    ///< in bytes
  };
  std::vector<Place> frames;
  std::uint64_t atoms = 0;  ///< of the first frame
  StepTimes times;          ///< of the frames
  /// What is wrong behind them: "frame 12 is cut off in byte 34567".
  std::string damage;

  /// For TrajectoryInfo::truncation.
  std::vector<std::string> truncation_sentences(const std::string& path) const;
  /// Throws InputError.
  void check_not_empty(const std::string& path) const;
};

/// The sentence about a damage and the frames before it.
std::string frames_before(const std::string& damage, std::uint64_t frames);

/// Damage of frame `frame`, which the file's end cuts off.
std::string truncation_damage(std::uint64_t frame, std::uint64_t file_size);
/// Of one that cannot begin at byte `offset`, for `reason`.
std::string broken_damage(std::uint64_t frame, std::uint64_t offset,
                          const std::string& reason);

}  // namespace starhist::io
