#pragma once

#include "driver/options/option_spec.hh"

namespace starhist::driver {

// Options with the same meaning in every command that reads trajectories.
OptionSpec structure_option();
OptionSpec group_option();
OptionSpec unit_option();
OptionSpec box_option();
OptionSpec first_option();
OptionSpec last_option();
OptionSpec step_option();
OptionSpec skip_bad_frames_option();

}  // namespace starhist::driver
