#include "tests/program/misread.hh"
#include "tests/support/catch.hh"

// H5MD files that were once rejected by mistake, through the built program.

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;

TEST_CASE("steps and times of ESPResSo, with a fill value in front") {
  CHECK(misread_problem("espresso-off.h5") == "");
  const ProgramRun run = run_program({"info", data_file("misread/espresso-off.h5")});
  CHECK(missing(run.out, {"frames       4", "0 .. 0.3"}) == "");
  CHECK(missing(run.err, {"ESPResSo"}) == "");
}

TEST_CASE("periodic axes that change from frame to frame") {
  const std::string path = data_file("misread/mixed-pbc.h5");
  const MisreadCounts expected = misread_counts("mixed-pbc.h5");
  Words words{path};
  words.insert(words.end(), expected.options.begin(), expected.options.end());
  const RdfRunner whole;
  CHECK(refusal_problem(whole, whole.run(words), {"frame 1", "frame 0", "--first"}) ==
        "");
  // Counted frame by frame, with each periodicity, they add up to the counts of all.
  std::vector<std::vector<std::uint64_t>> sum;
  io::ResultFile result;
  for (const char* frame : {"0", "1", "2"}) {
    const RdfRunner rdf;
    Words one = words;
    one.insert(one.end(), {"--first", frame, "--last", frame});
    REQUIRE(rdf.run(one).exit_code == 0);
    BlockCounts block = rdf.result().blocks.at(0);
    if (sum.empty()) {
      result = rdf.result();
      sum = block.counts;
      continue;
    }
    for (std::size_t p = 0; p < sum.size(); ++p) {
      for (std::size_t k = 0; k < sum[p].size(); ++k) {
        sum[p][k] += block.counts[p][k];
      }
    }
  }
  result.blocks.at(0).counts = sum;
  CHECK(counts_problem(result, expected) == "");
}

}  // namespace
}  // namespace starhist::testing
