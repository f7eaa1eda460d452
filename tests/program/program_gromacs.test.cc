// GROMACS' formats through the program, also in builds without libgromacs.
#include <cstdlib>
#include <filesystem>

#include <sys/wait.h>

#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/file_bytes.hh"
#include "tests/support/gromacs_files.hh"

namespace starhist::testing {
namespace {

TEST_CASE("info of XTC, TNG and TRR, --structure names the species") {
  if (!has_libgromacs()) {
    return;
  }
  for (const char* name : {"spc.xtc", "spc.tng", "spc.trr"}) {
    const ProgramRun run =
        run_program({"info", data_file(name), "--structure", data_file("spc.tpr")});
    INFO(run.err);
    CHECK(run.exit_code == 0);
    CHECK(run.err == "");
    CHECK(missing(run.out, {"GROMACS ", "frames       3", "0.2", "ps", "nm",
                            "HW1: 216, HW2: 216, OW: 216", "orthorhombic"}) == "");
  }
  CHECK(missing(run_program({"--version"}).out, {"GROMACS formats: libgromacs 20"}) ==
        "");
}

TEST_CASE("rdf of XTC: species by name and in groups, damage in the middle") {
  if (!has_libgromacs()) {
    return;
  }
  const RdfRunner rdf;
  const std::string xtc = data_file("spc.xtc");
  const std::string damaged = rdf.file("damaged.xtc");
  std::string bytes = read_bytes(xtc);
  const std::size_t second = bytes.find(bytes.substr(0, 8), 8);
  bytes.replace(second + 400, 300, std::string(300, '\0'));
  write_bytes(damaged, bytes);
  const auto run = [&](const std::string& path, const RdfRunner::Words& more) {
    RdfRunner::Words words{
        path,     "--structure", data_file("spc.tpr"), "--r-max",         "0.9",
        "--bins", "90",          "--species",          "O=OW; H=HW1 HW2", "--force"};
    words.insert(words.end(), more.begin(), more.end());
    return rdf.run(words);
  };
  CHECK(run(xtc, {}).exit_code == 0);
  CHECK(
      rdf.result().blocks.at(0).pairs ==
      std::vector<std::uint64_t>{3 * 432 * 431 / 2, 3 * 432 * 216, 3 * 216 * 215 / 2});

  const ProgramRun stopped = run(damaged, {});
  CHECK(stopped.exit_code == 1);
  CHECK(missing(stopped.err, {"frame 1", "damaged.xtc", "damaged"}) == "");
  const ProgramRun skipped = run(damaged, {"--skip-bad-frames"});
  CHECK(skipped.exit_code == 3);
  CHECK(rdf.result().blocks.at(0).frames == 2);
}

TEST_CASE(
    "without libgromacs a message has a remedy, and XTC, TRR, GRO and PDB are read") {
  namespace fs = std::filesystem;
  const TemporaryDirectory folder;
  fs::create_directory(folder.file("bin"));
  const std::string program = folder.file("bin/starhist");
  fs::copy_file(place("STARHIST_PROGRAM", STARHIST_PROGRAM), program);
  const auto answer = [&](const std::string& arguments) {
    const std::string output = folder.file("output");
    const int status = std::system(
        ("'" + program + "' " + arguments + " > '" + output + "' 2>&1").c_str());
    return std::to_string(WEXITSTATUS(status)) + " " + read_bytes(output);
  };
  CHECK(missing(answer("--version"),
                {"0 starhist ", "not G96, TNG and TPR (built without libgromacs)"}) ==
        "");
  CHECK(missing(answer("info '" + data_file("spc.tng") + "'"),
                {"1 starhist: ", "spc.tng: is a GROMACS TNG trajectory",
                 "built without libgromacs", "install libgromacs-dev"}) == "");
  CHECK(missing(answer("info '" + data_file("spc.xtc") + "'"), {"0 ", "all: 648"}) ==
        "");
  CHECK(missing(answer("info '" + data_file("spc.trr") + "'"), {"0 ", "all: 648"}) ==
        "");
  CHECK(missing(answer("info '" + data_file("spc.trr") + "' --structure '" +
                       data_file("spc.tpr") + "'"),
                {"1 starhist: ", "spc.tpr", "built without libgromacs"}) == "");

  std::string gro = "water\n648\n";
  for (int k = 0; k < 648; ++k) {
    gro += k % 3 == 0 ? "    1SOL     OW    1   0.500   1.250   2.000\n"
                      : "    1SOL     HW    1   0.600   1.250   2.000\n";
  }
  write_bytes(folder.file("conf.gro"), gro + " 2 2 2\n");
  CHECK(missing(answer("info '" + data_file("spc.trr") + "' --structure '" +
                       folder.file("conf.gro") + "'"),
                {"0 ", "HW: 432, OW: 216"}) == "");
  CHECK(missing(answer("info '" + folder.file("conf.gro") + "'"),
                {"0 ", "GROMACS GRO", "HW: 432, OW: 216", "volume       8 nm^3"}) ==
        "");
  write_bytes(folder.file("atom.pdb"),
              "ATOM      1 OW   SOL     1       1.000   1.000   1.000\nEND\n");
  CHECK(missing(answer("info '" + folder.file("atom.pdb") + "'"), {"0 ", "OW: 1"}) ==
        "");
}

}  // namespace
}  // namespace starhist::testing
