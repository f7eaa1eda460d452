#pragma once

#include <memory>

#include "io/reader/probed_file.hh"
#include "io/reader/trajectory_format.hh"

namespace starhist::io {

/// TrajectoryFormat::open of XTC and TRR.
std::unique_ptr<TrajectoryReader> open_xtc(ProbedFile& file, const ReadOptions& options,
                                           const SharedStructure& structure);
std::unique_ptr<TrajectoryReader> open_trr(ProbedFile& file, const ReadOptions& options,
                                           const SharedStructure& structure);

}  // namespace starhist::io
