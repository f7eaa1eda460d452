#pragma once

#include <string>
#include <vector>

#include "driver/options/option_parser.hh"

namespace starhist::driver {

/// Notes as a problem that --output is missing.
void check_output(const std::string& output, Problems& problems);

/// Throws InputError if the file of --json or --trace cannot be created. It is written
/// last, so its name is checked before the run. "" is no file.
void check_side_file(const std::string& option, const std::string& file);

/// Notes as a problem that the name of an HDF5 file ends as those of another format,
/// csv, svg or xyz. `what` says what is written: "a result is an HDF5 file". `more`
/// follows the advice to name it *.h5.
void check_hdf5_name(const std::string& output, const std::string& what,
                     const std::string& more, Problems& problems);

/// The same for result files, with what makes tables and plots of them.
void check_result_name(const std::string& output, Problems& problems);

/// The format of a table, as a word: --format, else what the name of --output ends in,
/// else csv.
std::string table_format(const ParsedOptions& parsed);

}  // namespace starhist::driver
