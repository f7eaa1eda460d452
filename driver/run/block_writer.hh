#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "io/output/result_writer.hh"

namespace starhist::driver {

/// Appends blocks to a result file in a thread of its own: in the time that compressing
/// them takes, and a disk that is busy for a while, the counting would run dry.
class BlockWriter {
 public:
  /// Nobody else may use `writer` before wait() has returned or this is gone. Blocks of
  /// `most_bytes` together may wait, two at least.
  BlockWriter(io::ResultWriter& writer, std::size_t most_bytes);
  /// Writes what is still waiting.
  ~BlockWriter();
  BlockWriter(const BlockWriter&) = delete;
  BlockWriter& operator=(const BlockWriter&) = delete;

  /// Waits while too many blocks wait. Throws what the writer threw for an earlier one.
  void append(BlockCounts&& block);
  /// Waits until all blocks are in the file. Throws like append().
  void wait();

 private:
  void write_all();

  io::ResultWriter& writer_;
  const std::size_t most_bytes_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<BlockCounts> queue_;  ///< the first is being written
  bool ended_ = false;
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace starhist::driver
