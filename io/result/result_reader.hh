#pragma once

#include <functional>
#include <string>
#include <vector>

#include "codelets/core/counting/histogram.hh"
#include "io/hdf5/inspection/external_files.hh"
#include "io/result/run_record.hh"

namespace starhist::io {

/// Whether the run that wrote a result has finished.
enum class ResultState {
  complete,
  partial,  ///< the run was killed, failed, or is still running
};

/// Contents of a result file.
struct ResultFile {
  std::string path;
  HistogramLayout layout;
  std::vector<BlockCounts> blocks;
  RunRecord record;  ///< provenance
  ResultState state = ResultState::complete;
  ExternalFileList external_files = {};  ///< other files that hold data of the result
  /// Distance of the bin edges below whole numbers of bins [bins]: 0 for versions
  /// before 0.3, otherwise starhist::edge_shift.
  double edge_shift = 0.0;
  bool damaged = false;  ///< the log of a partial result is damaged after `blocks`
};

/// Reads a result file or the PATH.partial of a killed run. Throws InputError with
/// file, block and pair when it is not a starhist result, when parts are missing or
/// have the wrong shape, when the sum rule does not hold, or when data lie in other
/// files that are refused.
ResultFile read_result(const std::string& path,
                       ExternalFiles external = ExternalFiles::refused);

/// Reads a result like read_result(), but passes its blocks to `sink` one by one and
/// leaves ResultFile::blocks empty. Also throws exceptions of `sink`.
ResultFile read_result_blocks(const std::string& path,
                              const std::function<void(BlockCounts&&)>& sink);

/// Extent of a result's complete blocks.
struct ResultExtent {
  ResultState state = ResultState::complete;
  std::uint64_t blocks = 0;  ///< number of blocks
  std::uint64_t frames = 0;  ///< number of frames in these blocks
  FrameIndex first_frame;    ///< first frame of the first block
  FrameIndex last_frame;     ///< last frame of the last block
};

/// Returns the extent of a result, which is read and checked like in read_result(),
/// with one block at a time in memory.
ResultExtent read_result_extent(const std::string& path);

/// Reads only the provenance of a result. Throws InputError like read_result().
RunRecord read_run_record(const std::string& path);

/// Whether the groups of the file look like a starhist result. Does not throw
/// InputError.
bool is_result(const std::string& path,
               ExternalFiles external = ExternalFiles::refused);

}  // namespace starhist::io
