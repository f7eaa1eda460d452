#pragma once

#include <vector>

#include "driver/commands/counted_runs.hh"

namespace starhist::driver {

/// Throws InputError if runs of the same trajectory used different boxes or selected
/// different particles.
void check_same_settings(const std::vector<CountedRun>& runs);

}  // namespace starhist::driver
