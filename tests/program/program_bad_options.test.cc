#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"

// Invalid options: exit code 1, the offending value in the message, no file.

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;
using Expected = std::initializer_list<const char*>;

/// Unexpected details of the refusal of `starhist rdf <water> <words>`; "" if there are
/// none.
std::string option_refusal(const Words& words, Expected expected,
                           const ProgramSetting& setting = {}) {
  const RdfRunner rdf;
  Words arguments{data_file("water.h5")};
  arguments.insert(arguments.end(), words.begin(), words.end());
  return refusal_problem(rdf, rdf.run(arguments, setting), expected);
}

/// The refusal with valid bins.
std::string refusal_with_bins(Words words, Expected expected,
                              const ProgramSetting& setting = {}) {
  words.insert(words.end(), {"--r-max", "1", "--bins", "50"});
  return option_refusal(words, expected, setting);
}

TEST_CASE("an r_max that is not a length") {
  for (const char* value : {"0", "-1.5", "nan", "-inf", "inf", "wide", "1.2nm"}) {
    INFO(value);
    CHECK(option_refusal({"--r-max", value, "--bins", "50"}, {"--r-max", value}) == "");
  }
}

TEST_CASE("an r_max far beyond the largest distance indicates a wrong unit") {
  CHECK(option_refusal({"--r-max", "12", "--bins", "50"},
                       {"--r-max 12", "frame 0", "2.598", "nm", "unit", "genconf"}) ==
        "");
}

TEST_CASE("invalid bins") {
  for (const char* value : {"0", "-5", "2.5", "many", "3000000000"}) {
    INFO(value);
    CHECK(option_refusal({"--r-max", "1", "--bins", value}, {"--bins", value}) == "");
  }
  for (const char* value : {"0", "-0.1", "nan", "0.3", "thin"}) {
    INFO(value);
    CHECK(option_refusal({"--r-max", "1", "--bin-width", value},
                         {"--bin-width", value}) == "");
  }
  CHECK(option_refusal({"--bins", "0"}, {"--bins 0"}) == "");
  CHECK(option_refusal({"--bin-width", "thin"}, {"--bin-width", "thin"}) == "");
  CHECK(option_refusal({"--bin-width", "1.49"}, {"--bin-width 1.49", "1.485"}) == "");
  CHECK(option_refusal({"--r-max", "wide"}, {"--r-max", "wide"}) == "");
  CHECK(option_refusal({"--r-min", "near"}, {"'near' is not a number"}) == "");
  CHECK(option_refusal({"--r-min", "1.49"}, {"--r-min 1.49", "--r-max 1.484"}) == "");
  CHECK(option_refusal({"--r-max", "1", "--bins", "50", "--bin-width", "0.02"},
                       {"--bins and --bin-width exclude each other"}) == "");
}

TEST_CASE("a last frame before the first is reported with the other problems") {
  CHECK(option_refusal(
            {"--r-max", "-1", "--bins", "0", "--first", "3", "--last", "1"},
            {"3 problems", "--r-max -1", "--bins 0", "--first 3, --last 1"}) == "");
}

TEST_CASE("bins that exceed the memory") {
  CHECK(option_refusal({"--r-max", "1", "--bins", "1000000000", "--memory", "0.1"},
                       {"--memory", "0.1 GiB", "fewer bins"}) == "");
  CHECK(option_refusal({"--r-max", "1", "--bins", "2000000", "--memory", "0.01"},
                       {"--memory", "0.01 GiB"}) == "");
}

TEST_CASE("pairs and groups that the file does not have") {
  CHECK(refusal_with_bins({"--pairs", "O-O,O-Xe"}, {"O-Xe", "H, O"}) == "");
  CHECK(refusal_with_bins({"--pairs", "OO"}, {"'OO'", "H, O"}) == "");
  CHECK(refusal_with_bins({"--group", "protein"}, {"protein", "all"}) == "");
}

TEST_CASE("frames that do not exist") {
  CHECK(refusal_with_bins({"--first", "51"}, {"--first 51", "there are 51"}) == "");
  CHECK(refusal_with_bins({"--first", "9", "--last", "7"}, {"--first 9", "--last 7"}) ==
        "");
  CHECK(refusal_with_bins({"--first", "-1"}, {"--first", "-1"}) == "");
  CHECK(refusal_with_bins({"--last", "end"}, {"--last", "end"}) == "");
  CHECK(refusal_with_bins({"--step", "0"}, {"--step 0"}) == "");
}

