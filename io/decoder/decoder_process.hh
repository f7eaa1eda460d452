#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "io/decoder/protocol.hh"

namespace starhist::io::decoder {

/// A program that reads files with a library of others.
struct Program {
  /// The program and its arguments. The path of an empty folder is added to them, for
  /// names of files.
  std::vector<std::string> command;
  std::string name;           ///< "starhist-gromacs"
  std::string library;        ///< "libgromacs"
  double most_seconds = 3.0;  ///< that it may compute for a request
  double seconds_per_byte = 1e-7;
};

/// A process of such a program.
///
/// Libraries end their process when they do not like a file, write remarks to its
/// standard error, and some write past their memory. In a process of its own they may:
/// here that is an InputError, with what was said last.
class Process {
 public:
  /// Starts it. Throws RunError.
  explicit Process(Program program);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Sends a request and takes its reply, whose content is good until the next one.
  /// Throws InputError with the reason where the library gave up; nothing can be asked
  /// after that.
  /// `source_bytes`: size of the file that it reads, beside `rest`. The process may
  /// compute for most_seconds and seconds_per_byte of all that, then it is ended.
  Reply ask(Request kind, const std::string& head, std::string_view rest = {},
            std::uint64_t source_bytes = 0);
  std::string_view content() const { return content_; }

  /// What was written to standard error since the last request, in one line.
  std::string remarks() const;

 private:
  void start();
  /// Waits for the reply. Kills the process when it has computed for too long.
  void wait_for_reply(std::uint64_t source_bytes);
  /// `problem`: errno, 0 where it has ended.
  [[noreturn]] void fail(int problem);

  Program program_;
  std::string folder_;  ///< where it has its names of files
  int socket_ = -1;
  int said_ = -1;  ///< its standard output and error
  pid_t process_ = -1;
  std::string content_;
};

}  // namespace starhist::io::decoder
