#pragma once

#include <string>
#include <vector>

#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/file_bytes.hh"
#include "tests/support/read_all.hh"
#include "tests/support/temporary_directory.hh"

namespace starhist::testing {

/// A file of some text (or other bytes), removed at the end of its scope.
struct TextTrajectory {
  explicit TextTrajectory(const std::string& text, const std::string& name = "a.txt")
      : path(folder.file(name)) {
    write_bytes(path, text);
  }

  TemporaryDirectory folder;
  std::string path;
};

/// Checks a file of three copies of `frame`, cut off after each byte: whole frames are
/// read, the last also without its newline, with the second species at `expected`, and
/// a message reports the other. The last line must not be valid when it is shorter.
inline void check_truncation_anywhere(const std::string& frame,
                                      const std::vector<double>& expected) {
  const std::string text = frame + frame + frame;
  for (std::size_t size = 1; size < text.size(); ++size) {
    const TextTrajectory file(text.substr(0, size));
    INFO(size << " bytes");
    const std::size_t whole = (size + 1) / frame.size();
    const bool ends_with_frame =
        size % frame.size() == 0 || size + 1 == whole * frame.size();
    if (whole == 0) {
      CHECK(
          missing(error_text<InputError>([&] { io::open_trajectory({file.path}, {}); }),
                  {file.path.c_str()}) == "");
      continue;
    }
    const WholeTrajectory all = read_all({file.path}, {});
    REQUIRE(all.frames.size() == whole);
    CHECK(all.frames.back().positions[1] == expected);
    CHECK(all.info.truncation.size() == (ends_with_frame ? 0 : 1));
    if (!all.info.truncation.empty()) {
      const std::string frame_name = "frame " + std::to_string(whole);
      CHECK(missing(all.info.truncation[0],
                    {file.path.c_str(), frame_name.c_str(), "cut off"}) == "");
    }
  }
}

}  // namespace starhist::testing
