#pragma once

#include "driver/options/option_parser.hh"
#include "driver/options/option_spec.hh"
#include "driver/run/frames/frame_selection.hh"
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
/// Sets the particle settings of --structure, --altloc, --index, --aliases,
/// --guess-elements and --species. Throws InputError for invalid rules.
void parse_particle_options(const ParsedOptions& parsed, io::ReadOptions& reading);
OptionSpec group_option();
OptionSpec unit_option();
OptionSpec time_unit_option();
/// For commands that print lengths.
OptionSpec out_unit_option();

/// --out-unit, for commands whose output is in the file's unit.
OptionElsewhere out_unit_elsewhere(const std::string& what);
/// Normalised --unit and --time-unit; "" if not given.
std::string given_length_unit(const ParsedOptions& parsed);
std::string given_time_unit(const ParsedOptions& parsed);

/// The units of --unit, --out-unit and --time-unit.
io::ShownUnits shown_units(const ParsedOptions& parsed);
OptionSpec box_option();
/// Sets ReadOptions::box or box_file from the text of --box.
void set_box(const std::string& text, io::ReadOptions& reading);
OptionSpec first_option();
OptionSpec last_option();
OptionSpec step_option();
OptionSpec begin_option();
OptionSpec end_option();
OptionSpec every_option();
OptionSpec skip_bad_frames_option();
OptionSpec repeated_option();
/// Sets the frames selected by --first, --last and --step, and the times of --begin,
/// --end and --every. Adds a problem for each invalid value, and for two options that
/// specify the same limit as a number and as a time.
void parse_frame_options(const ParsedOptions& parsed, FrameSelection& frames,
                         TimeSelection& times, Problems& problems);
/// Also for commands that read results.
OptionSpec allow_external_option();
io::ExternalFiles external_files(const ParsedOptions& parsed);

}  // namespace starhist::driver
