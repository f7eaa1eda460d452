#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/file_bytes.hh"
#include "tests/support/test_location.hh"

// starhist simulate without a simulation: refusals. tests/scripts/simulate_test.py
// tests simulations.

namespace starhist::testing {
namespace {

using Words = std::vector<std::string>;

const Words shape{"simulate", "--frames", "10", "--particles", "100", "--box", "3,3,3"};

ProgramRun simulate(const Words& more, const Words& words = shape) {
  Words all = words;
  all.insert(all.end(), more.begin(), more.end());
  return run_program(all);
}

/// "" if the run was refused with all these words.
std::string simulation_problem(const ProgramRun& run,
                               std::initializer_list<const char*> words) {
  return run.exit_code != 1 ? "exit code " + std::to_string(run.exit_code) + run.err
                            : missing(run.err, words);
}

TEST_CASE("simulate refuses invalid runs and machines") {
  CHECK(simulation_problem(simulate({}, {"simulate"}),
                           {"--frames", "--particles", "--box"}) == "");
  CHECK(simulation_problem(simulate({}, {"simulate", "--frames", "0", "--particles",
                                         "0", "--box", "0,1,1"}),
                           {"--frames 0", "--particles 0", "box length 0"}) == "");
  CHECK(simulation_problem(simulate({"--machine", "cray:3"}),
                           {"--machine cray:3", "h100:N"}) == "");
  CHECK(simulation_problem(simulate({"--machine", "h100:0"}), {"1 to 16"}) == "");
  CHECK(simulation_problem(simulate({"--machine", "0xh100:1"}),
                           {"number of machines '0'"}) == "");
  CHECK(simulation_problem(simulate({"--machine", "2xcray:3"}),
                           {"--machine 2xcray:3", "16xh100:8"}) == "");
  CHECK(simulation_problem(simulate({"--machine", "/nowhere/m"}), {"/nowhere/m"}) ==
        "");
  CHECK(simulation_problem(simulate({"--species", "A=1,A=2"}),
                           {"--species", "O=1,H=2"}) == "");
  CHECK(simulation_problem(simulate({"--species", "A=0"}),
                           {"--species A", "positive"}) == "");
  CHECK(simulation_problem(simulate({"--species", "A=x"}), {"--species A"}) == "");
  CHECK(simulation_problem(simulate({"--read-rate", "0"}),
                           {"--read-rate", "positive"}) == "");
  CHECK(simulation_problem(simulate({"--block", "0"}), {"--block"}) == "");
  CHECK(simulation_problem(simulate({"--clusters", "perhaps"}),
                           {"--clusters", "auto, on, off"}) == "");
  CHECK(simulation_problem(simulate({"--trace", "t.csv", "--machine", "cpu:1,cpu:2"}),
                           {"--trace needs a single machine"}) == "");
  CHECK(simulation_problem(simulate({"--trace", "/nowhere/t.csv"}),
                           {"directory '/nowhere' does not exist"}) == "");
  CHECK(simulation_problem(simulate({"--json", "/"}), {"is a directory"}) == "");
  CHECK(simulation_problem(simulate({"--structure", "a.gro"}), {"--structure needs"}) ==
        "");
  CHECK(simulation_problem(simulate({}, {"simulate", "--frames", "1", "--particles",
                                         "100000000000", "--box", "3,3,3"}),
                           {"more than can be simulated"}) == "");
  CHECK(simulation_problem(
            simulate({}, {"simulate", data_file("water.h5"), "--particles", "9"}),
            {"--particles cannot be used with a trajectory"}) == "");
}

TEST_CASE("no output of simulate overwrites the description of a machine") {
  const RdfRunner folder;
  const std::string machine = folder.file("m.machine");
  const std::string text = "cpus 1\nmodels .\nhost here\n";
  std::ofstream(machine) << text;
  for (const std::string& name : {machine, "2x" + machine, "cpu:1,2x" + machine}) {
    for (const char* output : {"--json", "--trace"}) {
      CHECK(simulation_problem(
                simulate({"--machine", name, output, machine}),
                {output, "would overwrite", "m.machine", "--machine reads"}) == "");
      CHECK(read_bytes(machine) == text);
    }
  }
}

TEST_CASE("without starhist-simulate, simulate prints how to build it") {
  const RdfRunner folder;
  const std::string alone = folder.file("bin/starhist");
  std::filesystem::create_directories(folder.file("bin"));
  const char* const named = std::getenv("STARHIST_PROGRAM");
  const std::filesystem::path program = named != nullptr ? named : STARHIST_PROGRAM;
  std::filesystem::copy_file(program, alone);
  const std::string out = folder.file("out.txt");
  // From an archive, the program finds its libraries relative to its location.
  const std::string libraries = (program.parent_path() / "../lib").string();
  const std::string command =
      "LD_LIBRARY_PATH='" + libraries + "' '" + alone +
      "' simulate --frames 1 --particles 9 --box 3,3,3 --machine cpu:1 2> '" + out +
      "'";
  CHECK(std::system(command.c_str()) >> 8U == 1);
  std::ifstream file(out);
  std::ostringstream text;
  text << file.rdbuf();
  CHECK(missing(text.str(), {"starhist-simulate, which simulates runs",
                             "scripts/setup/build.sh simgrid"}) == "");
}

}  // namespace
}  // namespace starhist::testing
