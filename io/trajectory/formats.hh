#pragma once

#include <string>
#include <vector>

#include "io/reader/trajectory_format.hh"

namespace starhist::io {

/// Returns all known formats, in the order in which texts list them.
const std::vector<TrajectoryFormat>& trajectory_formats();

/// Detects the format of a file: by its name, for text formats with `by_name`,
/// otherwise the first whose probe accepts it. Null for an unknown format. Throws
/// InputError for damaged HDF5.
const TrajectoryFormat* format_of(ProbedFile& file);

/// Detects the format of a text file by its first lines, whatever its name is; null for
/// an unknown format.
const TrajectoryFormat* format_by_lines(ProbedFile& file);

/// Returns the format of streams at this address; null for a file path.
const TrajectoryFormat* stream_format_of(const std::string& address);

/// Describes a file that is not HDF5, for messages: "a file of the format XTC" or
/// "something that looks like a NetCDF file"; "" for an HDF5 file. Throws InputError
/// like ProbedFile, and for damaged HDF5.
std::string describe_unless_hdf5(const std::string& path,
                                 ExternalFiles external = ExternalFiles::refused);

/// Reads the atoms of a --structure file, with the format detected from its name, and
/// keeps the alternate locations chosen by `altloc` (ReadOptions::altloc). Throws
/// InputError.
SharedStructure read_structure(const std::string& path,
                               const std::string& altloc = "first");

}  // namespace starhist::io
