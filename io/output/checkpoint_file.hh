#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "codelets/core/counting/histogram.hh"

namespace starhist::io {

/// Counts of a block that is not full.
struct Checkpoint {
  BlockCounts block;
  std::uint64_t next_number = 0;  ///< number of the next frame to count
  /// Number of blocks in the result file before this one; used to detect a checkpoint
  /// that does not belong to the end of the file.
  std::uint64_t blocks_before = 0;
};

/// The file PATH.checkpoint next to the result file PATH. It holds the last two
/// checkpoints of a run, with checksums, in two slots that are overwritten alternately:
/// if the run is killed while it writes one, the other remains.
class CheckpointFile {
 public:
  /// `path`: the result file; `layout`, `id`: its layout and result_id. Neither creates
  /// nor reads the checkpoint file.
  CheckpointFile(const std::string& path, const HistogramLayout& layout,
                 const std::string& id);

  /// Returns the newest valid checkpoint. Empty if there is no valid one, no file, or a
  /// file with another layout or result_id. Throws RunError if the file cannot be read.
  std::optional<Checkpoint> read();

  /// Writes a checkpoint, whose members are the arguments, to the slot of the oldest
  /// one and waits until it is on the disk. Creates the file if necessary. Allocates as
  /// much memory as the block takes. Throws RunError, for example when the disk is
  /// full.
  void write(const BlockCounts& block, std::uint64_t next_number,
             std::uint64_t blocks_before);

  /// Removes the file if it exists.
  void remove() const noexcept;

 private:
  std::string file_;
  HistogramLayout layout_;
  std::uint32_t id_sum_;        ///< checksum of the result_id
  std::uint64_t sequence_ = 0;  ///< number of the newest known checkpoint; 0: unknown
};

}  // namespace starhist::io
