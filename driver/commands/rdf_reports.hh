#pragma once

#include <string>
#include <vector>

#include "driver/commands/command.hh"
#include "driver/options/rdf_options.hh"
#include "driver/run/trajectory_run.hh"

namespace starhist::driver {

/// The phrase "this goes on: COMMAND" with the command line of `program` for a shell;
/// of a simulation that runs, whose frames come once, what else can be done.
std::string how_to_go_on(const std::string& program,
                         const std::vector<std::string>& arguments);

/// Whether the run is finished already (ResumePoint::finished), so that nothing is left
/// to count.
bool is_finished(const TrajectoryRun& run);

/// Reports a run that was finished before. Throws InputError for options that ask for
/// more than its result.
ExitCode report_finished(const RdfOptions& options, const TrajectoryRun& run);

/// Says on standard error what is to be known before a run counts: its first frame
/// after others, remarks of readers. Nothing with --quiet but problems.
void report_start(const RdfOptions& options, const TrajectoryRun& run);

/// Says how far a run came that a signal has stopped, and which command goes on.
void report_stop(const RunSummary& summary, const TrajectoryRun& run, int signal,
                 const std::string& go_on);

/// Prints and writes the summaries of a run that has ended.
ExitCode report_end(const RdfOptions& options, const RunSummary& summary);

}  // namespace starhist::driver
