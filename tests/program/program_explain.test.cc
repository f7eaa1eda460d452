// starhist rdf --explain: what it says of a frame adds up, and nothing is written.
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"

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
  CHECK(missing(run.out, {"O-O", "H-O", "all", "out of range", "rounded", "general",
                          "tiles: ", "tasks: up to", "expected: "}) == "");
}

TEST_CASE("explain: tiles as asked for") {
  CHECK(missing(explained({"--r-max", "0.4", "--tiles", "on"}).out,
                {"tiles: used, as asked for"}) == "");
  CHECK(missing(explained({"--r-max", "0.4", "--tiles", "off"}).out,
                {"tiles: not used, as asked for"}) == "");
}

TEST_CASE("explain: bad input is refused as without it") {
  const ProgramRun run = explained({"--r-max", "1000"});
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {"--r-max 1000", "far beyond"}) == "");
}

}  // namespace
}  // namespace starhist::testing