TEST_CASE("invalid boxes") {
  for (const char* box : {"1,2", "a,b,c", "3,3,3,90", "cubic"}) {
    INFO(box);
    CHECK(refusal_with_bins({"--box", box}, {"--box", box}) == "");
  }
  CHECK(refusal_with_bins({"--box", "3,0,3"}, {"length 0"}) == "");
  CHECK(refusal_with_bins({"--box", "3,-2,3"}, {"length -2"}) == "");
  CHECK(refusal_with_bins({"--box", "3,nan,3"}, {"length nan"}) == "");
  CHECK(refusal_with_bins({"--box", "3,3,3,90,90,180"}, {"angle 180"}) == "");
}

TEST_CASE("other invalid values") {
  CHECK(refusal_with_bins({"--block", "0"}, {"--block 0"}) == "");
  CHECK(refusal_with_bins({"--memory", "lots"}, {"--memory", "lots"}) == "");
  CHECK(refusal_with_bins({"--memory", "0"}, {"--memory", "0"}) == "");
  CHECK(refusal_with_bins({"--task-pairs", "0"}, {"--task-pairs 0"}) == "");
  CHECK(refusal_with_bins({"--tiles", "maybe"},
                          {"--clusters 'maybe'", "auto", "on", "off"}) == "");
  CHECK(refusal_with_bins({"--cpu-mode", "gang"}, {"gang", "core", "team"}) == "");
  CHECK(refusal_with_bins({"--json", "/no/such/folder/s.json"},
                          {"--json", "/no/such/folder"}) == "");
}

TEST_CASE("options that are unknown, incomplete or repeated") {
  CHECK(refusal_with_bins({"--frobnicate"}, {"unknown option '--frobnicate'"}) == "");
  CHECK(refusal_with_bins({"--rmax=3"}, {"unknown option '--rmax=3'"}) == "");
  CHECK(refusal_with_bins({"--step"}, {"--step needs a value"}) == "");
  CHECK(refusal_with_bins({"--step", "2", "--step", "3"}, {"--step is given twice"}) ==
        "");
  CHECK(refusal_with_bins({"--quiet=yes"}, {"--quiet takes no value"}) == "");
}

TEST_CASE("a missing output option") {
  const ProgramRun run =
      run_program({"rdf", data_file("water.h5"), "--r-max", "1", "--bins", "5"});
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {"--output is missing"}) == "");
}

TEST_CASE("an output without a trajectory") {
  const RdfRunner rdf;
  CHECK(refusal_problem(rdf, rdf.run({"--r-max", "1", "--bins", "5"}),
                        {"no trajectory is given"}) == "");
}

TEST_CASE("all problems are reported at once") {
  CHECK(option_refusal({"--r-max", "-1", "--bins", "0", "--box", "1,2", "--first", "x",
                        "--step", "0", "--block", "0", "--memory", "-4", "--cpu-mode",
                        "gang", "--foo", "--last"},
                       {"10 problems", "--r-max -1", "--bins 0", "--box '1,2'",
                        "--first 'x'", "--step 0", "--block 0", "--memory -4", "gang",
                        "'--foo'", "--last needs a value", "starhist rdf --help"}) ==
        "");
}

TEST_CASE("invalid environment variables") {
  CHECK(refusal_with_bins({}, {"STARHIST_CPU_VARIANT", "'sse9'", "baseline"},
                          {{{"STARHIST_CPU_VARIANT", "sse9"}}}) == "");
  CHECK(refusal_with_bins({}, {"'fifo'", "lws", "dmda"},
                          {{{"STARPU_SCHED", "fifo"}}}) == "");
}

TEST_CASE("a run without workers fails and names the variable") {
  const RdfRunner rdf;
  const ProgramRun run = rdf.run({data_file("water.h5"), "--r-max", "1", "--bins", "5"},
                                 {{{"STARPU_NCPU", "0"}}});
  CHECK(run.exit_code == 2);
  CHECK(missing(run.err, {"no worker", "STARPU_NCPU"}) == "");
  CHECK(rdf.nothing_left());
}

}  // namespace
}  // namespace starhist::testing
