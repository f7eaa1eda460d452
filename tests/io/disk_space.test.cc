#include "io/files/disk_space.hh"

#include <filesystem>
#include <fstream>

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/child_process.hh"
#include "tests/support/error_text.hh"
#include "tests/support/temporary_directory.hh"

namespace starhist {
namespace {

using testing::missing;

std::string make_file(const std::string& path) {
  std::ofstream(path) << "12345678";
  return path;
}

std::uint64_t disk_bytes(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return static_cast<std::uint64_t>(status.st_blocks) * 512;
}

TEST_CASE("reserved space changes neither size nor content, and can be released") {
  const testing::TemporaryDirectory folder;
  const std::string path = make_file(folder.file("out"));
  io::reserve_growth(path, 1'000'000);
  CHECK(std::filesystem::file_size(path) == 8);
  io::release_reserve(path);
  CHECK(std::filesystem::file_size(path) == 8);
  CHECK(disk_bytes(path) < 100'000);
}

TEST_CASE("space that no disk has is a RunError with the path") {
  const testing::TemporaryDirectory folder;
  const std::string path = make_file(folder.file("out"));
  CHECK(missing(testing::error_text<RunError>(
                    [&] { io::reserve_growth(path, 1ULL << 60U); }),
                {path.c_str(), "1 152 921 504 606 846 976 bytes"}) == "");
  CHECK(std::filesystem::file_size(path) == 8);
}

TEST_CASE("a file that was removed is a RunError") {
  CHECK(missing(testing::error_text<RunError>(
                    [] { io::reserve_growth("/nowhere/out", 1); }),
                {"/nowhere/out", "No such file"}) == "");
}

TEST_CASE("space is tested by writing if the file system cannot reserve it") {
  const testing::TemporaryDirectory folder;
  const auto end =
      testing::ChildProcess([&](const auto& say) {
        if (::unshare(CLONE_NEWNS) != 0 ||
            ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
            ::mount("ramfs", folder.file("").c_str(), "ramfs", 0, nullptr) != 0) {
          say("no mount");
          return;
        }
        const std::string path = make_file(folder.file("out"));
        io::reserve_growth(path, 1'000'000);
        std::string content;
        std::ifstream(path) >> content;
        say(content);
      }).wait();
  if (end.said == "no mount") {
    WARN("SKIPPED: ramfs cannot be mounted here");
    return;
  }
  CHECK(end.said == "12345678");
}

}  // namespace
}  // namespace starhist
