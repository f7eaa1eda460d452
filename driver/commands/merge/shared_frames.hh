#pragma once

#include <string>
#include <vector>

#include "driver/commands/counted_runs.hh"

namespace starhist::driver {

/// Message with the first frame that two of the `runs`, from different results, share;
/// "" if all frames differ. Frames are the same if their checksums are. If step and
/// time are unknown, frames of one trajectory must also have the same number, because
/// particles may rest.
/// Programs that cut or convert trajectories may assign other steps and times: frames
/// of different trajectories are also the same if both positions and the next counted
/// frame's positions are equal, and the two frames differ.
///
/// Frames without checksums, from versions before 0.3 and the C library, are the same
/// if files and numbers are, or if whole blocks are equal.
std::string shared_frame(const std::vector<CountedRun>& runs);

/// Message about the first frame of two results with the same positions at another step
/// or time, whose next frames differ: it may be one frame, or a simulation's starting
/// structure. Frames 0 of two trajectories are not compared. "" if all differ.
std::string similar_frame(const std::vector<CountedRun>& runs);

}  // namespace starhist::driver
