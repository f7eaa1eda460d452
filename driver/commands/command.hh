#pragma once

#include <functional>
#include <string>
#include <vector>

#include "driver/options/manual.hh"

namespace starhist::driver {

/// Exit codes of the program.
enum class ExitCode { done = 0, bad_input = 1, failure = 2, frames_left_out = 3 };

/// A sub-command of the program.
struct Command {
  Manual manual;
  /// Runs with the arguments after the name. Throws InputError, RunError.
  std::function<ExitCode(const std::vector<std::string>& arguments)> run;
  /// File name of the Python script that this command is, which has its options; "":
  /// the command is in the program, and its options are in `manual`.
  std::string script{};
};

/// All commands, in the order of `starhist help`.
const std::vector<Command>& commands();

/// The command with that name. Throws InputError.
const Command& find_command(const std::string& name);

ExitCode run_rdf(const std::vector<std::string>& arguments);
ExitCode run_info(const std::vector<std::string>& arguments);
ExitCode run_convert(const std::vector<std::string>& arguments);
ExitCode run_merge(const std::vector<std::string>& arguments);
ExitCode run_export(const std::vector<std::string>& arguments);
ExitCode run_analyze(const std::vector<std::string>& arguments);
ExitCode run_calibrate(const std::vector<std::string>& arguments);
ExitCode run_bench(const std::vector<std::string>& arguments);
ExitCode run_selftest(const std::vector<std::string>& arguments);
ExitCode run_help(const std::vector<std::string>& arguments);
ExitCode run_version(const std::vector<std::string>& arguments);

// That of rdf is in driver/options/rdf_options.hh.
Manual info_manual();
Manual convert_manual();
Manual merge_manual();
Manual export_manual();
Manual analyze_manual();
Manual calibrate_manual();
Manual bench_manual();
Manual selftest_manual();
Manual help_manual();
Manual version_manual();

/// Runs the program: finds the command, prints errors to standard error.
ExitCode run_program(const std::vector<std::string>& arguments);

}  // namespace starhist::driver
