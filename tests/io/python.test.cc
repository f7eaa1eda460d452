#include "io/files/python.hh"

#include <fstream>

#include <stdlib.h>

#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/temporary_directory.hh"

namespace starhist {
namespace {

using testing::error_text;
using testing::missing;
namespace fs = std::filesystem;

/// Creates a file, executable or not.
void make_script(const fs::path& path, bool executable) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << "#!/bin/sh\n";
  fs::permissions(path, executable ? fs::perms::owner_all
                                   : fs::perms::owner_read | fs::perms::owner_write);
}

/// The result does not depend on whether the other tests' package is installed.
std::string found_python(const std::string& system, const std::string& path) {
  return io::find_python(system, path, "MDAnalysis");
}

TEST_CASE("Python of an environment with the package is preferred to the system's") {
  const testing::TemporaryDirectory folder;
  const std::string system = folder.file("usr/bin/python3");
  const std::string python = folder.file("venv/bin/python3");
  make_script(system, true);
  make_script(python, true);
  const std::string path = folder.file("usr/bin") + ":" + folder.file("venv/bin");
  CHECK(found_python(system, path) == system);
  fs::create_directories(folder.file("venv/lib/python3.11/site-packages/h5py"));
  CHECK(found_python(system, path) == system);
  fs::create_directories(folder.file("venv/lib/python3.11/site-packages/MDAnalysis"));
  CHECK(found_python(system, path) == python);
}

TEST_CASE("Python in a relative folder is ignored") {
  const testing::TemporaryDirectory folder;
  make_script(folder.file("bin/python3"), true);
  make_script(folder.file("python3"), true);
  fs::create_directories(folder.file("lib/python3.11/site-packages/MDAnalysis"));
  const fs::path before = fs::current_path();
  fs::current_path(folder.file(""));
  const std::string text = error_text<InputError>(
      [&] { found_python(folder.file("none"), ":bin:./bin:."); });
  fs::current_path(before);
  CHECK(missing(text, {"nor a python3 in PATH"}) == "");
}

TEST_CASE("a STARHIST_PYTHON that is not a program is reported") {
  setenv("STARHIST_PYTHON", "/nonexist", 1);
  const std::string text =
      error_text<InputError>([] { io::chosen_python("MDAnalysis"); });
  unsetenv("STARHIST_PYTHON");
  CHECK(missing(text, {"STARHIST_PYTHON", "'/nonexist'", "not a program"}) == "");
}

TEST_CASE("Python is the system's, otherwise the first in the search path") {
  const testing::TemporaryDirectory folder;
  const std::string system = folder.file("usr/bin/python3");
  const std::string plain = folder.file("plain/python3");
  const std::string other = folder.file("other/python3");
  make_script(plain, false);
  make_script(other, true);
  const std::string path =
      folder.file("empty") + "::" + folder.file("plain") + ":" + folder.file("other");
  CHECK(found_python(system, path) == other);
  make_script(system, true);
  CHECK(found_python(system, path) == system);
}

TEST_CASE("without Python the message names its packages") {
  const testing::TemporaryDirectory folder;
  const std::string text = error_text<InputError>(
      [&] { found_python(folder.file("python3"), folder.file("empty")); });
  CHECK(missing(text, {"nor a python3 in PATH", "install python3, python3-h5py",
                       "python3-numpy", "python3-matplotlib", "STARHIST_PYTHON"}) ==
        "");
}

TEST_CASE("scripts are found in the installation and in a build folder") {
  const testing::TemporaryDirectory folder;
  const fs::path program = folder.file("prefix/bin/starhist");
  const std::string text =
      error_text<InputError>([&] { io::find_script("plot_rdf.py", program); });
  CHECK(missing(text, {"plot_rdf.py was not found", "prefix/share/starhist/scripts'",
                       "bin/starhist-scripts'", "STARHIST_SCRIPTS"}) == "");
  const std::string built = folder.file("prefix/bin/starhist-scripts/plot_rdf.py");
  make_script(built, false);
  CHECK(io::find_script("plot_rdf.py", program) == built);
  const std::string installed =
      folder.file("prefix/share/starhist/scripts/plot_rdf.py");
  make_script(installed, false);
  CHECK(io::find_script("plot_rdf.py", program) == installed);
}

}  // namespace
}  // namespace starhist
