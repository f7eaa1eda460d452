#pragma once

#include "driver/options/option_parser.hh"
#include "driver/options/option_spec.hh"
#include "driver/run/frame_selection.hh"
#include "io/export/result_units.hh"
#include "io/hdf5/inspection/external_files.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::driver {

// Options with the same meaning in every command that reads trajectories.
OptionSpec structure_option();
OptionSpec altloc_option();
OptionSpec index_option();
OptionSpec aliases_option();
OptionSpec guess_elements_option();
/// Sets what --structure, --altloc, --index, --aliases, --guess-elements and --species
/// say of particles. Throws InputError for rules that are none.
void parse_particle_options(const ParsedOptions& parsed, io::ReadOptions& reading);
OptionSpec group_option();
OptionSpec unit_option();
OptionSpec time_unit_option();
/// For commands that show lengths.
OptionSpec out_unit_option();

/// --out-unit, for commands that write what is in the unit of the file.
OptionElsewhere out_unit_elsewhere(const std::string& what);
/// --unit and --time-unit: by their one spelling; "" if not given.
std::string given_length_unit(const ParsedOptions& parsed);
std::string given_time_unit(const ParsedOptions& parsed);

/// The units of --unit, --out-unit and --time-unit.
io::ShownUnits shown_units(const ParsedOptions& parsed);
OptionSpec box_option();
/// Sets ReadOptions::box or box_file by the text of --box.
void set_box(const std::string& text, io::ReadOptions& reading);
OptionSpec first_option();
OptionSpec last_option();
OptionSpec step_option();
OptionSpec begin_option();
OptionSpec end_option();
OptionSpec every_option();
OptionSpec skip_bad_frames_option();
OptionSpec repeated_option();
/// Sets the frames that --first, --last and --step select, and the times of --begin,
/// --end and --every. Adds a problem for each that cannot be, and for two options that
/// say the same limit as a number and as a time.
void parse_frame_options(const ParsedOptions& parsed, FrameSelection& frames,
                         TimeSelection& times, Problems& problems);
/// Also for commands that read results.
OptionSpec allow_external_option();
io::ExternalFiles external_files(const ParsedOptions& parsed);

}  // namespace starhist::driver
