#include <filesystem>
#include <random>

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "codelets/core/base/error.hh"
#include "io/output/result_writer.hh"
#include "io/result/result_reader.hh"
#include "tests/support/catch.hh"
#include "tests/support/child_process.hh"
#include "tests/support/error_text.hh"
#include "tests/support/sample_result.hh"
#include "tests/support/temporary_directory.hh"

namespace starhist {
namespace {

using testing::ChildEnd;
using testing::ChildProcess;
using testing::missing;
using testing::sample_block;
using testing::sample_layout;

/// Returns the number of blocks in the file; throws for wrong blocks.
std::size_t count_blocks(const std::string& path, const HistogramLayout& layout) {
  const io::ResultFile result = io::read_result(path);
  for (std::size_t b = 0; b < result.blocks.size(); ++b) {
    if (result.blocks[b].counts != sample_block(layout, b).counts) {
      throw std::runtime_error("block " + std::to_string(b) + " is wrong");
    }
  }
  return result.blocks.size();
}

TEST_CASE("a killed run leaves its blocks in .partial and no result") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("out.h5");
  const ChildEnd end = ChildProcess([&](const auto&) {
                         io::ResultWriter writer(path, sample_layout(), {}, false);
                         for (std::uint64_t b = 0; b < 5; ++b) {
                           writer.append(sample_block(sample_layout(), b));
                         }
                         ::kill(::getpid(), SIGKILL);
                       }).wait();
  REQUIRE(end.signal == SIGKILL);
  CHECK_FALSE(std::filesystem::exists(path));
  CHECK(count_blocks(path + ".partial", sample_layout()) == 5);
  CHECK(io::read_result(path + ".partial").state == io::ResultState::partial);

  // The next run with the same output keeps it, unless it may overwrite.
  CHECK_THROWS_AS(io::ResultWriter(path, sample_layout(), {}, false), InputError);
  CHECK(count_blocks(path + ".partial", sample_layout()) == 5);
  io::ResultWriter writer(path, sample_layout(), {}, true);
  writer.append(sample_block(sample_layout(), 0));
  writer.finish({});
  CHECK(count_blocks(path, sample_layout()) == 1);
}

TEST_CASE("a run killed at any moment loses no appended block") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("out.h5");
  std::mt19937 random(20240607);
  std::uniform_int_distribution<long> microseconds(500, 12'000);
  for (int trial = 0; trial < 40; ++trial) {
    ChildProcess child([&](const auto& say) {
      io::ResultWriter writer(path, sample_layout(), {},
                              true);  // replaces the partial file of the last run
      for (std::uint64_t b = 0; b < 60; ++b) {
        writer.append(sample_block(sample_layout(), b));
        say("+");
      }
      ::pause();
    });
    const timespec delay{0, 1000 * microseconds(random)};
    ::nanosleep(&delay, nullptr);
    ::kill(child.id(), SIGKILL);
    const std::size_t appended = child.wait().said.size();
    INFO("trial " << trial << ", " << appended << " blocks appended");
    CHECK_FALSE(std::filesystem::exists(path));
    if (appended > 0) {
      CHECK(count_blocks(path + ".partial", sample_layout()) >= appended);
    }
  }
}

/// Appends blocks until it fails; reports the error, and whether every appended block
/// is readable while the disk is full.
void append_until_full(const std::string& path, const ChildProcess::Say& say) {
  const HistogramLayout layout = sample_layout(5000);
  std::size_t appended = 0;
  std::string problem = "none";
  try {
    io::ResultWriter writer(path, layout, {}, false);
    for (; appended < 1000; ++appended) {
      writer.append(sample_block(layout, appended));
    }
  } catch (const RunError& error) {
    problem = error.what();
  }
  const bool all_there =
      appended > 0 && count_blocks(path + ".partial", layout) == appended;
  say(problem + (all_there ? " [all there]" : " [lost]") +
      (std::filesystem::exists(path) ? " [result]" : " [no result]"));
}

TEST_CASE("a full disk is a RunError and costs no appended block") {
  const testing::TemporaryDirectory folder;
  std::filesystem::create_directory(folder.file("disk"));
  const std::string path = folder.file("disk/out.h5");
  const ChildEnd end =
      ChildProcess([&](const auto& say) {
        // In a separate mount namespace, which ends with the child.
        if (::unshare(::geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS) !=
                0 ||
            ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
            ::mount("tmpfs", folder.file("disk").c_str(), "tmpfs", 0, "size=800k") !=
                0) {
          say("no mount");
          return;
        }
        append_until_full(path, say);
      }).wait();
  REQUIRE(end.signal == 0);
  if (end.said == "no mount") {
    WARN("SKIPPED: a small disk cannot be mounted here");
    return;
  }
  CHECK(missing(end.said, {path.c_str(), "No space left on device", "[all there]",
                           "[no result]"}) == "");
}

TEST_CASE("a file size limit is a RunError and costs no block") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("out.h5");
  const ChildEnd end = ChildProcess([&](const auto& say) {
                         ::signal(SIGXFSZ, SIG_IGN);
                         const rlimit limit{800'000, 800'000};
                         ::setrlimit(RLIMIT_FSIZE, &limit);
                         append_until_full(path, say);
                       }).wait();
  REQUIRE(end.signal == 0);
  CHECK(missing(end.said,
                {path.c_str(), "File too large", "[all there]", "[no result]"}) == "");
}

/// Returns the descriptors through which this process writes the file.
std::vector<int> descriptors_of(const std::string& path) {
  std::vector<int> descriptors;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code ignored;
    if (std::filesystem::read_symlink(entry.path(), ignored) == path) {
      descriptors.push_back(std::stoi(entry.path().filename().string()));
    }
  }
  return descriptors;
}

TEST_CASE("a failed write below HDF5 is a RunError and costs no block") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("out.h5");
  const std::string partial =
      std::filesystem::canonical(folder.file("")) / "out.h5.partial";
  const ChildEnd end =
      ChildProcess([&](const auto& say) {
        {
          io::ResultWriter writer(path, sample_layout(), {}, false);
          writer.append(sample_block(sample_layout(), 0));
          writer.append(sample_block(sample_layout(), 1));
          const std::vector<int> writing = descriptors_of(partial);
          const int read_only = ::open(partial.c_str(), O_RDONLY);
          for (const int descriptor : writing) {
            ::dup2(read_only, descriptor);
          }
          ::close(read_only);
          say(testing::error_text<RunError>(
              [&] { writer.append(sample_block(sample_layout(), 2)); }));
          say(testing::error_text<InternalError>([&] { writer.finish({}); }));
        }
        say(" [" + std::to_string(count_blocks(partial, sample_layout())) + " blocks]");
      }).wait();
  REQUIRE(end.signal == 0);
  CHECK(missing(end.said, {"out.h5.partial", "is closed", "[2 blocks]"}) == "");
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("a read-only directory is refused before any work") {
  const testing::TemporaryDirectory folder;
  const std::string directory = folder.file("");
  ::chmod(directory.c_str(), 0555);
  const ChildEnd end =
      ChildProcess([&](const auto& say) {
        constexpr uid_t nobody = 65534;
        if (::geteuid() == 0 && ::setuid(nobody) != 0) {
          say("cannot become nobody");
          return;
        }
        say(testing::error_text<InputError>([&] {
          io::ResultWriter writer(folder.file("out.h5"), sample_layout(), {}, false);
        }));
      }).wait();
  ::chmod(directory.c_str(), 0755);
  CHECK(missing(end.said, {folder.file("out.h5").c_str(), "not writable"}) == "");
}

}  // namespace
}  // namespace starhist
