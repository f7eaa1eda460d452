#pragma once

#include <string>

#include "io/hdf5/hdf5_file.hh"
#include "io/hdf5/inspection/external_files.hh"

namespace starhist::io {

// The way to HDF5 files of users. Their metadata are first read by a process of its
// own (inspection_process.hh), once for each state of a file. Where the program
// starhist-inspect is not installed, they are read in this process, which then finds
// external files but does not survive a crash.

/// open_hdf5_file() for a file that was inspected. Throws InputError also when HDF5
/// crashes, loops or wants too much memory over its metadata, or when the file names
/// others that are refused.
Hdf5Object open_inspected_hdf5_file(const std::string& path, ExternalFiles external);

/// try_open_hdf5_file() for a file that was inspected.
Hdf5Object try_open_inspected_hdf5_file(const std::string& path, Hdf5Reading reading,
                                        ExternalFiles external);

/// The other files that an HDF5 file names; none for a file of another kind. Throws
/// as open_inspected_hdf5_file().
ExternalFileList external_files_of(const std::string& path, ExternalFiles external);

}  // namespace starhist::io
