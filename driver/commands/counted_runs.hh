#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/result/result_reader.hh"

namespace starhist::driver {

/// Blocks of a result that one run of `starhist rdf` counted. A merged result has
/// blocks of several runs, through any number of merges.
struct CountedRun {
  const io::ResultFile* result = nullptr;
  io::RunRecord record;       ///< provenance of the run
  std::uint64_t begin = 0;    ///< its first block in the result
  std::uint64_t end = 0;      ///< one past its last block
  bool has_checksums = true;  ///< true if all of its frames have checksums
  /// frame_checksum() of its trajectory's first frames: two, or as many as are known.
  std::vector<std::uint64_t> first_frames = {};
  std::size_t trajectory = 0;  ///< number, equal for runs of the same trajectory

  /// The entry of the record with this name; "" without one.
  std::string recorded(const std::string& name) const;
  /// Path of the trajectory, for messages.
  std::string trajectory_path() const;
  /// Distance between the numbers of its selected frames; 1 if it varies.
  std::uint64_t recorded_step() const;
  /// Numbers of its frames in the trajectory. For blocks that do not list frames, all
  /// that they may hold.
  std::vector<std::uint64_t> frame_numbers() const;
};

/// Suffix of the entry, among the entries "result 1 ..." of a merged result, with a
/// result's number of blocks.
inline constexpr const char* merged_blocks = " blocks";

/// The runs of all results, which must outlive them. Merged results of versions before
/// 0.3 do not record which blocks belong to which run, and are treated as one run
/// without a record.
std::vector<CountedRun> counted_runs(const std::vector<io::ResultFile>& results);
/// The runs of one result, which must outlive them.
std::vector<CountedRun> counted_runs(const io::ResultFile& result);

/// True if both have read the same first file, judging by its size and sampled bytes;
/// for results of version 0.2 by size and time of modification.
bool read_same_file(const CountedRun& a, const CountedRun& b);

/// True if one of the trajectories' first two frames is known of both and differs.
bool begin_differently(const CountedRun& a, const CountedRun& b);

}  // namespace starhist::driver
