#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace starhist::io {

/// What a trajectory wants passed on, beside the counts of some of its frames, to the
/// program that reads these: of CAPRIQORN's preprocessor, the log of its pipeline and
/// its histograms of lengths. Named by paths of the trajectory's format.
struct PassedOn {
  std::uint64_t frames = 0;                  ///< number of frames
  std::map<std::string, std::string> texts;  ///< of the last frame that has it
  std::map<std::string, std::vector<double>> constants;  ///< the same in each frame
  std::map<std::string, std::vector<double>> sums;       ///< over the frames
  /// One number per frame, in their order; NaN for a frame without.
  std::map<std::string, std::vector<double>> series;
};

/// Adds what is passed on of the frames that follow. Throws InputError when numbers of
/// the same name are not equally many.
void append(PassedOn& to, const PassedOn& after);

}  // namespace starhist::io
