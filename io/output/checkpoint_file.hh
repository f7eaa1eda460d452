#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "codelets/core/counting/histogram.hh"

namespace starhist::io {

/// What a run has counted of a block that is not full.
struct Checkpoint {
  BlockCounts block;
  std::uint64_t next_number = 0;  ///< number of the frame that comes next
  /// Number of blocks in the result file before this one. If the file has another
  /// number of blocks, the checkpoint does not belong to its end.
  std::uint64_t blocks_before = 0;
};

/// PATH.checkpoint beside the result file PATH: the last two checkpoints of a run, each
/// with a checksum, in places of their own that are written in turns. A kill while one
/// is written leaves the other.
class CheckpointFile {
 public:
  /// Of the result file `path`, with the layout of the result and its result_id.
  /// Neither creates nor reads the file.
  CheckpointFile(const std::string& path, const HistogramLayout& layout,
                 const std::string& id);

  /// The newest checkpoint that is whole; nothing if there is none, or no file, or one
  /// of another layout or result_id. Throws RunError if the file cannot be read.
  std::optional<Checkpoint> read();

  /// Writes a checkpoint in the place of the oldest one and waits until it is on the
  /// disk. Creates the file. Throws RunError, for example when the disk is full.
  void write(const Checkpoint& checkpoint);

  /// Removes the file if there is one.
  void remove() const noexcept;

 private:
  std::string file_;
  HistogramLayout layout_;
  std::uint32_t id_sum_;        ///< checksum of the result_id
  std::uint64_t sequence_ = 0;  ///< of the newest checkpoint that is known; 0: none
};

}  // namespace starhist::io
