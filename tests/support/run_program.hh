#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace starhist::testing {

/// How a program that ran has ended, and what it left.
struct ProgramRun {
  int exit_code = -1;    ///< -1 if a signal ended it
  int signal = 0;        ///< 0 if none did
  std::string out;       ///< standard output
  std::string err;       ///< standard error
  double seconds = 0.0;  ///< wall time
  /// CPU time of it and of the processes that it waited for, which other programs on
  /// the machine hardly change.
  double cpu_seconds = 0.0;
  /// Largest resident memory, looked at every millisecond. What wait4() tells instead
  /// has the memory of the test program in it, of which the process was a copy.
  long resident_kib = 0;
};

enum class StandardError {
  file,      ///< not a terminal
  terminal,  ///< a pseudo-terminal of 80 columns
};

struct ProgramSetting {
  /// Added to the environment of the tests. STARPU_* and STARHIST_* variables of that
  /// environment are not passed on, and STARPU_HOME is a folder of the test's own.
  std::map<std::string, std::string> environment{};
  /// Largest size of a file that the program may write, as `ulimit -f` sets it.
  std::optional<std::uint64_t> file_size_limit{};
  /// A file that standard output goes to; empty: ProgramRun::out.
  std::string standard_output{};
  StandardError standard_error = StandardError::file;
  double timeout_seconds = 180.0;  ///< it is killed then, with `signal` SIGKILL
};

/// A starhist process. Destruction kills it if it still runs.
class RunningProgram {
 public:
  /// Starts the program that was built (STARHIST_PROGRAM) with these arguments.
  explicit RunningProgram(const std::vector<std::string>& arguments,
                          const ProgramSetting& setting = {});
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  void send_signal(int signal);
  pid_t id() const { return process_; }

  /// Waits for its end, or kills it when the time is over. Once only.
  ProgramRun wait();

 private:
  bool has_ended();
  void read_terminal();
  void look_at_memory();

  ProgramSetting setting_;
  ProgramRun run_;
  pid_t process_ = -1;
  int out_ = -1;
  int err_ = -1;  // a file, or our end of the terminal
  double start_ = 0.0;
};

/// Runs the program to its end.
ProgramRun run_program(const std::vector<std::string>& arguments,
                       const ProgramSetting& setting = {});

}  // namespace starhist::testing
