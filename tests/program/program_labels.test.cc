// Small species are counted together, with a label per particle: the result equals that
// of separate tasks.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/h5md_file.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;

/// 200 particles of `names` species in two frames.
SmallTrajectory many_names(int names) {
  Random random(5);
  SmallTrajectory trajectory;
  trajectory.species.clear();
  for (int particle = 0; particle < 200; ++particle) {
    trajectory.species.push_back("S" + std::to_string(particle % names));
  }
  for (int frame = 0; frame < 2; ++frame) {
    trajectory.positions.emplace_back();
    for (int k = 0; k < 600; ++k) {
      trajectory.positions.back().push_back(random.uniform(0.0, 3.0));
    }
  }
  return trajectory;
}

/// Blocks of a run of one frame each, and its tasks.
struct CountedRun {
  io::ResultFile result;
  std::string trace;
};

CountedRun counted(const std::string& path, const Words& more) {
  const RdfRunner rdf;
  Words words{path,     "--r-max", "1.9",
              "--bins", "40",      "--block",
              "1",      "--trace", rdf.file("trace.csv")};
  words.insert(words.end(), more.begin(), more.end());
  const ProgramRun run = rdf.run(words);
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  std::ostringstream trace;
  trace << std::ifstream(rdf.file("trace.csv")).rdbuf();
  return {rdf.result(), trace.str()};
}

TEST_CASE("labels: the result of the pass equals one task per pair") {
  const RdfRunner files;
  const std::string path = files.file("names.h5");
  write_h5md(path, many_names(20));
  const CountedRun together = counted(path, {"--all-pairs"});
  const CountedRun alone = counted(path, {"--all-pairs", "--labels", "off"});
  CHECK(together.trace.find("small species") != std::string::npos);
  CHECK(alone.trace.find("small species") == std::string::npos);
  CHECK(alone.trace.find("S3-S7") != std::string::npos);
  const std::vector<SpeciesPair> s3_s7 =
      parse_pairs("S3-S7", together.result.layout.species);
  const auto& pairs = together.result.layout.pairs;
  const auto pair =
      std::find(pairs.begin(), pairs.end(), s3_s7.front()) - pairs.begin();
  // The same holds for a single pair.
  const CountedRun one = counted(path, {"--pairs", "S3-S7"});
  CHECK(one.trace.find("small species") == std::string::npos);
  REQUIRE(together.result.blocks.size() == 2);
  for (std::size_t b = 0; b < 2; ++b) {
    const BlockCounts& block = together.result.blocks[b];
    CHECK(block.counts == alone.result.blocks[b].counts);
    CHECK(block.out_of_range == alone.result.blocks[b].out_of_range);
    CHECK(block.pairs == alone.result.blocks[b].pairs);
    CHECK(block.counts[static_cast<std::size_t>(pair)] ==
          one.result.blocks[b].counts[0]);
  }
}

TEST_CASE("labels: --memory limits the counts of many pairs") {
  const RdfRunner rdf;
  const std::string path = rdf.file("names.h5");
  write_h5md(path, many_names(200));  // 20 100 pairs, 100 bins: 16 MB of counts
  const auto run_with = [&](const char* gibibytes) {
    return rdf.run({path, "--r-max", "1.9", "--bins", "100", "--all-pairs", "--block",
                    "1", "--memory", gibibytes, "--force"});
  };
  const ProgramRun refused = run_with("0.05");
  CHECK(refusal_problem(rdf, refused, {"needs at least", "--memory allows 0.05"}) ==
        "");
  const ProgramRun run = run_with("0.1");
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
#ifndef __SANITIZE_ADDRESS__
  constexpr double program_kib = 48.0 * 1024;  // of an empty run, with its libraries
  CHECK(static_cast<double>(run.resident_kib) < 0.1 * 1024 * 1024 + program_kib);
#endif
  CHECK(total(rdf.result().blocks).frames == 2);
}

TEST_CASE("labels: the plan lists pairs that are counted together") {
  const RdfRunner rdf;
  const std::string path = rdf.file("names.h5");
  write_h5md(path, many_names(20));
  const ProgramRun run = rdf.run({path, "--r-max", "1.9", "--all-pairs", "--explain"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK(run.out.find("labels: 210 species pairs counted together, 19 900 pairs") !=
        std::string::npos);
}

TEST_CASE("labels: another word than auto, on and off is refused") {
  const RdfRunner rdf;
  const ProgramRun run = rdf.run({"none.h5", "--r-max", "1", "--labels", "perhaps"});
  CHECK(refusal_problem(rdf, run, {"--labels", "perhaps", "auto"}) == "");
}

}  // namespace
}  // namespace starhist::testing
