#include <csignal>
#include <random>

#include <sys/mount.h>
#include <unistd.h>

#include "codelets/core/base/text.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"

// Runs that are killed, or whose disk is full: no file looks like a result, and the
// finished blocks can be read.

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;
namespace fs = std::filesystem;

const Words one_frame_blocks{"--r-max", "1.4", "--bins", "300", "--block", "1"};

/// Frames of the water sample, `copies` times over, each a block.
Words water_copies(std::size_t copies) {
  Words words(copies, data_file("water.h5"));
  words.insert(words.end(), one_frame_blocks.begin(), one_frame_blocks.end());
  words.insert(words.end(), {"--repeated", "keep"});
  return words;
}

/// Blocks of an undisturbed run.
const std::vector<BlockCounts>& undisturbed_blocks() {
  static const std::vector<BlockCounts> blocks = [] {
    const RdfRunner rdf;
    REQUIRE(rdf.run(water_copies(1)).exit_code == 0);
    return rdf.result().blocks;
  }();
  return blocks;
}

/// Number of blocks in `partial`. Checks that `info` and `export` can read them, and
/// that they equal those of an undisturbed run.
std::size_t check_finished_blocks(const std::string& partial) {
  const io::ResultFile result = io::read_result(partial);
  CHECK(result.state == io::ResultState::partial);
  const auto& expected = undisturbed_blocks();
  for (std::size_t b = 0; b < result.blocks.size(); ++b) {
    const BlockCounts& block = expected[b % expected.size()];
    CHECK(result.blocks[b].first_frame.get() == b);
    CHECK(result.blocks[b].counts == block.counts);
    CHECK(result.blocks[b].out_of_range == block.out_of_range);
    CHECK(result.blocks[b].pairs == block.pairs);
    CHECK(result.blocks[b].volume == block.volume);
  }
  const ProgramRun info = run_program({"info", partial});
  CHECK(info.exit_code == 0);
  CHECK(missing(info.out, {"partial", ("blocks       " +
                                       std::to_string(result.blocks.size()) + "\n")
                                          .c_str()}) == "");
  const ProgramRun text = run_program({"export", partial, "--quantity", "counts"});
  CHECK(text.exit_code == (result.blocks.empty() ? 1 : 0));
  if (!result.blocks.empty()) {
    CHECK(missing(text.out, {"# state: partial\n"}) == "");
    CHECK(missing(text.err, {"is from an unfinished run: its "}) == "");
  }
  const std::string merged = partial + "-merged.h5";
  const ProgramRun merge = run_program({"merge", partial, partial, "-o", merged});
  const std::string taken =
      "from an unfinished run: its " + std::to_string(result.blocks.size()) + " block";
  CHECK(missing(merge.err, {taken.c_str()}) == "");
  return result.blocks.size();
}

TEST_CASE("a killed run leaves its finished blocks, and no result") {
  const ProgramSetting slow{
      {{"STARPU_NCPU", "1"}, {"STARHIST_CPU_VARIANT", "baseline"}}};
  undisturbed_blocks();  // create StarPU's files before a run is killed
  const auto seed = std::random_device()();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  std::size_t blocks = 0;
  for (int round = 0; round < 5; ++round) {
    const RdfRunner rdf;
    RunningProgram run(rdf.command(water_copies(40)), slow);
    for (int k = 0; k < 10'000 && !rdf.has_partial(); ++k) {
      usleep(1000);
    }
    usleep(100'000 + static_cast<unsigned>(random() % 900'000));
    run.send_signal(SIGKILL);
    REQUIRE(run.wait().signal == SIGKILL);
    CHECK_FALSE(rdf.has_output());
    REQUIRE(rdf.has_partial());
    const std::size_t finished = check_finished_blocks(rdf.partial());
    blocks += finished;
    // The next run does not replace them, except on request.
    const ProgramRun again = rdf.run(water_copies(1));
    CHECK(again.exit_code == 1);
    CHECK(missing(again.err, {rdf.partial().c_str(), "earlier run", "--force"}) == "");
    if (finished > 1) {
      const std::string told = ": " + grouped(finished) + " blocks with ";
      CHECK(missing(again.err, {"finished blocks", told.c_str()}) == "");
    }
    CHECK(check_finished_blocks(rdf.partial()) == finished);
    Words with_force = water_copies(1);
    with_force.push_back("--force");
    CHECK(rdf.run(with_force).exit_code == 0);
    CHECK(rdf.result().blocks.size() == 51);
    CHECK_FALSE(rdf.has_partial());
  }
  CHECK(blocks > 0);
}

TEST_CASE("a run killed at its start leaves no result") {
  undisturbed_blocks();
  for (int milliseconds = 0; milliseconds < 200; milliseconds += 10) {
    INFO(milliseconds << " ms");
    const RdfRunner rdf;
    RunningProgram run(rdf.command(water_copies(40)));
    usleep(static_cast<unsigned>(milliseconds) * 1000);
    run.send_signal(SIGKILL);
    run.wait();
    CHECK_FALSE(rdf.has_output());
    if (rdf.has_partial()) {
      // Before the first flush it is empty, and info reports so.
      const ProgramRun info = run_program({"info", rdf.partial()});
      CHECK((info.exit_code == 0 || info.exit_code == 1));
      CHECK(info.signal == 0);
    }
  }
}

/// Checks that `run` failed for lack of space, named its file, and left readable
/// blocks. Returns their number.
std::size_t check_full_disk(const std::string& output, const ProgramRun& run) {
  INFO(run.err);
  CHECK(run.exit_code == 2);
  CHECK(missing(run.err, {output.c_str()}) == "");
  CHECK_FALSE(fs::exists(output));
  return fs::exists(output + ".partial") ? check_finished_blocks(output + ".partial")
                                         : 0;
}

TEST_CASE("a file size limit ends a run with a message and readable blocks") {
  undisturbed_blocks();  // StarPU writes files at the first start
  std::size_t most_blocks = 0;
  for (const std::uint64_t limit :
       {0, 1'000, 100'000, 700'000, 900'000, 1'200'000, 1'700'000}) {
    INFO("limit " << limit);
    const RdfRunner rdf;
    ProgramSetting setting;
    setting.file_size_limit = limit;
    const ProgramRun run = rdf.run(water_copies(20), setting);
    CHECK(run.exit_code == 2);
    CHECK(run.signal == 0);
    CHECK_FALSE(rdf.has_output());
    if (rdf.has_partial()) {
      most_blocks = std::max(most_blocks, check_finished_blocks(rdf.partial()));
    }
  }
  CHECK(most_blocks > 0);
}

TEST_CASE("a full disk ends a run with a message and readable blocks") {
  std::size_t most_blocks = 0;
  for (const std::string size : {"16k", "100k", "750k", "1000k", "1500k", "2000k"}) {
    INFO("disk of " << size);
    const RdfRunner rdf;
    const std::string disk = rdf.file("disk");
    fs::create_directory(disk);
    if (mount("none", disk.c_str(), "tmpfs", 0, ("size=" + size).c_str()) != 0) {
      WARN("not tested: no small file system can be mounted here");
      return;
    }
    const std::string output = disk + "/out.h5";
    Words command{"rdf"};
    const Words frames = water_copies(20);
    command.insert(command.end(), frames.begin(), frames.end());
    command.insert(command.end(), {"-o", output});
    most_blocks = std::max(most_blocks, check_full_disk(output, run_program(command)));
    umount(disk.c_str());
  }
  CHECK(most_blocks > 0);
}

}  // namespace
}  // namespace starhist::testing
