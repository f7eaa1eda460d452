#pragma once

#include <string>

#include "io/hdf5/hdf5_file.hh"
#include "io/hdf5/inspection/external_files.hh"

namespace starhist::io {

// Access to users' HDF5 files. A separate process first reads their metadata
// (inspection_process.hh), once for each state of a file. If the program
// starhist-inspect is not installed, they are read in this process, which detects
// external files but does not survive a crash.

/// Calls open_hdf5_file() for an inspected file. Throws InputError also when HDF5
/// crashes, loops or runs out of memory on its metadata, and when the file refers to
/// others that are refused.
Hdf5Object open_inspected_hdf5_file(const std::string& path, ExternalFiles external);

/// Calls try_open_hdf5_file() for an inspected file.
Hdf5Object try_open_inspected_hdf5_file(const std::string& path, Hdf5Reading reading,
                                        ExternalFiles external);

/// Returns the other files to which an HDF5 file refers; empty if it is not HDF5.
/// Throws like open_inspected_hdf5_file().
ExternalFileList external_files_of(const std::string& path, ExternalFiles external);

}  // namespace starhist::io
