#pragma once

#include <string>
#include <vector>

#include "io/reader/trajectory_format.hh"

namespace starhist::io {

/// All formats that are known, in the order in which people are told of them.
const std::vector<TrajectoryFormat>& trajectory_formats();

/// The format of a file: by the name of a text file where the format says so, else the
/// first whose probe holds. Null where there is none. Throws InputError for HDF5 that
/// is damaged.
const TrajectoryFormat* format_of(ProbedFile& file);

/// The format of streams at such an address; null for the path of a file.
const TrajectoryFormat* stream_format_of(const std::string& address);

/// What a file is that is no HDF5 file, for messages: "a file of the format XTC" or
/// "something that looks like a NetCDF file". "" for an HDF5 file. Throws InputError as
/// ProbedFile does, and for HDF5 that is damaged.
std::string describe_unless_hdf5(const std::string& path,
                                 ExternalFiles external = ExternalFiles::refused);

/// Reads the atoms of a file whose format its name tells (`--structure`), of alternate
/// locations those of ReadOptions::altloc. Throws InputError.
SharedStructure read_structure(const std::string& path,
                               const std::string& altloc = "first");

}  // namespace starhist::io
