#pragma once

#include <string>
#include <vector>

#include "driver/options/option_parser.hh"

namespace starhist::driver {

/// Adds a problem if --output is missing.
void check_output(const std::string& output, Problems& problems);

/// Throws InputError if a text file has the extension of a trajectory, HDF5 file,
/// picture or page.
void check_text_name(const std::string& option, const std::string& path);

/// Throws InputError if the file of --json or --trace cannot be created, or exists with
/// content that starhist does not write as text. It is written last, so its name is
/// checked before the run. "": no file.
void check_side_file(const std::string& option, const std::string& file);

/// Adds a problem if the name of an HDF5 file has the extension of another format, csv,
/// svg or xyz. `what` describes the output: "a result is an HDF5 file". `more` follows
/// the advice to name it *.h5.
void check_hdf5_name(const std::string& output, const std::string& what,
                     const std::string& more, Problems& problems);

/// Checks the name of a result file; the problem names the commands for tables and
/// plots.
void check_result_name(const std::string& output, Problems& problems);

/// The format of a table: --format, otherwise the extension of --output, otherwise csv.
/// Throws InputError if a trajectory, HDF5 file, picture or page has this extension, or
/// if the file exists with content that starhist does not write as text.
std::string table_format(const ParsedOptions& parsed);

}  // namespace starhist::driver
