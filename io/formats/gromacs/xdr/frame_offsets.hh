#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/base/error.hh"
#include "codelets/core/counting/frame.hh"
#include "io/files/byte_file.hh"

namespace starhist::io {

/// Times of a trajectory that stores them in single precision. A simulation computes
/// them as step x time step and rounds. If one short decimal fits all frames as the
/// time step, times become exact multiples of it, even if adjacent frames have equal
/// times in the file.
class StepTimes {
 public:
  /// Adds step and time of a frame as stored in the file.
  void add(std::int64_t step, double time);

  /// Determines the time step; to be called after the last add().
  void find_time_step();

  /// Returns the time of a frame: step times the time step or, if that is unknown, the
  /// shortest decimal that rounds to the stored time.
  double time(std::int64_t step, double stored) const;

 private:
  /// `numerator` / `denominator`, both integral, so that a multiple is rounded only
  /// once.
  struct TimeStep {
    double numerator = 0.0;
    double denominator = 1.0;
  };

  bool consistent_ = true;
  double low_ = 0.0;  ///< bounds of the time step
  double high_ = std::numeric_limits<double>::infinity();
  std::optional<TimeStep> time_step_;
};

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

/// Finds the frames of a file that have positions by their headers. A Header has
/// `most_bytes`, `atoms`, `size`, `step`, `time`, `has_positions`, has_double() and
/// parse(bytes, whole). Throws InputError unless there is a complete one.
template <class Header>
FrameOffsets find_frames(const ByteFile& file) {
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
      if (header.has_positions) {
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
