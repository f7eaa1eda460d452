#pragma once

#include <memory>
#include <string>

#include "codelets/core/counting/histogram.hh"
#include "io/result/run_record.hh"

namespace starhist::io {

/// Writes a result file block by block (layout: docs/reference/result-file.md).
///
/// Blocks go to PATH.partial, flushed one by one: a run that is killed leaves the
/// finished blocks readable there, and no PATH. finish() completes and renames it.
class ResultWriter {
 public:
  /// Creates PATH.partial. Throws InputError if PATH exists, or a PATH.partial that an
  /// earlier run left, and not `overwrite`; if PATH is a directory, or lies in one that
  /// is missing or not writable; or if another process writes PATH.partial. Throws
  /// RunError if the disk is full. The entry "version" of `record` becomes the version
  /// of the H5MD creator.
  ResultWriter(const std::string& path, const HistogramLayout& layout,
               const RunRecord& record, bool overwrite);
  /// Without finish(): keeps PATH.partial if it holds a block, otherwise removes it.
  ~ResultWriter();
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;

  /// Appends and flushes one block. Throws RunError when it cannot be written (disk
  /// full); the blocks before it stay readable.
  void append(const BlockCounts& block);

  /// Adds the normalised g(r) where it is defined and `record` to the provenance (an
  /// entry of a known name replaces it), then closes, syncs and renames to PATH. Throws
  /// RunError; what was appended then stays in PATH.partial.
  void finish(const RunRecord& record);

  /// Closes and removes PATH.partial: for bad input found before any block was done.
  void discard();

 private:
  class File;
  std::unique_ptr<File> file_;
};

}  // namespace starhist::io
