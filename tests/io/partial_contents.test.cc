#include <ctime>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>

#include "codelets/core/base/error.hh"
#include "io/output/output_path.hh"
#include "io/output/result_writer.hh"
#include "io/result/result_reader.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/file_bytes.hh"
#include "tests/support/sample_result.hh"
#include "tests/support/temporary_directory.hh"

// PATH.partial of an earlier run, and its description in the next run's message.

namespace starhist::testing {
namespace {

std::string refusal_of_partial(const std::string& path, bool overwrite = false) {
  return error_text<InputError>(
      [&] { io::ResultWriter(path, sample_layout(), {}, overwrite); });
}

TEST_CASE("the partial file of an earlier run is kept, and the message describes it") {
  const TemporaryDirectory folder;
  const std::string path = folder.file("out.h5");
  const std::string partial = path + ".partial";
  const HistogramLayout layout = sample_layout();
  const auto blocks_of_a_run = [&](std::uint64_t count) {
    io::ResultWriter writer(path, layout, {}, true);
    for (std::uint64_t b = 0; b < count; ++b) {
      writer.append(sample_block(layout, b));
    }
  };
  const auto modified_at = [&](std::time_t time) {
    const timespec times[2] = {{time, 0}, {time, 0}};
    REQUIRE(::utimensat(AT_FDCWD, partial.c_str(), times, 0) == 0);
  };
  for (const std::uint64_t count : {1, 3}) {
    blocks_of_a_run(count);
    std::uint64_t frames = 0;
    for (std::uint64_t b = 0; b < count; ++b) {
      frames += sample_block(layout, b).frames;
    }
    const std::string last =
        std::to_string(sample_block(layout, count - 1).last_frame.get());
    modified_at(1'700'000'000);  // 2023-11-14 22:13:20 UTC
    const std::string before = read_bytes(partial);
    const std::string text = refusal_of_partial(path);
    CHECK(missing(text, {partial.c_str(), "earlier run", "finished blocks",
                         (std::to_string(count) + " block").c_str(),
                         (std::to_string(frames) + " frame").c_str(),
                         (" to " + last + ")").c_str(), "last modified 2023-11-1",
                         "--resume", "--force"}) == "");
    CHECK(read_bytes(partial) == before);
  }

  std::filesystem::resize_file(partial, 100);
  CHECK(missing(refusal_of_partial(path),
                {"cannot be read", "100 bytes", "last modified", "--force"}) == "");
  std::filesystem::resize_file(partial, 0);
  CHECK(missing(refusal_of_partial(path), {"cannot be read", "0 bytes"}) == "");
  CHECK(std::filesystem::exists(partial));
  std::filesystem::remove(partial);
  REQUIRE(::mkfifo(partial.c_str(), 0600) == 0);
  CHECK(missing(refusal_of_partial(path), {partial.c_str(), "not a regular file"}) ==
        "");
  CHECK(missing(refusal_of_partial(path, true),
                {partial.c_str(), "not a regular file"}) == "");
}

TEST_CASE("a file without a complete block, and a complete one, are kept as well") {
  const TemporaryDirectory folder;
  const std::string path = folder.file("out.h5");
  const std::string partial = path + ".partial";
  const HistogramLayout layout = sample_layout();
  const std::string copy = folder.file("copy.h5");
  {
    io::ResultWriter writer(path, layout, {}, false);
    // the state left by a run that is killed now
    std::filesystem::copy_file(partial, copy);
  }
  std::filesystem::rename(copy, partial);
  CHECK(missing(refusal_of_partial(path),
                {"without a finished block", "last modified", "--force"}) == "");
  CHECK(std::filesystem::exists(partial));
  std::filesystem::remove(partial);
  {
    io::ResultWriter writer(path, layout, {}, false);
    writer.append(sample_block(layout, 0));
    writer.finish({});
  }
  std::filesystem::rename(path, partial);
  CHECK(missing(refusal_of_partial(path), {"complete result", "1 block", "--force"}) ==
        "");
  CHECK(io::read_result(partial).state == io::ResultState::complete);
}

}  // namespace
}  // namespace starhist::testing
