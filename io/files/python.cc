#include "io/files/python.hh"

#include <cstdlib>
#include <sstream>
#include <system_error>
#include <vector>

#include <unistd.h>

#include "codelets/core/base/error.hh"

namespace starhist::io {
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

/// Returns the python3 programs in the folders of `search_path`, in order.
std::vector<std::filesystem::path> pythons_in(const std::string& search_path) {
  std::vector<std::filesystem::path> found;
  std::istringstream folders(search_path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path python = std::filesystem::path(folder) / "python3";
    if (python.is_absolute() && can_be_run(python)) {
      found.push_back(python);
    }
  }
  return found;
}

/// Whether `package` is installed in the environment PREFIX of PREFIX/bin/python3.
bool has_package(const std::filesystem::path& python, const std::string& package) {
  std::error_code ignored;
  const std::filesystem::path libraries = python.parent_path().parent_path() / "lib";
  std::filesystem::directory_iterator entry(libraries, ignored);
  for (; !ignored && entry != std::filesystem::directory_iterator();
       entry.increment(ignored)) {
    std::error_code absent;
    if (entry->path().filename().string().starts_with("python3") &&
        std::filesystem::is_directory(entry->path() / "site-packages" / package,
                                      absent)) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string find_python(const std::string& system_python,
                        const std::string& search_path, const std::string& package) {
  const std::vector<std::filesystem::path> others = pythons_in(search_path);
  for (const std::filesystem::path& python : others) {
    if (has_package(python, package)) {
      return python.string();
    }
  }
  if (can_be_run(system_python)) {
    return system_python;
  }
  if (!others.empty()) {
    return others.front().string();
  }
  throw InputError(
      "neither " + system_python +
      " nor a python3 in PATH was found to run starhist's scripts: install python3, "
      "python3-h5py, python3-numpy and python3-matplotlib (Debian, Ubuntu), or "
      "set STARHIST_PYTHON to another Python");
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
  throw InputError(
      name + " was not found in " + looked +
      ", the folders of starhist's scripts: install starhist with its "
      "scripts (cmake --install), or set STARHIST_SCRIPTS to their folder");
}

std::string chosen_python(const std::string& package) {
  std::string named = variable("STARHIST_PYTHON");
  if (named.empty()) {
    return find_python("/usr/bin/python3", variable("PATH"), package);
  }
  if (!can_be_run(named)) {
    throw InputError(
        "the variable STARHIST_PYTHON names '" + named +
        "', which is not a program (give the path of a python3, or unset it)");
  }
  return named;
}

}  // namespace starhist::io
