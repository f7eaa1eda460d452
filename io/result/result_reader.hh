#pragma once

#include <functional>
#include <string>
#include <vector>

#include "codelets/core/counting/histogram.hh"
#include "io/hdf5/inspection/external_files.hh"
#include "io/result/run_record.hh"

namespace starhist::io {

/// Whether a result was finished.
enum class ResultState {
  complete,
  partial,  ///< the run was killed, failed, or still goes on
};

/// Contents of a result file.
struct ResultFile {
  std::string path;
  HistogramLayout layout;
  std::vector<BlockCounts> blocks;
  RunRecord record;  ///< provenance
  ResultState state = ResultState::complete;
  ExternalFileList external_files = {};  ///< other files in which data of it lie
  /// How far the edges of the counts lie below whole numbers of bins: 0 for versions
  /// before 0.3, else starhist::edge_shift [bins].
  double edge_shift = 0.0;
  /// Partial results: number of blocks at the end that were left out, from the first
  /// incomplete one on. Usually it was being written when the run was killed.
  std::uint64_t lost_blocks = 0;
};

/// Reads a result file, also the PATH.partial of a killed run. Throws InputError with
/// file, block and pair when it is not a starhist result, when something is missing or
/// has the wrong shape, when the sum rule does not hold, or when data lie in other
/// files that are refused.
ResultFile read_result(const std::string& path,
                       ExternalFiles external = ExternalFiles::refused);

/// Reads a result like read_result(), but gives its blocks to `sink` one by one instead
/// of keeping them: ResultFile::blocks is empty. Throws what `sink` throws, too.
ResultFile read_result_blocks(const std::string& path,
                              const std::function<void(BlockCounts&&)>& sink);

/// Extent of a result: its complete blocks.
struct ResultExtent {
  ResultState state = ResultState::complete;
  std::uint64_t blocks = 0;  ///< number of blocks
  std::uint64_t frames = 0;  ///< number of frames in these
  FrameIndex first_frame;    ///< first frame of the first block
  FrameIndex last_frame;     ///< last frame of the last block
};

/// The extent of a result, read and checked as by read_result(), with one block at a
/// time in memory.
ResultExtent read_result_extent(const std::string& path);

/// Whether the file looks like a starhist result, by its groups. Does not throw
/// InputError.
bool is_result(const std::string& path,
               ExternalFiles external = ExternalFiles::refused);

}  // namespace starhist::io
