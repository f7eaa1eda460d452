#include <filesystem>

#include "tests/program/json_value.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/h5md_file.hh"
#include "tests/support/text_trajectory.hh"
#include "tests/support/xyz_text.hh"
#include "tests/tasks/trajectories.hh"

// Runs without --r-max or without a bin width.

namespace starhist::testing {
namespace {

std::string recorded_entry(const io::ResultFile& result, const std::string& name) {
  return io::value_of(result.record, name).value_or("not recorded");
}

/// Frames in cubes with these edges.
std::string frames_in_cubes(const std::vector<double>& edges) {
  std::string text;
  for (const double edge : edges) {
    text += xyz_frame({{edge, 0, 0}, {0, edge, 0}, {0, 0, edge}},
                      {{"Ar", {0, 0, 0}}, {"Ar", {0.25 * edge, 0, 0}}});
  }
  return text;
}

TEST_CASE("rdf needs only the output option, and counts as with explicit defaults") {
  const RdfRunner by_default;
  const std::string json = by_default.file("run.json");
  const ProgramRun run = by_default.run({data_file("water.h5"), "--json", json});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK(missing(run.err, {"--r-max 1.484 nm and --bin-width 0.002 nm are defaults "
                          "(742 bins)\n"}) == "");
  CHECK(run.err.find("g(r) ends") == std::string::npos);
  CHECK(json_value(json, "d['r_max'], d['bin_width'], len(d['default_options'])") ==
        "1.484 0.002 2");
  const RdfRunner given;
  const ProgramRun as_given =
      given.run({data_file("water.h5"), "--r-max", "1.484", "--bin-width", "0.002"});
  REQUIRE(as_given.exit_code == 0);
  CHECK(as_given.err.find("default") == std::string::npos);
  const io::ResultFile result = by_default.result();
  CHECK(difference(result.blocks, given.result().blocks) == "");
  CHECK(recorded_entry(result, "default --r-max") == "1.484");
  CHECK(recorded_entry(result, "default --bin-width") == "0.002");
  CHECK(recorded_entry(result, "option --r-max") == "not recorded");
  CHECK(recorded_entry(given.result(), "default --r-max") == "not recorded");
  const ProgramRun plan = run_program({"rdf", data_file("water.h5"), "--explain"});
  CHECK(missing(plan.out, {"--r-max 1.484 nm and"}) == "");
}

TEST_CASE("a smaller cell of a later frame ends g(r) early, and is reported") {
  const TextTrajectory file(frames_in_cubes({10.0, 10.05, 9.95}));
  const RdfRunner within;
  const ProgramRun first = within.run({file.path});
  INFO(first.err);
  REQUIRE(first.exit_code == 0);
  // No unit: 500 bins up to 4.95, which 9.95 / 2 allows.
  CHECK(missing(first.err, {"--r-max 4.95 and --bin-width 0.0099 are defaults"}) == "");
  CHECK(first.err.find("g(r) ends") == std::string::npos);
  const TextTrajectory shrinking(frames_in_cubes({10.0, 10.0, 8.0, 9.0}));
  const RdfRunner rdf;
  const ProgramRun run = rdf.run({shrinking.path, "--unit", "A"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK(missing(run.err, {"--r-max 4.94 A and --bin-width 0.02 A are defaults",
                          "g(r) ends at 4 A, half the shortest lattice vector"}) == "");
  CHECK(rdf.result().layout.bins.count == 247);
}

TEST_CASE("a resumed run has the default bins of its first frame") {
  std::string text = frames_in_cubes({10.0, 8.0});
  text += "1\nLattice=\"9 0 0 0 9 0 0 0 9\"\nAr nan 0 0\n";  // ends the first run
  const TextTrajectory file(text + frames_in_cubes({10.0}));
  const RdfRunner rdf;
  const RdfRunner::Words words{file.path, "--unit", "A", "--block", "1"};
  REQUIRE(rdf.run(words).exit_code == 1);
  REQUIRE(rdf.has_partial());
  RdfRunner::Words again = words;
  again.insert(again.end(), {"--resume", "--skip-bad-frames"});
  const ProgramRun run = rdf.run(again);
  INFO(run.err);
  CHECK(run.exit_code == 3);
  CHECK(missing(run.err, {"2 frames are already counted", "g(r) ends at 4 A"}) == "");
  CHECK(rdf.result().layout.bins.r_max == 4.94);
  CHECK(rdf.result().blocks.size() == 3);
}

TEST_CASE("default bins are based on the first usable frame") {
  SmallTrajectory small = small_trajectory(4);
  small.positions[1][0] = std::nan("");
  const RdfRunner rdf;
  const std::string path = rdf.file("small.h5");
  write_h5md(path, small);
  const ProgramRun refused = rdf.run({path, "--first", "1"});
  CHECK(refusal_problem(rdf, refused, {"frame 1", "nan"}) == "");
  const ProgramRun run = rdf.run({path, "--first", "1", "--skip-bad-frames"});
  INFO(run.err);
  CHECK(run.exit_code == 3);
  CHECK(missing(run.err, {"--r-max 1.484 nm and", "left out"}) == "");
  CHECK(rdf.run({path, "--first", "4", "-f"}).exit_code == 1);
  const RdfRunner none;
  CHECK(refusal_problem(
            none, none.run({path, "--first", "1", "--last", "1", "--skip-bad-frames"}),
            {"frame 1"}) == "");
}

TEST_CASE("without a box r_max has no default") {
  const TextTrajectory file("2\nno lattice\nAr 0 0 0\nAr 1 0 0\n", "a.xyz");
  const RdfRunner rdf;
  CHECK(refusal_problem(rdf, rdf.run({file.path}),
                        {"--r-max is missing", "frame 0", "--box none"}) == "");
  const ProgramRun all = rdf.run({file.path, "--box", "none", "--unit", "A"});
  INFO(all.err);
  CHECK(all.exit_code == 0);
  CHECK(missing(all.err, {"--r-max 1.02 A and --bin-width 0.02 A are defaults"}) == "");
  CHECK(summed_counts(rdf.result())[0][50] == 1);
  const ProgramRun run = rdf.run({file.path, "--r-max", "2", "-f"});
  INFO(run.err);
  CHECK(run.exit_code == 0);
  CHECK(missing(run.err, {"--bin-width 0.004 is a default (500 bins)"}) == "");
}

}  // namespace
}  // namespace starhist::testing
