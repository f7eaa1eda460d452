#include "driver/commands/python_script.hh"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <system_error>

#include <unistd.h>

#include "codelets/core/base/error.hh"
#include "io/files/own_program.hh"

namespace starhist::driver {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool can_be_run(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) &&
         ::access(path.c_str(), X_OK) == 0;
}

std::string chosen_python() {
  const std::string named = variable("STARHIST_PYTHON");
  return named.empty() ? find_python("/usr/bin/python3", variable("PATH")) : named;
}

}  // namespace

std::string find_python(const std::string& system_python,
                        const std::string& search_path) {
  if (can_be_run(system_python)) {
    return system_python;
  }
  std::istringstream folders(search_path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path python =
        std::filesystem::path(folder.empty() ? "." : folder) / "python3";
    if (can_be_run(python)) {
      return python.string();
    }
  }
  throw InputError(
      "there is no " + system_python +
      " and no python3 in PATH (this command is a Python script): install python3, "
      "python3-h5py, python3-numpy and python3-matplotlib (Debian, Ubuntu), or name "
      "another Python with STARHIST_PYTHON");
}

std::string find_script(const std::string& name, const std::filesystem::path& program) {
  const std::string named = variable("STARHIST_SCRIPTS");
  std::vector<std::filesystem::path> folders{named};
  if (named.empty()) {
    const std::filesystem::path beside = program.parent_path();
    folders = {beside.parent_path() / "share/starhist/scripts",
               beside / "starhist-scripts"};
  }
  std::string looked;
  for (const std::filesystem::path& folder : folders) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(folder / name, ignored)) {
      return (folder / name).string();
    }
    looked += (looked.empty() ? "'" : " or '") + folder.string() + "'";
  }
  throw InputError("there is no " + name + " in " + looked +
                   " (this command is a Python script): install starhist with its "
                   "scripts (cmake --install), or name their folder with "
                   "STARHIST_SCRIPTS");
}

void become_script(const std::string& name, const std::vector<std::string>& arguments) {
  const std::filesystem::path program = io::own_program();
  const std::string python = chosen_python();
  std::vector<std::string> words{python, find_script(name, program)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) {
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);

  ::setenv("STARHIST_PROGRAM", program.c_str(), /*overwrite=*/1);
  std::signal(SIGXFSZ, SIG_DFL);  // an ignored signal would stay ignored in the script
  std::cout.flush();
  ::execv(python.c_str(), argv.data());
  throw InputError(python + " cannot be run (" +
                   std::generic_category().message(errno) +
                   "): name another Python with STARHIST_PYTHON");
}

}  // namespace starhist::driver
