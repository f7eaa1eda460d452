#pragma once

#include <string>
#include <vector>

#include "driver/commands/counted_runs.hh"

namespace starhist::driver {

/// Frames that are missing from all runs.
struct MissingFrames {
  /// Messages: numbers of frames that runs left out; for each trajectory, missing parts
  /// of `--part I/N`, and frames between two runs that neither has counted.
  std::vector<std::string> messages;
  /// The missing parts, and frames between parts: "2/4 of water.xtc", "frames 20 to 29
  /// of water.xtc".
  std::vector<std::string> parts;
};

MissingFrames missing_frames(const std::vector<CountedRun>& runs);

}  // namespace starhist::driver
