#pragma once

#include <functional>
#include <string>
#include <vector>

#include "driver/options/manual.hh"

namespace starhist::driver {

/// Exit codes of the program.
enum class ExitCode {
  done = 0,
  bad_input = 1,        ///< InputError
  failure = 2,          ///< RunError, InternalError, any other exception
  frames_left_out = 3,  ///< finished, but unusable frames were left out
  stopped = 4           ///< stopped by a signal; earlier counts are kept
};

/// A sub-command of the program.
struct Command {
  Manual manual;
  /// Runs the command with the arguments after its name. Throws InputError, RunError
  /// and InternalError.
  std::function<ExitCode(const std::vector<std::string>& arguments)> run;
  /// File name of the Python script that implements the command and defines its
  /// options; "": the program implements it, and `manual` has the options.
  std::string script{};
};

/// All commands, in the order of `starhist help`.
const std::vector<Command>& commands();

/// The command with this name. Throws InputError if it does not exist.
const Command& find_command(const std::string& name);

// Command::run of each command.
ExitCode run_rdf(const std::vector<std::string>& arguments);
ExitCode run_vanhove(const std::vector<std::string>& arguments);
ExitCode run_coordination(const std::vector<std::string>& arguments);
ExitCode run_info(const std::vector<std::string>& arguments);
ExitCode run_convert(const std::vector<std::string>& arguments);
ExitCode run_merge(const std::vector<std::string>& arguments);
ExitCode run_verify(const std::vector<std::string>& arguments);
ExitCode run_cadishi(const std::vector<std::string>& arguments);
ExitCode run_export(const std::vector<std::string>& arguments);
ExitCode run_analyze(const std::vector<std::string>& arguments);
ExitCode run_calibrate(const std::vector<std::string>& arguments);
ExitCode run_bench(const std::vector<std::string>& arguments);
ExitCode run_simulate(const std::vector<std::string>& arguments);
ExitCode run_selftest(const std::vector<std::string>& arguments);
ExitCode run_help(const std::vector<std::string>& arguments);
ExitCode run_version(const std::vector<std::string>& arguments);

// Command::manual of each command; the manuals of rdf, vanhove and coordination are in
// driver/options/.
Manual info_manual();
Manual convert_manual();
Manual merge_manual();
Manual verify_manual();
Manual cadishi_manual();
Manual export_manual();
Manual analyze_manual();
Manual calibrate_manual();
Manual bench_manual();
Manual selftest_manual();
Manual simulate_manual();
Manual help_manual();
Manual version_manual();

/// Makes the process keep the memory of freed frames: requesting pages from the system
/// again would take longer than reading a frame.
void keep_freed_memory() noexcept;

/// Runs the program with its arguments: finds and runs the command. Prints exceptions
/// to standard error and returns their exit code.
ExitCode run_program(const std::vector<std::string>& arguments);
/// Calls `run` in place of finding and running the command.
ExitCode run_program(
    const std::vector<std::string>& arguments,
    const std::function<ExitCode(const std::vector<std::string>&)>& run);

/// Takes the words of the command line; the first is the program's name. Reports it if
/// memory is too short even for an error message.
ExitCode run_program(int count, const char* const* words) noexcept;

}  // namespace starhist::driver
