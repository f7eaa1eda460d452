#pragma once

#include "driver/run/resume_point.hh"
#include "driver/run/trajectory_run.hh"

namespace starhist::driver {

/// Name of the entry with the frames of a block, where the number of blocks was given.
inline constexpr const char* frames_per_block_entry = "frames per block";
/// Name of the entry with the first and the last frame of a part, counted from 0; "the
/// end" instead of the last one of the last part.
inline constexpr const char* part_entry = "frames of the part";
/// Begin of the names of entries by which files that say what particles are, such as
/// that of --index, are recognized.
inline constexpr const char* file_entry = "file of ";

/// Name of the entry with the checksums (frame_checksum(), hexadecimal) of the first
/// two frames of the trajectory, by which parts of one trajectory are recognized.
/// Missing where these frames are counted, as the blocks have their checksums.
inline constexpr const char* first_frames_entry = "first frames";
/// End of the names "input 1 sampled bytes", ...: io::sampled_bytes_text().
inline constexpr const char* sampled_bytes = " sampled bytes";

/// The entries of the provenance that say what is counted: program, inputs, options,
/// number of frames selected. A run that goes on compares them.
io::RunRecord identity_record(const TrajectoryRunSpec& spec,
                              const io::TrajectoryInfo& info);

/// The entries of the provenance that are known before a run counts: identity_record(),
/// workers, kernels, and the runs that have counted, with their first frames and times.
io::RunRecord first_provenance(const TrajectoryRunSpec& spec,
                               const io::TrajectoryInfo& info,
                               const tasks::Runtime& runtime,
                               const std::optional<ResumePoint>& point);

/// The entries that are known after the run: frames left out by all runs, pairs
/// evaluated and skipped by the last one.
io::RunRecord last_provenance(const RunSummary& result);

}  // namespace starhist::driver
