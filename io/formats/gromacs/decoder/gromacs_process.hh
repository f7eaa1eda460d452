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
  Reply ask(Request kind, const std::string& head, std::string_view rest = {});
  std::string_view content() const { return content_; }

  /// What was written to standard error since the last request, in one line.
  std::string remarks() const;

 private:
  void start(const std::string& program);
  /// `problem`: errno, 0 where it has ended.
  [[noreturn]] void fail(int problem);

  std::string folder_;  ///< where it has its names of files
  int socket_ = -1;
  int said_ = -1;  ///< its standard output and error
  pid_t process_ = -1;
  std::string content_;
};

}  // namespace starhist::io::gromacs
