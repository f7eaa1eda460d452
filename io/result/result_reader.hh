#pragma once

#include <string>
#include <vector>

#include "codelets/core/counting/histogram.hh"
#include "io/result/run_record.hh"

namespace starhist::io {

/// Whether the writer of a result came to its end.
enum class ResultState {
  complete,
  partial,  ///< the run was killed, failed, or still goes on
};

/// A result file read back.
struct ResultFile {
  std::string path;
  HistogramLayout layout;
  std::vector<BlockCounts> blocks;
  RunRecord record;
  ResultState state = ResultState::complete;
  /// Of a partial result: blocks at its end, from the first that is not whole, which
  /// were left out. Usually the one that was being written when the run was killed.
  std::uint64_t lost_blocks = 0;
};

/// Reads PATH or a PATH.partial that a killed run left. Throws InputError naming file,
/// block and pair when it is not a starhist result, when something in it is missing or
/// has the wrong shape, or when counts and overflow do not add up to the pairs.
ResultFile read_result(const std::string& path);

/// How far a result got: its whole blocks.
struct ResultExtent {
  ResultState state = ResultState::complete;
  std::uint64_t blocks = 0;
  std::uint64_t frames = 0;
  FrameIndex first_frame;  ///< of the first block
  FrameIndex last_frame;   ///< of the last block
};

/// Reads and checks a result like read_result, but has one block at a time in memory.
ResultExtent read_result_extent(const std::string& path);

/// True if the file looks like a starhist result (rather than a trajectory).
bool is_result(const std::string& path);

}  // namespace starhist::io
