#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driver/commands/counted_runs.hh"
#include "driver/options/rdf_options.hh"

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

/// How the recorded options of a run are parsed again.
struct CountingCommand {
  /// Options in place of recorded ones that the result answers, such as its bins.
  std::vector<std::string> given;
  /// Options, in addition to those that define particles, pairs, boxes and units, that
  /// the recount needs.
  std::vector<std::string> needed;
  std::function<std::optional<RdfOptions>(const std::vector<std::string>& words)> parse;
};

/// How to read the frames of a run again.
struct RecordedRun {
  TrajectoryRunSpec spec;  ///< inputs and the options that define the particles
  std::vector<ComparedFile> trajectories;
};

/// Reads the options and the files of each run of `command` from its record. Throws
/// InputError if they are not recorded, if an option is unknown, if a file is missing,
/// or if a file that defines the particles has changed. Files given in `moved` are
/// recognized by size and content, then by name.
std::vector<RecordedRun> recorded_runs(const CountingCommand& command,
                                       const std::vector<CountedRun>& runs,
                                       const MovedFiles& moved);

}  // namespace starhist::driver
