#pragma once

#include <csignal>
#include <functional>
#include <stdexcept>
#include <string>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/support/child_process.hh"
#include "tests/support/file_bytes.hh"
#include "tests/support/temporary_directory.hh"

namespace starhist::testing {

/// Runs `action` in a child. Returns its output to stderr if it aborted; "" if it
/// returned. Throws for any other end.
inline std::string broken_contract(const std::function<void()>& action) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("stderr");
  ChildProcess child([&](const ChildProcess::Say&) {
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    std::signal(SIGABRT, SIG_DFL);  // Catch2 has a handler
    if (::dup2(::open(path.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO) < 0) {
      throw std::runtime_error("stderr cannot be redirected");
    }
    action();
  });
  const ChildEnd end = child.wait();
  if (end.signal == SIGABRT) {
    return read_bytes(path);
  }
  if (end.signal != 0 || end.exit_status != 0) {
    throw std::runtime_error("the child ended by signal " + std::to_string(end.signal) +
                             ", status " + std::to_string(end.exit_status) + ": " +
                             end.said);
  }
  return "";
}

}  // namespace starhist::testing
