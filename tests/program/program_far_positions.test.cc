// Positions too far away for a double are refused like those that are not finite.
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

TEST_CASE("a far position ends the run, or its frame is left out") {
  const auto frame = [](const char* x) {
    return std::string("3\nLattice=\"5 0 0 0 5 0 0 0 5\"\nA 1 2 3\nB 1 1 1\nA ") + x +
           " 2 1\n";
  };
  const TextTrajectory xyz(frame("3") + frame("1e17") + frame("5000000000"), "a.xyz");
  const RdfRunner rdf;
  const ProgramRun run = rdf.run({xyz.path, "--r-max", "2", "--bins", "10"});
  INFO(run.err);
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {"frame 1: particle 1 of species A", "1e+17",
                          "double precision", "--skip-bad-frames"}) == "");
  const ProgramRun explain =
      rdf.run({xyz.path, "--r-max", "2", "--bins", "10", "--first", "1", "--explain"});
  CHECK(explain.exit_code == 1);
  const ProgramRun skipped = rdf.run(
      {xyz.path, "--r-max", "2", "--bins", "10", "--skip-bad-frames", "--force"});
  INFO(skipped.err);
  CHECK(skipped.exit_code == 3);
  CHECK(missing(skipped.err, {"frame 1: particle 1"}) == "");
  CHECK(rdf.result().blocks.at(0).frames == 2);
}

}  // namespace
}  // namespace starhist::testing
