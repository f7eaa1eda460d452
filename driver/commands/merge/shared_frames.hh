#pragma once

#include <string>
#include <vector>

#include "driver/commands/counted_runs.hh"

namespace starhist::driver {

/// Message with the first frame that two of the `runs`, from different results, share;
/// "" if all frames differ. Frames are the same if their checksums are. If step and
/// time are unknown, frames of one trajectory must also have the same number, because
/// particles may rest.
///
/// Frames without checksums, from versions before 0.3 and the C library, are the same
/// if files and numbers are, or if whole blocks are equal.
std::string shared_frame(const std::vector<CountedRun>& runs);

}  // namespace starhist::driver
