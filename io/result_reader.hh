#pragma once

#include <string>
#include <vector>

#include "codelets/core/histogram.hh"
#include "io/run_record.hh"

namespace starhist {

/// A result file read back.
struct ResultFile {
  std::string path;
  HistogramLayout layout;
  std::vector<BlockCounts> blocks;
  RunRecord record;
};

/// Reads PATH or a PATH.partial that a killed run left. Throws InputError when it is
/// not a starhist result or its counts do not add up to its pairs.
ResultFile read_result(const std::string& path);

/// True if the file looks like a starhist result (rather than a trajectory).
bool is_result(const std::string& path);

}  // namespace starhist
