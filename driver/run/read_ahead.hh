#pragma once

#include <string>
#include <vector>

#include "driver/run/frame_stream.hh"
#include "io/files/file_fingerprints.hh"

namespace starhist::driver {

/// Other readers of the trajectory that `paths` and `options` have opened, as many as
/// half the cores and 8. `files` is how the files were before that; all must live as
/// long as the stream. What is read ahead takes at most an eighth of `memory_bytes`;
/// beside GPUs it may be several batches of frames.
ReadAhead read_ahead(const std::vector<std::string>& paths,
                     const io::ReadOptions& options, const io::TrajectoryInfo& info,
                     const io::FileFingerprints& files,
                     std::size_t memory_bytes = 1U << 30U, bool beside_gpus = false);

}  // namespace starhist::driver
