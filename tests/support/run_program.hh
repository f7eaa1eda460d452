#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace starhist::testing {

/// End and output of a program.
struct ProgramRun {
  int exit_code = -1;    ///< -1 if a signal ended it
  int signal = 0;        ///< 0: no signal
  std::string out;       ///< standard output
  std::string err;       ///< standard error
  double seconds = 0.0;  ///< wall time
  /// CPU time of it and of its awaited children, which other programs on the machine
  /// hardly affect.
  double cpu_seconds = 0.0;
  /// Largest resident memory, sampled every millisecond. The value of wait4() would
  /// include the memory of the test program, of which the process was a copy.
  long resident_kib = 0;
};

enum class StandardError {
  file,      ///< not a terminal
  terminal,  ///< a pseudo-terminal of 80 columns
};

struct ProgramSetting {
  /// Additions to the environment of the tests. STARPU_* and STARHIST_* variables of
  /// that environment are not passed on, and STARPU_HOME is a separate folder.
  std::map<std::string, std::string> environment{};
  /// Largest size of a file that the program may write, as with `ulimit -f`.
  std::optional<std::uint64_t> file_size_limit{};
  /// File for standard output; empty: ProgramRun::out.
  std::string standard_output{};
  StandardError standard_error = StandardError::file;
  double timeout_seconds = 180.0;  ///< it is then killed, with `signal` SIGKILL
};

/// A starhist process. Destruction kills it if it still runs.
class RunningProgram {
 public:
  /// Starts the built program (STARHIST_PROGRAM) with these arguments.
  explicit RunningProgram(const std::vector<std::string>& arguments,
                          const ProgramSetting& setting = {});
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  void send_signal(int signal);
  pid_t id() const { return process_; }

  /// Waits for its end, or kills it after the timeout. Only once.
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
