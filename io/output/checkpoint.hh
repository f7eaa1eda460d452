#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "codelets/core/counting/histogram.hh"

namespace starhist::io {

/// Counts of a block that is not full, saved by ResultWriter::save_open_block().
struct Checkpoint {
  BlockCounts block;
  std::uint64_t next_number = 0;  ///< number of the next frame to count
  /// Number of blocks in the result file before this one; used to detect a checkpoint
  /// that does not belong to the end of the file.
  std::uint64_t blocks_before = 0;
};

/// Returns the name of the checkpoint of the result file `path`: PATH.checkpoint.
std::string checkpoint_of(const std::string& path);

/// Returns the checkpoint of the result file `path`. Empty if the file is missing or
/// unreadable, or belongs to a result with another result_id.
std::optional<Checkpoint> read_checkpoint(const std::string& path,
                                          const std::string& id);

}  // namespace starhist::io
