#pragma once

#include <string>
#include <vector>

namespace starhist::driver {

/// Exit codes of the program.
enum class ExitCode { done = 0, bad_input = 1, failure = 2, frames_left_out = 3 };

/// A sub-command of the program.
struct Command {
  std::string name;
  std::string summary;  ///< one line for `starhist --help`
  /// Runs with the arguments after the name. Throws InputError, RunError.
  ExitCode (*run)(const std::vector<std::string>& arguments);
};

const std::vector<Command>& commands();

ExitCode run_rdf(const std::vector<std::string>& arguments);
ExitCode run_info(const std::vector<std::string>& arguments);
ExitCode run_convert(const std::vector<std::string>& arguments);
ExitCode run_merge(const std::vector<std::string>& arguments);
ExitCode run_export(const std::vector<std::string>& arguments);
ExitCode run_analyze(const std::vector<std::string>& arguments);
ExitCode run_calibrate(const std::vector<std::string>& arguments);
ExitCode run_bench(const std::vector<std::string>& arguments);
ExitCode run_selftest(const std::vector<std::string>& arguments);

/// Runs the program: finds the command, prints errors to standard error.
ExitCode run_program(const std::vector<std::string>& arguments);

}  // namespace starhist::driver
