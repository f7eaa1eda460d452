#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "io/decoder/protocol.hh"

namespace starhist::io::decoder {

/// A program that reads files with another project's library.
struct Program {
  /// The program and its arguments. The path of an empty folder, for temporary file
  /// names, is appended.
  std::vector<std::string> command;
  std::string name;     ///< "starhist-gromacs"
  std::string library;  ///< "libgromacs"
  /// CPU time allowed per request, without the time for its bytes
  double most_seconds = 3.0;
  double seconds_per_byte = 1e-7;
  int stopped_seconds = 10;  ///< that it may be stopped, as by SIGSTOP
};

/// A running decoder program.
///
/// Libraries may exit on a bad file, print remarks to standard error, or write out of
/// bounds. A separate process confines that: starhist gets an InputError with the last
/// remark. A process that is stopped, as by SIGSTOP, for stopped_seconds is killed.
class Process {
 public:
  /// Starts the program. Throws RunError.
  explicit Process(Program program);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Sends a request and returns its reply, whose content is valid until the next call.
  /// Throws InputError with the reason if the library gave up; the process is unusable
  /// afterwards. Throws RunError if it was killed or stopped. `source_bytes`: size of
  /// the file that the process reads, in addition to `rest`. The process is killed when
  /// its CPU time exceeds most_seconds plus seconds_per_byte times all these bytes.
  Reply ask(Request kind, const std::string& head, std::string_view rest = {},
            std::uint64_t source_bytes = 0);
  std::string_view content() const { return content_; }

  /// Returns the text written to standard error since the last request, as one line.
  std::string remarks() const;

 private:
  void start();
  /// State of one request.
  struct Waiting {
    double most_computing;  ///< CPU time of the process at which it is killed [s]
    int intervals = 0;      ///< time-outs of the socket so far
    int stopped = 0;        ///< of these the last ones in which the process was stopped
  };
  /// Kills a process that has computed, waited or been stopped for too long, and
  /// throws.
  void check_progress(Waiting& waiting);
  /// Throws the error for `problem`: an errno, or 0 if the process has exited.
  [[noreturn]] void fail(int problem);

  Program program_;
  std::string folder_;  ///< temporary folder for its file names
  int socket_ = -1;
  int said_ = -1;  ///< memory file with its standard output and error
  pid_t process_ = -1;
  std::string content_;
};

/// Extracts, from the output of a library's process, the reason why it gave up, as one
/// line of ASCII: the paragraph below "Fatal error:" or the like, otherwise the last
/// line; "" for an empty output. Paths in `folder` become "the file".
std::string reason_in(std::string_view text, const std::string& folder);

}  // namespace starhist::io::decoder
