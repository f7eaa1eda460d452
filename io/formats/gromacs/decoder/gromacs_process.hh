#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "io/formats/gromacs/decoder/gromacs_protocol.hh"

namespace starhist::io::gromacs {

/// The program that has libgromacs, beside this one or where it is installed; "" where
/// it was not built.
std::string program_path();

/// Throws InputError "PATH: is WHAT, ..." where starhist was built without libgromacs.
void check_built(const std::string& path, const std::string& what);

/// A starhist-gromacs process.
///
/// libgromacs ends its process when it does not like a file, writes remarks to its
/// standard error, and its decoder of XTC trusts what it reads. In a process of its own
/// it may: here that is an InputError, with what it said last.
class Process {
 public:
  /// Starts it. Throws RunError.
  Process();
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Sends a request and takes its reply, whose content is good until the next one.
  /// Throws InputError with the reason where libgromacs gave up; nothing can be asked
  /// after that.
  /// `source_bytes`: size of the file that it reads, beside `rest`. The process may
  /// compute for most_seconds and seconds_per_byte of all that, then it is ended.
  Reply ask(Request kind, const std::string& head, std::string_view rest = {},
            std::uint64_t source_bytes = 0);
  static constexpr double most_seconds = 3.0;  ///< a frame takes milliseconds
  static constexpr double seconds_per_byte = 1e-7;
  std::string_view content() const { return content_; }

  /// What was written to standard error since the last request, in one line.
  std::string remarks() const;

 private:
  void start(const std::string& program);
  /// Waits for the reply. Kills the process when it has computed for too long.
  void wait_for_reply(std::uint64_t source_bytes);
  /// `problem`: errno, 0 where it has ended.
  [[noreturn]] void fail(int problem);

  std::string folder_;  ///< where it has its names of files
  int socket_ = -1;
  int said_ = -1;  ///< its standard output and error
  pid_t process_ = -1;
  std::string content_;
};

}  // namespace starhist::io::gromacs
