// starhist rdf --explain: the printed numbers of a frame add up, and no file is
// written.
#include <limits>

#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/file_bytes.hh"
#include "tests/support/h5md_file.hh"

namespace starhist::testing {
namespace {

ProgramRun explained(const RdfRunner::Words& more) {
  RdfRunner::Words words{"rdf", data_file("water.h5"), "--bins", "100", "--explain"};
  words.insert(words.end(), more.begin(), more.end());
  return run_program(words);
}

TEST_CASE("explain: pairs, shares, decision, time, no result file is needed") {
  const ProgramRun run = explained({"--r-max", "1.2"});
  INFO(run.err);
  CHECK(run.exit_code == 0);
  CHECK(missing(run.out, {"O-O", "H-O", "all", "out of range", "image", "search",
                          "clusters: ", "tasks: up to", "expected: ",
                          "speed of CPUs: estimate for typical processors (starhist "
                          "calibrate measures it)\n"}) == "");
}

TEST_CASE("explain: of many pairs the first ones have rows, and all are in the sum") {
  const RdfRunner rdf;
  const std::string path = rdf.file("many.xyz");
  std::string atoms = "30\nLattice=\"9 0 0 0 9 0 0 0 9\"\n";
  for (int k = 0; k < 30; ++k) {
    atoms += "A" + std::to_string(100 + k) + " 0 0 " + std::to_string(0.1 * k) + "\n";
  }
  write_bytes(path, atoms);
  const ProgramRun run =
      run_program({"rdf", path, "--r-max", "2", "--bins", "10", "--explain"});
  INFO(run.err);
  CHECK(missing(run.out, {"A100-A119 ", "... (465 pairs in all)\nall  "}) == "");
  CHECK(run.out.find("A100-A120 ") == std::string::npos);
  CHECK(run.out.find(" 435 ") != std::string::npos);  // 30 x 29 / 2
}

TEST_CASE("explain: clusters as requested") {
  CHECK(missing(explained({"--r-max", "0.4", "--clusters", "on"}).out,
                {"clusters: used, as requested"}) == "");
  CHECK(missing(explained({"--r-max", "0.4", "--tiles", "off"}).out,
                {"clusters: not used, as requested"}) == "");
}

/// Ten frames; those with these indexes have a NaN.
SmallTrajectory bad_frames(std::initializer_list<std::size_t> bad) {
  SmallTrajectory small = small_trajectory(10);
  for (const std::size_t frame : bad) {
    small.positions[frame][4] = std::numeric_limits<double>::quiet_NaN();
  }
  return small;
}

TEST_CASE("explain: plans with a usable frame if bad ones are left out") {
  const RdfRunner rdf;
  const std::string path = rdf.file("traj.h5");
  const RdfRunner::Words words{"rdf",    path, "--r-max",  "1",
                               "--bins", "50", "--explain"};
  RdfRunner::Words skipping = words;
  skipping.emplace_back("--skip-bad-frames");
  write_h5md(path, bad_frames({0, 1}));
  const ProgramRun run = run_program(skipping);
  INFO(run.err);
  CHECK(run.exit_code == 0);
  CHECK(missing(run.out, {"frame 2 (", "tasks: up to"}) == "");
  const ProgramRun refused = run_program(words);
  CHECK(refused.exit_code == 1);
  CHECK(missing(refused.err, {"frame 0", "nan"}) == "");

  write_h5md(path, bad_frames({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  const ProgramRun none = run_program(skipping);
  CHECK(none.exit_code == 1);
  CHECK(missing(none.err, {"no selected frame can be used", "frame 0"}) == "");
}

TEST_CASE("explain: invalid input is refused as in a run") {
  const ProgramRun run = explained({"--r-max", "1000"});
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {"--r-max 1000", "is too large: in frame "}) == "");
}

}  // namespace
}  // namespace starhist::testing
