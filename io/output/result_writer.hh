#pragma once

#include <memory>
#include <string>
#include <vector>

#include "codelets/core/counting/bin_position.hh"
#include "codelets/core/counting/histogram.hh"
#include "io/files/passed_on.hh"
#include "io/result/run_record.hh"

namespace starhist::io {

/// Which frames a block holds.
struct BlockExtent {
  FrameIndex first_frame;
  FrameIndex last_frame;
  std::uint32_t frames = 0;  ///< number of frames
};

/// Writes a result file block by block (docs/reference/result-file.md has the layout).
/// One thread at a time.
///
/// Blocks go to PATH.partial, each flushed. A run that is killed leaves the finished
/// blocks readable there, and no PATH. finish() completes and renames it.
class ResultWriter {
 public:
  /// Creates PATH.partial. Throws InputError if PATH or a PATH.partial of an earlier
  /// run exists and `overwrite` is false; if PATH is a directory, or lies in one that
  /// is missing or not writable; or if another process writes PATH.partial. Throws
  /// RunError if the disk is full. The entry "version" of `record` becomes the version
  /// of the H5MD creator. `edge_shift`: that of the counts (ResultFile::edge_shift).
  ResultWriter(const std::string& path, const HistogramLayout& layout,
               const RunRecord& record, bool overwrite,
               double edge_shift = starhist::edge_shift);
  /// Goes on with the first `blocks` blocks of a PATH.partial that an earlier run left,
  /// which has the same layout and result_id: copies them to a new file, which then
  /// replaces the old one. Throws as the other constructor, and InputError if the old
  /// file cannot be read, has fewer blocks or another result_id.
  ResultWriter(const std::string& path, const HistogramLayout& layout,
               const RunRecord& record, bool overwrite, std::uint64_t blocks);
  /// Without finish(): keeps PATH.partial if it holds a block or is to be kept,
  /// otherwise removes it.
  ~ResultWriter();
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;

  /// Appends and flushes one block. Throws RunError when it cannot be written (disk
  /// full), and InternalError when the sum rule does not hold; the blocks before it
  /// stay readable.
  void append(const BlockCounts& block);

  /// The blocks so far, those that were copied included.
  const std::vector<BlockExtent>& extents() const;

  /// What is passed on of the next block; after all blocks, for each in turn or for
  /// none. Throws RunError when it cannot be written, InputError when numbers of blocks
  /// are not equally many; the blocks then stay in PATH.partial.
  void pass_on(const PassedOn& block);

  /// Writes g(r) for the bins where it is defined, adds `record` to the provenance (an
  /// entry with the same name is replaced), then closes, syncs and renames to PATH.
  /// Throws RunError; the blocks then stay in PATH.partial.
  void finish(const RunRecord& record);

  /// Says that PATH.partial stays without finish(), even if it holds no block.
  void keep();

  /// Closes and removes PATH.partial, for bad input that is found before the first
  /// block.
  void discard();

 private:
  class File;
  std::unique_ptr<File> file_;
};

}  // namespace starhist::io
