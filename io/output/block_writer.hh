#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "io/output/result_writer.hh"

namespace starhist::io {

/// Appends blocks to a result file in a separate thread, so that counting does not stop
/// while blocks are compressed or the disk is busy. append() and wait() are for one
/// thread.
class BlockWriter {
 public:
  /// `writer` must outlive this object; others may use it only after wait() has
  /// returned or this object is destroyed. The queue holds blocks of up to `most_bytes`
  /// in total, or one larger block.
  BlockWriter(ResultWriter& writer, std::size_t most_bytes);
  /// Writes the blocks in the queue; errors are lost.
  ~BlockWriter();
  BlockWriter(const BlockWriter&) = delete;
  BlockWriter& operator=(const BlockWriter&) = delete;

  /// Queues a block; waits while the queue is full. Rethrows the writer's exception for
  /// an earlier block.
  void append(BlockCounts&& block);
  /// Waits until all blocks are in the file. Throws like append().
  void wait();

 private:
  void write_all();

  ResultWriter& writer_;
  const std::size_t most_bytes_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<BlockCounts> queue_;  ///< the first one is being written
  bool ended_ = false;
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace starhist::io
