#include "tests/program/csv_table.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"

// Total distribution functions, charges, entropies and tables of `starhist analyze`.
// tests/scripts/analyze_numpy_test.py compares their numbers with NumPy.

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;

ProgramRun analyzed(const Words& options) {
  static RdfRunner runner;
  static const ProgramRun run = runner.run(
      {data_file("water.h5"), "--r-max", "1.4", "--bins", "280", "--block", "5"});
  REQUIRE(run.exit_code == 0);
  Words words{"analyze", runner.output()};
  words.insert(words.end(), options.begin(), options.end());
  return run_program(words);
}

std::string refusal(const Words& options, std::initializer_list<const char*> words) {
  const ProgramRun run = analyzed(options);
  return run.exit_code == 1 && run.out == "" ? missing(run.err, words)
                                             : run.out + run.err;
}

TEST_CASE("a total distribution names its form, weights and termination") {
  const ProgramRun run =
      analyzed({"--quantity", "pdf", "--form", "T", "--weights", "neutron", "--element",
                "H=D,O=O", "--q-max", "200", "--window", "lorch", "--errors"});
  CHECK(missing(run.out, {"form: T: D + 4 pi r rho <f>^2 (T(r) of Keen 2001)",
                          "weights: neutron", "q_max: 200", "window: lorch",
                          "r,T,T standard error"}) == "");
  const auto table = csv_columns(run.out);
  CHECK(table.at("r").front() == 0.001);
  CHECK(table.at("T standard error")[500] > 0.0);
}

TEST_CASE("g of all particles tends to 1") {
  const auto table = csv_columns(analyzed({"--quantity", "pdf"}).out);
  CHECK(table.at("g").back() == Approx(1.0).epsilon(0.02));
}

TEST_CASE("a net charge is reported") {
  CHECK(analyzed({"--quantity", "charge", "--charges", "H=0.5,O=-1"}).err == "");
  CHECK(missing(analyzed({"--quantity", "charge", "--charges", "H=0.4,O=-1"}).err,
                {"net charge", "check --charges"}) == "");
}

TEST_CASE("the table of Kirkwood-Buff integrals as JSON") {
  const ProgramRun run =
      analyzed({"--quantity", "kirkwood-buff", "--table", "--format", "json"});
  CHECK(missing(run.out, {"\"quantity\": \"thermodynamic factor\"", "\"of\": \"H + O\"",
                          "\"method\": \"sub-volumes\"", "\"unit\": \"cm^3/mol\"",
                          "\"standard_error\": 0."}) == "");
  const ProgramRun one = analyzed(
      {"--quantity", "kirkwood-buff", "--table", "--pairs", "O-O", "--r-cut", "1"});
  CHECK(missing(one.out, {"r_cut: 1", "excess number,O around O,shifted tail,"}) == "");
  CHECK(one.out.find("thermodynamic") == std::string::npos);
}

TEST_CASE("requests that the result cannot meet are refused") {
  CHECK(refusal({"--quantity", "pdf", "--q-max", "700"}, {"exceeds pi/w", "--q-max"}) ==
        "");
  CHECK(refusal({"--quantity", "pdf", "--q-max", "-1"}, {"--q-max -1"}) == "");
  CHECK(refusal({"--quantity", "pdf", "--window", "lorch"}, {"--q-max"}) == "");
  CHECK(refusal({"--quantity", "pdf", "--form", "F"},
                {"form 'F' of pdf", "g, G, GPDF, D, T, RDF"}) == "");
  CHECK(refusal({"--quantity", "pdf", "--weights", "xray", "--element", "H=Qq,O=O"},
                {"no X-ray form factor", "H=Qq"}) == "");
  CHECK(refusal({"--quantity", "pdf", "--pairs", "O-O"}, {"sum over all pairs"}) == "");
  CHECK(refusal({"--quantity", "sq", "--form", "F"}, {"--form has no meaning"}) == "");
  CHECK(refusal({"--quantity", "charge", "--charges", "H=0.5"}, {"O=..."}) == "");
  CHECK(refusal({"--quantity", "charge", "--charges", "H=0.5,O=-1,X=2"},
                {"unknown species X"}) == "");
  CHECK(refusal({"--quantity", "kirkwood-buff", "--table", "--sub-volumes", "1,2"},
                {"--sub-volumes 2 is beyond 1.4"}) == "");
  CHECK(refusal({"--quantity", "kirkwood-buff", "--table", "--sub-volumes", "1,1.005"},
                {"at least three bin edges"}) == "");
  CHECK(refusal({"--quantity", "kirkwood-buff", "--table", "--tail", "1.4"},
                {"--tail 1.4 is beyond"}) == "");
  CHECK(refusal({"--quantity", "kirkwood-buff", "--tail", "1"}, {"--table"}) == "");
  CHECK(refusal({"--quantity", "kirkwood-buff", "--table", "--format", "xvg"},
                {"csv or json"}) == "");
}

}  // namespace
}  // namespace starhist::testing
