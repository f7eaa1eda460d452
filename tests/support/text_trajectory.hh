#pragma once

#include <string>

#include "tests/support/file_bytes.hh"
#include "tests/support/temporary_directory.hh"

namespace starhist::testing {

/// A file of some text (or other bytes), gone at the end of its scope.
struct TextTrajectory {
  explicit TextTrajectory(const std::string& text, const std::string& name = "a.txt")
      : path(folder.file(name)) {
    write_bytes(path, text);
  }

  TemporaryDirectory folder;
  std::string path;
};

}  // namespace starhist::testing
