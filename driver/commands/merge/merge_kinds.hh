#pragma once

#include "driver/commands/command.hh"
#include "driver/options/option_parser.hh"
#include "io/export/result_units.hh"
#include "io/trajectory/joined/repeated_frames.hh"

namespace starhist::driver {

/// Merges results of starhist vanhove. `units`: for results that do not record theirs.
/// Throws InputError if the results cannot be merged.
ExitCode merge_lag_results(const ParsedOptions& parsed, const io::ShownUnits& units,
                           io::RepeatedFrames repeated);

/// Merges results of starhist coordination. Neighbours of each frame and particle
/// are kept if all results record them. Throws as merge_lag_results() does.
ExitCode merge_neighbours(const ParsedOptions& parsed, const io::ShownUnits& units,
                          io::RepeatedFrames repeated);

}  // namespace starhist::driver
