#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/result/result_reader.hh"

namespace starhist::driver {

/// Blocks of a result that one run of `starhist rdf` has counted. A merged result has
/// those of several runs, through any number of merges.
struct CountedRun {
  const io::ResultFile* result = nullptr;
  io::RunRecord record;       ///< provenance of the run
  std::uint64_t begin = 0;    ///< its first block in the result
  std::uint64_t end = 0;      ///< behind its last block
  bool has_checksums = true;  ///< of all of its frames
  /// frame_checksum() of the first frames of its trajectory, two or as many as are
  /// known.
  std::vector<std::uint64_t> first_frames = {};
  std::size_t trajectory = 0;  ///< number, equal for runs of the same trajectory

  /// Entry of the record; "" without one.
  std::string recorded(const std::string& name) const;
  /// Path of the trajectory, for messages.
  std::string trajectory_path() const;
  /// Numbers of its frames in the trajectory. Of blocks that list no frames, all that
  /// they may hold.
  std::vector<std::uint64_t> frame_numbers() const;
};

/// The entry that says how many blocks are of a result, among the entries "result 1
/// ..." of one that was merged.
inline constexpr const char* merged_blocks = " blocks";

/// The runs of all results, which must outlive them. Merged results of versions before
/// 0.3 do not say which blocks are of which run, and are like one run without record.
std::vector<CountedRun> counted_runs(const std::vector<io::ResultFile>& results);

/// Whether both have read the same first file, as far as its size and sampled bytes
/// tell; for results of version 0.2 its size and time of modification.
bool read_same_file(const CountedRun& a, const CountedRun& b);

}  // namespace starhist::driver
