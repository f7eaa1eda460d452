#pragma once

#include <vector>

#include "driver/commands/counted_runs.hh"
#include "io/result/lag_result.hh"

namespace starhist::driver {

/// Throws InputError if a lag lasts for another time, or without times for other steps,
/// in one of the results of starhist vanhove than in the first one. Only reports it for
/// parts of one run, because a run that is not divided mixes the same times. `runs`:
/// counted_runs() of the results' channels, at `channels`.
void check_same_lag_times(const std::vector<io::LagResult>& results,
                          const std::vector<io::ResultFile>& channels,
                          const std::vector<CountedRun>& runs);

}  // namespace starhist::driver
