#pragma once

#include <string>

#include "io/hdf5/inspection/external_files.hh"
#include "io/hdf5/inspection/inspection_limits.hh"

namespace starhist::io {

/// Returns the path of the program starhist-inspect; "" if it is not installed.
std::string inspection_program();

/// Runs walk_hdf5_file() in a separate process, `program`. `limits`: limits that the
/// process sets itself, and the time to wait for it. Throws InputError when the process
/// crashes or exceeds a limit, and RunError when it cannot be started or others kill
/// it. Thread-safe.
ExternalFileList inspect_hdf5_file(const std::string& program, const std::string& path,
                                   ExternalFiles external,
                                   const InspectionLimits& limits);

}  // namespace starhist::io
