#pragma once

#include <string>
#include <vector>

#include "driver/commands/counted_runs.hh"
#include "driver/run/trajectory_run.hh"

namespace starhist::driver {

/// Paths that replace recorded ones, because files were moved; empty: not given.
struct MovedFiles {
  std::vector<std::string> trajectories;
  std::string structure;
  std::string index;
  std::string aliases;
  std::string boxes;  ///< file of --box
};

/// An input file of a run, compared with its record.
struct ComparedFile {
  std::string path;   ///< where it is now
  std::string state;  ///< "size and sampled bytes as recorded", ...

  friend bool operator==(const ComparedFile&, const ComparedFile&) = default;
};

/// How to read the frames of a run again.
struct RecordedRun {
  TrajectoryRunSpec spec;  ///< inputs and the options that define the particles
  std::vector<ComparedFile> trajectories;
};

/// Reads the options and the files of each run from its record. Throws InputError if
/// they are not recorded, if an option is unknown, if a file is missing, or if a file
/// that defines the particles has changed. Files given in `moved` are recognized by
/// size and content, then by name.
std::vector<RecordedRun> recorded_runs(const std::vector<CountedRun>& runs,
                                       const MovedFiles& moved);

}  // namespace starhist::driver
