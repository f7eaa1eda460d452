#include "io/files/file_fingerprints.hh"

#include <filesystem>
#include <fstream>

#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/temporary_directory.hh"

namespace starhist {
namespace {

TEST_CASE("files that were replaced, changed or removed are detected") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("a");
  const std::string other = folder.file("b");
  std::ofstream(path) << "frames";
  std::ofstream(other) << "framed";
  std::filesystem::last_write_time(other, std::filesystem::last_write_time(path));
  const io::FileFingerprints states({other, path});
  states.check();
  const auto problem = [&] {
    return testing::error_text<InputError>([&] { states.check(); });
  };
  SECTION("longer") {
    std::ofstream(path, std::ios::app) << "more";
  }
  SECTION("same size, other time") {
    std::filesystem::last_write_time(
        path, std::filesystem::last_write_time(path) + std::chrono::microseconds(1));
  }
  SECTION("another file of the same size and time") {
    const auto time = std::filesystem::last_write_time(path);
    std::ofstream(folder.file("c")) << "frauds";
    std::filesystem::rename(folder.file("c"), path);
    std::filesystem::last_write_time(path, time);
  }
  SECTION("removed") {
    std::filesystem::remove(path);
  }
  CHECK(problem() == path + ": has changed since it was opened");
}

}  // namespace
}  // namespace starhist
