#pragma once

#include <string>

#include "driver/commands/command.hh"
#include "driver/coordination/coordination_run.hh"
#include "driver/options/neighbours/coordination_options.hh"

namespace starhist::driver {

/// Output of find_first_minima() for the cut-offs that are minima of g(r); "" without
/// any. Warns if g(r) excludes other pairs than this run.
std::string find_minima(const CoordinationOptions& options);

/// A run of starhist coordination, before and after its frames are counted.
class CoordinationCommand {
 public:
  /// Replaces cut-offs that are minima of g(r), and prepares the options for a run that
  /// may be resumed. `minima`: find_minima().
  CoordinationCommand(CoordinationOptions options, const std::string& minima);
  CoordinationCommand(const CoordinationCommand&) = delete;
  CoordinationCommand& operator=(const CoordinationCommand&) = delete;

  /// The options of the run, with which the caller opens it.
  const RdfOptions& options() const { return options_.run; }
  /// The shells and parts of the result. Throws InputError unless these and an earlier
  /// run that is resumed suit the trajectory.
  CoordinationSpec spec(const TrajectoryRun& run) const;
  /// The blocks of the run that is resumed, and later the contents of the result.
  io::CoordinationResult& result() { return result_; }
  /// Reports the end of the run. `signal`: the one that stopped it, otherwise 0;
  /// `go_on`: how_to_go_on().
  ExitCode report_end(const CoordinationSummary& summary, const TrajectoryRun& run,
                      int signal, const std::string& go_on) const;

 private:
  CoordinationOptions options_;
  std::string minima_unit_;  ///< length unit of the minima of g(r)
  io::CoordinationResult result_;
};

}  // namespace starhist::driver
