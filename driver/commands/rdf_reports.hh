#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "driver/commands/command.hh"
#include "driver/options/rdf_options.hh"
#include "driver/run/trajectory_run.hh"

namespace starhist::driver {

/// The program as the user started it, if that was a path; otherwise `name`. For a
/// shell.
std::string as_invoked(const std::string& name);

/// Shell command with which `program` resumes the run, as the end of a message; for a
/// running simulation, whose frames come only once, the alternatives. `replaces`: the
/// run replaces a finished result, so that it needs --force. `command`: of the program.
std::string how_to_go_on(const std::string& program,
                         const std::vector<std::string>& arguments, bool replaces,
                         const std::string& command = "rdf");

/// True if the run is already finished (ResumePoint::finished), and nothing is left to
/// count.
bool is_finished(const TrajectoryRun& run);

/// Reports a run that was finished before. Throws InputError for options that request
/// more than its result.
ExitCode report_finished(const RdfOptions& options, const TrajectoryRun& run);

/// Warns, in the first of several processes that mpirun or srun has started, that each
/// of them counts separately, unless the arguments contain --part.
void warn_of_copies(const std::vector<std::string>& arguments);

/// Prints to standard error the notes before counting: the run's first frame if it is
/// not the trajectory's, remarks of readers. With --quiet only problems.
void report_start(const RdfOptions& options, TrajectoryRun& run);

/// Counts until the frames end or `stop` is requested, with a progress bar in a
/// terminal. `kept`: the counts that an aborted run leaves, for its message.
RunSummary count_until_stopped(const RdfOptions& options, TrajectoryRun& run,
                               tasks::Runtime& runtime, std::stop_token stop,
                               const std::string& kept);

/// Name of a signal for messages: "SIGTERM".
std::string signal_name(int signal);

/// Reports how many frames a run stopped by a signal has counted, and the command that
/// resumes it.
void report_stop(const RunSummary& summary, const TrajectoryRun& run, int signal,
                 const std::string& go_on);

/// Prints and writes the summaries of a run that has ended.
ExitCode report_end(const RdfOptions& options, const RunSummary& summary);

}  // namespace starhist::driver
