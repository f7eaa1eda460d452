#pragma once

#include <memory>
#include <string>
#include <vector>

#include "codelets/core/counting/bin_position.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/lag_layout.hh"
#include "io/files/passed_on.hh"
#include "io/result/run_record.hh"

namespace starhist::io {

/// Frames of a block.
struct BlockExtent {
  FrameIndex first_frame;
  FrameIndex last_frame;
  std::uint32_t frames = 0;  ///< number of frames
};

/// Writes a result file block by block (layout: docs/reference/result-file.md). Not
/// thread-safe.
///
/// Each block is appended to the log PATH.partial (result_log.hh). A killed run leaves
/// its complete blocks readable there, and no PATH. finish() writes the HDF5 file in
/// one go, replaces the log by it and renames it.
class ResultWriter {
 public:
  /// Creates PATH.partial. Throws InputError if PATH or a PATH.partial of an earlier
  /// run exists and `overwrite` is false; if PATH is a directory, or lies in one that
  /// is missing or not writable; or if another process writes PATH.partial. Throws
  /// RunError if the disk is full. The entry "version" of `record` becomes the version
  /// of the H5MD creator. `edge_shift`: see ResultFile::edge_shift.
  ResultWriter(const std::string& path, const HistogramLayout& layout,
               const RunRecord& record, bool overwrite,
               double edge_shift = starhist::edge_shift);
  /// Resumes the result of an earlier run with the same layout and result_id: copies
  /// the first `blocks` blocks of its PATH.partial to a new log, which then replaces
  /// the old one. Throws like the other constructor, and InputError if the old file
  /// cannot be read, has fewer blocks or another result_id.
  ResultWriter(const std::string& path, const HistogramLayout& layout,
               const RunRecord& record, bool overwrite, std::uint64_t blocks);
  /// Creates the PATH.partial of counts between frames (starhist vanhove). Throws like
  /// the first constructor.
  ResultWriter(const std::string& path, const LagLayout& layout,
               const RunRecord& record, bool overwrite,
               double edge_shift = starhist::edge_shift);
  /// Resumes the counts between frames of an earlier run, as the second constructor.
  ResultWriter(const std::string& path, const LagLayout& layout,
               const RunRecord& record, bool overwrite, std::uint64_t blocks);
  /// Keeps the PATH.partial of an unfinished result if it holds a block or keep() was
  /// called; otherwise removes it.
  ~ResultWriter();
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;

  /// Appends one block. Throws RunError when it cannot be written (disk
  /// full), and InternalError when the sum rule does not hold; earlier blocks stay
  /// readable.
  void append(const BlockCounts& block);
  /// Appends a block between frames; only for a result with lags.
  void append(const LaggedBlock& block);

  /// Saves the counts of a block that is not full in PATH.checkpoint, for
  /// read_checkpoint(), and calls keep(). `next_number`: number of the next frame to
  /// count. Throws RunError; an earlier PATH.checkpoint then stays.
  void save_open_block(const BlockCounts& block, std::uint64_t next_number);

  /// Returns the frames of all blocks so far, including copied ones.
  const std::vector<BlockExtent>& extents() const;

  /// Writes the data to pass on for the next block. Call it, after all blocks, for each
  /// of them in order or not at all. Throws RunError when writing fails, InputError
  /// when the sizes of numbers differ between blocks; the blocks then stay in
  /// PATH.partial.
  void pass_on(const PassedOn& block);

  /// Writes g(r) for the bins in which it is defined, adds `record` to the provenance
  /// (replacing entries of the same name), syncs the file, renames it to PATH and
  /// removes PATH.checkpoint. Throws RunError; the blocks then stay in PATH.partial.
  void finish(const RunRecord& record);

  /// Keeps PATH.partial without finish(), even if it holds no block.
  void keep();

  /// Closes and removes PATH.partial, for invalid input detected before the first
  /// block.
  void discard();

 private:
  class File;
  /// Throws InternalError if the result is closed.
  File& open_file() const;

  std::unique_ptr<File> file_;
};

}  // namespace starhist::io
