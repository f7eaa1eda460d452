#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

// PATH.partial and PATH.checkpoint: logs (record_log.hh) of an unfinished result. The
// header is the HDF5 file of a result without blocks, each block a RowRecord.

/// Attribute of the root of the HDF5 file if blocks are lost because a record is
/// damaged.
inline constexpr const char* damaged_attribute = "damaged";

struct ResultLog {
  Hdf5Object file;           ///< in memory
  std::uint64_t blocks = 0;  ///< number of blocks
};

/// Opens the result as an HDF5 file without blocks. Throws InputError if it cannot be
/// read.
Hdf5Object open_log_header(const std::string& path);

/// Opens the result with all blocks of the log up to the last whole record. Throws
/// InputError if it cannot be read.
ResultLog open_result_log(const std::string& path);

/// Position of a run in its trajectory.
struct LogPosition {
  std::uint64_t next_number = 0;    ///< number of the next frame to count
  std::uint64_t blocks_before = 0;  ///< number of blocks before the one in the log
};

/// Returns the last position in a log; empty without one. Throws InputError.
std::optional<LogPosition> read_log_position(const std::string& path);

}  // namespace starhist::io
