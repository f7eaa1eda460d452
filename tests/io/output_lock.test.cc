#include "io/output/output_lock.hh"

#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codelets/core/base/error.hh"
#include "io/files/descriptor.hh"
#include "io/output/output_path.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/file_bytes.hh"
#include "tests/support/temporary_directory.hh"

// One run per output: the lock, and the check that the renamed file belongs to the run.

namespace starhist {
namespace {

namespace fs = std::filesystem;
using io::OutputLock;
using io::OutputPath;
using io::Overwrite;
using testing::error_text;
using testing::missing;

void write(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

TEST_CASE("an output has one holder, which is named and leaves no file") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("out.h5");
  CHECK_FALSE(io::holder_of_output(path));
  {
    const OutputLock lock(path);
    const std::string me = "process " + std::to_string(::getpid());
    CHECK(missing(io::holder_of_output(path).value_or(""),
                  {"host", me.c_str(), "since"}) == "");
    CHECK(missing(error_text<InputError>([&] { const OutputLock other(path); }),
                  {path.c_str(), "another run", me.c_str(), "wait"}) == "");
    CHECK_NOTHROW(OutputLock(folder.file("other.h5")));
  }
  CHECK_FALSE(io::holder_of_output(path));
  CHECK(fs::is_empty(fs::path(path).parent_path()));
}

TEST_CASE("the lock of a killed process is free") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("out.h5");
  const pid_t child = ::fork();
  if (child == 0) {
    const OutputLock lock(path);
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  REQUIRE(WIFSIGNALED(status));
  REQUIRE(fs::exists(path + ".lock"));
  CHECK_FALSE(io::holder_of_output(path));
  CHECK_NOTHROW(OutputLock(path));
  CHECK_FALSE(fs::exists(path + ".lock"));
}

TEST_CASE("an obstacle to the lock is reported") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("out.h5");
  REQUIRE(::mkfifo((path + ".lock").c_str(), 0600) == 0);
  CHECK(missing(error_text<InputError>([&] { const OutputLock lock(path); }),
                {(path + ".lock").c_str(), "regular file"}) == "");
  fs::remove(path + ".lock");
  fs::create_symlink(folder.file("elsewhere"), path + ".lock");
  CHECK(missing(error_text<InputError>([&] { const OutputLock lock(path); }),
                {(path + ".lock").c_str(), "cannot be opened"}) == "");
  CHECK_FALSE(fs::exists(folder.file("elsewhere")));
}

TEST_CASE("a partial file locked by another program is not replaced") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("out.h5");
  const std::string partial = path + ".partial";
  write(partial, "another's");
  {
    const io::Descriptor held(partial, O_RDWR);
    REQUIRE(::flock(held.get(), LOCK_EX) == 0);
    CHECK(missing(error_text<InputError>(
                      [&] { const OutputPath output(path, Overwrite::yes); }),
                  {partial.c_str(), "another process", "wait for it"}) == "");
    CHECK(testing::read_bytes(partial) == "another's");
  }
  CHECK_NOTHROW(OutputPath(path, Overwrite::yes));
}

TEST_CASE("a partial file replaced by another program is not published") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("out.h5");
  {
    const OutputPath output(path, Overwrite::no);
    write(output.partial(), "ours");
    fs::rename(output.partial(), folder.file("away"));
    write(output.partial(), "foreign");
    CHECK(missing(error_text<RunError>([&] { output.publish(); }),
                  {output.partial().c_str(), "created", "run again"}) == "");
    CHECK_FALSE(fs::exists(path));
    output.remove();
    CHECK(fs::exists(output.partial()));
    fs::rename(folder.file("away"), output.partial());
    output.publish();
  }
  CHECK(testing::read_bytes(path) == "ours");
  CHECK_FALSE(fs::exists(path + ".lock"));
}

TEST_CASE("an empty output is removed") {
  const testing::TemporaryDirectory folder;
  { const OutputPath output(folder.file("out.h5"), Overwrite::no); }
  CHECK(fs::is_empty(fs::path(folder.file("out.h5")).parent_path()));
}

TEST_CASE("when overwriting, a symbolic link stands for its target") {
  const testing::TemporaryDirectory folder;
  const std::string link = folder.file("link.h5");
  fs::create_directory(folder.file("sub"));
  const std::string target = folder.file("sub/target.h5");
  fs::create_symlink("sub/target.h5", link);
  CHECK(missing(
            error_text<InputError>([&] { const OutputPath path(link, Overwrite::no); }),
            {link.c_str(), "exists"}) == "");
  {
    const OutputPath output(link, Overwrite::yes);
    const OutputPath* const by_link = &output;
    CHECK(by_link->partial() == target + ".partial");
    CHECK(missing(error_text<InputError>(
                      [&] { const OutputPath other(target, Overwrite::yes); }),
                  {target.c_str(), "another run"}) == "");
    write(output.partial(), "new");
    output.publish();
  }
  CHECK(fs::is_symlink(link));
  CHECK(testing::read_bytes(target) == "new");

  const std::string circle = folder.file("circle.h5");
  fs::create_symlink(circle, circle);
  CHECK(missing(error_text<InputError>(
                    [&] { const OutputPath path(circle, Overwrite::yes); }),
                {circle.c_str(), "symbolic link"}) == "");
}

TEST_CASE("a name that is too long for its suffix is refused") {
  const testing::TemporaryDirectory folder;
  CHECK(missing(error_text<InputError>([&] {
                  const OutputPath path(folder.file(std::string(244, 'x')),
                                        Overwrite::no);
                }),
                {"244 bytes", "too long by 1", ".partial"}) == "");
  CHECK_NOTHROW(OutputPath(folder.file(std::string(243, 'x')), Overwrite::no));
}

}  // namespace
}  // namespace starhist
