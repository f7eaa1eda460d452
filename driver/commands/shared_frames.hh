#pragma once

#include <string>
#include <vector>

#include "driver/commands/counted_runs.hh"

namespace starhist::driver {

/// Message with the first frame that two of the `runs`, from different results, share;
/// "" if they share none. Frames are the same if their checksums are. If step and time
/// are unknown, frames of one trajectory must also have the same number, because
/// particles may rest.
///
/// Frames without checksums, from versions before 0.3 and the C library, are the same
/// if files and numbers are, or if whole blocks are equal.
std::string shared_frame(const std::vector<CountedRun>& runs);

/// Throws InputError if runs of the same trajectory used different boxes or selected
/// different particles.
void check_same_settings(const std::vector<CountedRun>& runs);

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
