#pragma once

#include "driver/options/option_parser.hh"
#include "driver/options/option_spec.hh"
#include "io/hdf5/inspection/external_files.hh"

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
/// Also for commands that read results.
OptionSpec allow_external_option();
io::ExternalFiles external_files(const ParsedOptions& parsed);

}  // namespace starhist::driver
