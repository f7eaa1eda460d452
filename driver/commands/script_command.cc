#include "driver/commands/script_command.hh"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <system_error>

#include <unistd.h>

#include "codelets/core/base/error.hh"
#include "io/files/own_program.hh"
#include "io/files/python.hh"

namespace starhist::driver {
namespace {

/// Replaces this process with the Python script `name` and `arguments`. Sets
/// STARHIST_PROGRAM to this program's path. The interpreter is io::chosen_python().
/// Throws InputError if the script or Python is missing.
[[noreturn]] void become_script(const std::string& name,
                                const std::vector<std::string>& arguments) {
  const std::filesystem::path program = io::own_program();
  const std::string python = io::chosen_python("h5py");
  std::vector<std::string> words{python, io::find_script(name, program)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) {
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);

  ::setenv("STARHIST_PROGRAM", program.c_str(), /*overwrite=*/1);
  std::signal(SIGXFSZ, SIG_DFL);  // the script would inherit an ignored signal
  // Python prints a traceback if it is interrupted while it starts: the script unblocks
  // the signal when it can handle it (scripts/user/failures.py).
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  sigprocmask(SIG_BLOCK, &interrupt, nullptr);
  std::cout.flush();
  ::execv(python.c_str(), argv.data());
  throw InputError(python + " cannot be run (" +
                   std::generic_category().message(errno) +
                   "): set STARHIST_PYTHON to another Python");
}

}  // namespace

Command script_command(const std::string& name, const std::string& script,
                       const std::string& summary) {
  const auto run = [script](const std::vector<std::string>& arguments) -> ExitCode {
    become_script(script, arguments);
  };
  return {{.command = name, .summary = summary}, run, script};
}

}  // namespace starhist::driver
