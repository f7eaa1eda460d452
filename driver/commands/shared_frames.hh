#pragma once

#include <string>
#include <vector>

#include "driver/commands/counted_runs.hh"

namespace starhist::driver {

/// A sentence that names the first frame that two results hold, for those of `runs`
/// that are of different results; "" if there is none. Frames are the same if their
/// checksums are. If step and time are unknown, frames of one trajectory must also have
/// the same number, as particles may rest.
///
/// Frames without checksums, of versions before 0.3 and of the C library, are the same
/// if files and numbers are, or if whole blocks are equal.
std::string shared_frame(const std::vector<CountedRun>& runs);

/// Throws InputError where runs of the same trajectory have counted with different
/// boxes or selected different particles.
void check_same_settings(const std::vector<CountedRun>& runs);

/// Frames of trajectories that lie between those of two runs, and are in none of
/// `runs`; and parts of `--part I/N` that are missing: a sentence for each trajectory.
std::vector<std::string> missing_frames(const std::vector<CountedRun>& runs);

}  // namespace starhist::driver
