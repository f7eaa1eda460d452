#pragma once

#include <string>
#include <vector>

#include "driver/run/frame_stream.hh"
#include "io/files/file_fingerprints.hh"

namespace starhist::driver {

/// How to read ahead the trajectory that was opened with `paths` and `options`. There
/// are as many readers as half the cores, 2 to 8, or one if
/// TrajectoryInfo::sequential_only. `files` are the fingerprints of the files before
/// they were opened; opening another reader throws InputError if they have changed. The
/// references must live as long as the stream. Frames and readers take at most an
/// eighth of `memory_bytes`; beside GPUs several batches of frames are read ahead.
ReadAhead read_ahead(const std::vector<std::string>& paths,
                     const io::ReadOptions& options, const io::TrajectoryInfo& info,
                     const io::FileFingerprints& files,
                     std::size_t memory_bytes = 1U << 30U, bool beside_gpus = false);

}  // namespace starhist::driver
