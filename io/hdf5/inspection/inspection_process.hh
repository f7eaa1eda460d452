#pragma once

#include <cstdint>
#include <string>

#include "io/hdf5/inspection/external_files.hh"

namespace starhist::io {

/// What the process of an inspection may use.
struct InspectionLimits {
  std::uint64_t address_space = 0;  ///< [bytes, > 0]
  unsigned cpu_seconds = 0;         ///< CPU time [s, > 0]
  unsigned wall_seconds = 0;        ///< [s, > 0]
};

/// Limits for a file of this size [bytes]. No file that starhist's readers can work
/// with comes near them.
InspectionLimits inspection_limits(std::uint64_t file_size);

/// Path of the program starhist-inspect; "" if it is not there.
std::string inspection_program();

/// walk_hdf5_file() in a process of its own, which `program` runs. Throws InputError
/// when that process crashes or meets a limit, and RunError when it cannot be started
/// or is killed by others. Any thread may call it.
ExternalFileList inspect_hdf5_file(const std::string& program, const std::string& path,
                                   ExternalFiles external,
                                   const InspectionLimits& limits);

}  // namespace starhist::io
