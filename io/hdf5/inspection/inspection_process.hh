#pragma once

#include <string>

#include "io/hdf5/inspection/external_files.hh"
#include "io/hdf5/inspection/inspection_limits.hh"

namespace starhist::io {

/// Path of the program starhist-inspect; "" if it is not there.
std::string inspection_program();

/// walk_hdf5_file() in a process of its own, which `program` runs. `limits` are those
/// that the program sets itself, and the wall time that is waited for it. Throws
/// InputError when that process crashes or meets a limit, and RunError when it cannot
/// be started or is killed by others. Any thread may call it.
ExternalFileList inspect_hdf5_file(const std::string& program, const std::string& path,
                                   ExternalFiles external,
                                   const InspectionLimits& limits);

}  // namespace starhist::io
