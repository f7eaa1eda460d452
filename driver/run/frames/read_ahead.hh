#pragma once

#include <string>
#include <vector>

#include "driver/run/frames/frame_stream.hh"
#include "io/files/file_fingerprints.hh"

namespace starhist::driver {

/// Number of readers [>= 1]: half the cores, 2 to 8; with GPUs three quarters, 2 to 96,
/// if each has to decompress; one if TrajectoryInfo::sequential_only.
unsigned most_readers(const io::TrajectoryInfo& info, unsigned cores, bool beside_gpus);

/// Settings for reading ahead the trajectory that was opened with `paths` and
/// `options`, with at most most_readers() readers. `files` are the fingerprints of the
/// files before they were opened; opening another reader throws InputError if they have
/// changed. The references must live as long as the stream. Frames and readers take at
/// most an eighth of `memory_bytes`; with GPUs several batches of frames are read
/// ahead.
ReadAhead read_ahead(const std::vector<std::string>& paths,
                     const io::ReadOptions& options, const io::TrajectoryInfo& info,
                     const io::FileFingerprints& files,
                     std::size_t memory_bytes = 1U << 30U, bool beside_gpus = false);

}  // namespace starhist::driver
