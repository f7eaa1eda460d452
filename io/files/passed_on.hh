#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace starhist::io {

/// Data of a trajectory that its consumer needs in addition to the counts of some of
/// its frames. For CAPRIQORN's preprocessor: the log of its pipeline and its histograms
/// of lengths. Entries are named by paths of the trajectory's format.
struct PassedOn {
  std::uint64_t frames = 0;                  ///< number of frames
  std::map<std::string, std::string> texts;  ///< value of the last frame that has one
  /// values that are equal in all frames
  std::map<std::string, std::vector<double>> constants;
  std::map<std::string, std::vector<double>> sums;  ///< sums over the frames
  /// One number per frame, in frame order; NaN for a frame without a value.
  std::map<std::string, std::vector<double>> series;
};

/// Appends the data of the frames that follow. Throws InputError when a sum has a
/// different length in them.
void append(PassedOn& to, const PassedOn& after);

}  // namespace starhist::io
