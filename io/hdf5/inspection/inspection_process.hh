#pragma once

#include <cstdint>
#include <string>

#include "io/hdf5/inspection/external_files.hh"

namespace starhist::io {

/// Resource limits of an inspection process.
struct InspectionLimits {
  std::uint64_t address_space = 0;  ///< [bytes, > 0]
  unsigned cpu_seconds = 0;         ///< CPU time [s, > 0]
  unsigned wall_seconds = 0;        ///< [s, > 0]
};

/// Returns the limits for a file of this size [bytes], far above the needs of files
/// that starhist can read.
InspectionLimits inspection_limits(std::uint64_t file_size);

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
