// Runs in a plane or with a second axis that are killed or stopped within their blocks,
// and resumed: the result is an uninterrupted run's.
#include <csignal>

#include <unistd.h>

#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/tasks/trajectories.hh"

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;
namespace fs = std::filesystem;

constexpr std::size_t repeated_frames = 306;  // of six copies of a file

/// Slow runs, in blocks of 1 frame.
Words repeated_water(const Words& space) {
  Words words(6, data_file("water.h5"));
  return with(with(words, {"--repeated", "keep", "--r-max", "1", "--bins", "50",
                           "--block", "1", "-q"}),
              space);
}
const ProgramSetting one_slow_core{{{"STARPU_NCPU", "1"},
                                    {"STARPU_NCUDA", "0"},
                                    {"STARHIST_CPU_VARIANT", "baseline"}}};

/// Ends a run with this signal after some of its blocks, which are in its partial file
/// then. Returns its messages.
std::string interrupt(const RdfRunner& rdf, const Words& words, int signal) {
  for (unsigned trial = 1; trial < 40; ++trial) {
    RunningProgram run(rdf.command(with(words, {"--force"})), one_slow_core);
    for (int k = 0; k < 10'000 && !rdf.has_partial(); ++k) {
      usleep(1000);
    }
    usleep(30'000 * trial);
    run.send_signal(signal);
    const ProgramRun ended = run.wait();
    const bool interrupted = ended.signal == SIGKILL || ended.exit_code == 4;
    if (interrupted && rdf.has_partial() && !rdf.has_output()) {
      const std::size_t blocks = io::read_result(rdf.partial()).blocks.size();
      if (blocks > 0 && blocks < repeated_frames) {
        return ended.err;
      }
    }
    for (const std::string& path : {rdf.output(), rdf.partial()}) {
      fs::remove(path);
      fs::remove(path + ".lock");
    }
  }
  FAIL("no run was interrupted within its blocks");
  return "";
}

/// "" if the interrupted run, resumed, has the blocks and the table of the whole one.
std::string difference_after_resuming(const RdfRunner& rdf, const RdfRunner& whole,
                                      const Words& words) {
  const ProgramRun run = rdf.run(with(words, {"--resume"}));
  if (run.exit_code != 0) {
    return run.err;
  }
  const io::ResultFile result = rdf.result();
  const io::ResultFile expected = whole.result();
  for (std::size_t b = 0; b < expected.blocks.size() && b < result.blocks.size(); ++b) {
    const BlockCounts& block = result.blocks[b];
    const BlockCounts& other = expected.blocks[b];
    if (block.second != other.second || block.box != other.box ||
        block.counted != other.counted ||
        block.pairs_over_space != other.pairs_over_space ||
        block.half_period != other.half_period) {
      return "block " + std::to_string(b) + " differs";
    }
  }
  return result.layout.plane != expected.layout.plane ? "the planes differ"
         : result.layout.second != expected.layout.second
             ? "the second axes differ"
             : difference(result.blocks, expected.blocks);
}

const std::vector<Words> interrupted_spaces{
    {"--plane", "xy"},
    {"--axis2", "cos(z)", "--axis2-bins", "8"},
    {"--plane", "xy", "--axis2", "dz", "--axis2-bins", "8", "--axis2-max", "1.1"}};

TEST_CASE(
    "runs in a plane and with a second axis, killed within their blocks, are resumed") {
  for (const Words& space : interrupted_spaces) {
    INFO(space[0] << " " << space[1]);
    const Words words = repeated_water(space);
    const RdfRunner whole;
    REQUIRE(whole.run(words).exit_code == 0);
    const RdfRunner rdf;
    interrupt(rdf, words, SIGKILL);
    CHECK(difference_after_resuming(rdf, whole, words) == "");
  }
}

TEST_CASE("runs with a second axis, stopped by SIGTERM, keep their blocks") {
  for (std::size_t k = 1; k < interrupted_spaces.size(); ++k) {
    INFO(interrupted_spaces[k][0] << " " << interrupted_spaces[k][1]);
    const Words words = repeated_water(interrupted_spaces[k]);
    const RdfRunner whole;
    REQUIRE(whole.run(words).exit_code == 0);
    const RdfRunner rdf;
    const std::string messages = interrupt(rdf, words, SIGTERM);
    CHECK(missing(messages, {"stopped by SIGTERM", "of 306 frames", "--resume"}) == "");
    CHECK_FALSE(rdf.has_lock());
    // It reports the frames of its blocks.
    const std::string kept =
        "stopped by SIGTERM: " +
        std::to_string(io::read_result(rdf.partial()).blocks.size()) + " of 306";
    CHECK(missing(messages, {kept.c_str()}) == "");
    CHECK(difference_after_resuming(rdf, whole, words) == "");
  }
}

}  // namespace
}  // namespace starhist::testing
