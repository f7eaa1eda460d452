#pragma once

#include <string>
#include <vector>

#include "codelets/core/counting/histogram.hh"
#include "driver/run/run_summary.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::driver {

/// io::broken_molecules() of a frame if the run opens all axes of the file's box; ""
/// otherwise, and if the file cannot be read with its box.
std::string broken_molecules(const std::vector<std::string>& paths,
                             const io::ReadOptions& options, FrameIndex index);

/// Warnings about numbers that may be wrong, known after counting: particles in a
/// plane, no pair in the bins, and changed_extent() if the extent was measured.
std::vector<std::string> end_warnings(const HistogramLayout& layout,
                                      const RunResult& result, bool measured_extent);

}  // namespace starhist::driver
