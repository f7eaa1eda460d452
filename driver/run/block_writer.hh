#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "io/output/result_writer.hh"

namespace starhist::driver {

/// Appends blocks to a result file in a thread of its own, so that counting does not
/// stop while blocks are compressed or the disk is busy. append() and wait() are for
/// one thread.
class BlockWriter {
 public:
  /// `writer` must live longer, and nothing else may use it before wait() has returned
  /// or this is destroyed. Blocks of up to `most_bytes` in all may wait, or two if
  /// these are larger.
  BlockWriter(io::ResultWriter& writer, std::size_t most_bytes);
  /// Writes the blocks that still wait; errors are lost.
  ~BlockWriter();
  BlockWriter(const BlockWriter&) = delete;
  BlockWriter& operator=(const BlockWriter&) = delete;

  /// Takes a block; blocks while too many blocks wait. Throws what the writer threw for
  /// an earlier block.
  void append(BlockCounts&& block);
  /// Blocks until all blocks are in the file. Throws as append().
  void wait();

 private:
  void write_all();

  io::ResultWriter& writer_;
  const std::size_t most_bytes_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<BlockCounts> queue_;  ///< the first one is being written
  bool ended_ = false;
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace starhist::driver
