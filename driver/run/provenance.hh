#pragma once

#include "driver/run/resume_point.hh"
#include "driver/run/trajectory_run.hh"

namespace starhist::driver {

/// Name of the entry with the number of frames per block, unless --block specifies it.
inline constexpr const char* frames_per_block_entry = "frames per block";
/// Name of the entry with a part's first and last frame, counted from 0; "the end" in
/// place of the last frame of the last part.
inline constexpr const char* part_entry = "frames of the part";
/// Prefix of the entries that identify files defining the particles, such as the file
/// of --index.
inline constexpr const char* file_entry = "file of ";

/// Name of the entry with the checksums (frame_checksum(), hexadecimal) of the
/// trajectory's first two frames, which identify parts of one trajectory. Missing if
/// these frames are counted, because the blocks contain their checksums.
inline constexpr const char* first_frames_entry = "first frames, in any order";
/// Name of the entry with the box of the first selected frame of all parts. Only of
/// parts, which merge compares, and of results whose blocks do not contain boxes.
inline constexpr const char* first_box_entry = "box of the first frame";
/// Suffix of the names "input 1 sampled bytes", ...: io::sampled_bytes_text().
inline constexpr const char* sampled_bytes = " sampled bytes";
/// Suffix of the names "file of --structure all bytes", ...: io::all_bytes_text().
inline constexpr const char* all_bytes = " all bytes";

/// The provenance entries that define what is counted: program, inputs, options, number
/// of frames selected. A resumed run compares them.
io::RunRecord identity_record(const TrajectoryRunSpec& spec,
                              const io::TrajectoryInfo& info);

/// The provenance entries known before a run counts: identity_record(), workers,
/// kernels, and all runs so far, with their first frames and times.
io::RunRecord first_provenance(const TrajectoryRunSpec& spec,
                               const io::TrajectoryInfo& info,
                               const tasks::Runtime& runtime,
                               const std::optional<ResumePoint>& point);

/// Adds an entry for each warning about numbers that may be wrong: "warning 1", ...
void add_warnings(const std::vector<std::string>& warnings, io::RunRecord& record);

/// The provenance entries known after the run: frames left out by all runs, pairs
/// evaluated and skipped by the last one.
io::RunRecord last_provenance(const RunSummary& result);

}  // namespace starhist::driver
