// starhist info --json: a trajectory's description for scripts.
#include <fstream>

#include "tests/program/json_value.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

using Words = std::vector<std::string>;

/// Two frames of a dump: a restricted triclinic cell, open along z; ids not sorted.
std::string two_frames() {
  const std::string head =
      "\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS xy xz yz pp pp "
      "ff\n-1 6 1\n0 5 0\n0 7 0\nITEM: ATOMS id type mol mass x y z\n";
  return "ITEM: TIMESTEP\n10" + head + "7 2 0 1.5 0.1 0.2 0.3\n3 1 4 16 1 2 3\n" +
         "ITEM: TIMESTEP\n20" + head + "3 1 4 16 1 2 3\n7 2 0 1.5 0.1 0.2 0.3\n";
}

/// The values of the expressions in the JSON that `info` prints with the arguments.
Words json_values(const RdfRunner& folder, Words arguments, const Words& expressions) {
  arguments.insert(arguments.begin(), {"info", "--json"});
  const ProgramRun run = run_program(arguments);
  const std::string path = folder.file("info.json");
  std::ofstream(path) << run.out;
  Words values;
  for (const std::string& expression : expressions) {
    values.push_back(json_value(path, expression));
  }
  return values;
}

}  // namespace

TEST_CASE("info --json has units, box, step and time of the first frame") {
  const RdfRunner folder;
  const TextTrajectory dump(two_frames(), "two.dump");
  CHECK(json_values(
            folder, {dump.path, "--unit", "A"},
            {"d['format'], d['frame_count'], d['length_unit'], d['time_unit']",
             "[(f['index'], f['step'], f['time'], f['particles']) for f in "
             "d['frames']]",
             "d['frames'][0]['box']['matrix']", "d['frames'][0]['box']['periodic']",
             "[(s['name'], s['particles']) for s in d['species']]", "d['fields']",
             "'particles' in d"}) ==
        Words{"LAMMPS text dump 2 A None", "[(0, 10, None, 2)]",
              "[[6.0, 0.0, 0.0], [1.0, 5.0, 0.0], [0.0, 0.0, 7.0]]",
              "[True, True, False]", "[('1', 1), ('2', 1)]",
              "['id', 'species', 'type', 'molecule', 'mass', 'molecule_index']",
              "False"});
}

TEST_CASE("info --json lists columns and all frames on request") {
  const RdfRunner folder;
  const TextTrajectory dump(two_frames(), "two.dump");
  CHECK(json_values(folder, {dump.path, "--particles", "--frames", "all"},
                    {"[f['step'] for f in d['frames']]", "d['particles']['id']",
                     "d['particles']['type']", "d['particles']['molecule']",
                     "d['particles']['mass']", "d['molecules']"}) ==
        Words{"[10, 20]", "[3, 7]", "['1', '2']", "[4, 0]", "[16.0, 1.5]", "2"});
}

TEST_CASE("info --json describes results, without --particles and --frames") {
  const TextTrajectory dump(two_frames(), "two.dump");
  CHECK(missing(run_program({"info", dump.path, "--particles"}).err,
                {"--particles needs --json"}) == "");
  CHECK(missing(run_program({"info", dump.path, "--json", "--frames", "last"}).err,
                {"--frames 'last' is not one of first, all"}) == "");
  const RdfRunner rdf;
  REQUIRE(rdf.run({dump.path, "--r-max", "2"}).exit_code == 0);
  CHECK(missing(run_program({"info", "--json", rdf.output()}).out,
                {"\"command\": \"rdf\"", "\"complete\": true", "\"frames\": 2",
                 "\"option --r-max\": \"2\""}) == "");
  CHECK(missing(run_program({"info", "--json", "--unit", "nm", rdf.output()}).out,
                {"\"length_unit\": \"nm\""}) == "");
  CHECK(missing(run_program({"info", "--json", "--particles", rdf.output()}).err,
                {"--json describes one result", "starhist export --format json"}) ==
        "");
}

TEST_CASE("convert keeps the columns, so that the same selections count the same") {
  const RdfRunner folder;
  const TextTrajectory dump(two_frames(), "two.dump");
  const std::string h5 = folder.file("two.h5");
  REQUIRE(run_program({"convert", dump.path, "-o", h5}).exit_code == 0);
  const Words expressions{"d['particles']['id']", "d['particles']['type']",
                          "d['particles']['molecule']", "d['particles']['mass']",
                          "d['particles']['molecule_index']"};
  CHECK(json_values(folder, {h5, "--particles"}, expressions) ==
        json_values(folder, {dump.path, "--particles"}, expressions));
}

TEST_CASE("convert keeps residues that only TER separates") {
  const RdfRunner folder;
  const std::string atom = "ATOM      1  O   HOH A   1       1.000   1.000   1.000\n";
  const TextTrajectory pdb(atom + "TER\n" + atom + "END\n", "two.pdb");
  const std::string once = folder.file("once.h5");
  const std::string twice = folder.file("twice.h5");
  REQUIRE(run_program({"convert", pdb.path, "-o", once}).exit_code == 0);
  REQUIRE(run_program({"convert", once, "-o", twice}).exit_code == 0);
  for (const std::string& path : {pdb.path, once, twice}) {
    CHECK(json_values(folder, {path, "--particles"},
                      {"d['particles']['residue_index']"}) == Words{"[0, 1]"});
  }
}

TEST_CASE("convert of some species keeps their columns") {
  const RdfRunner folder;
  const TextTrajectory gro(
      "two\n3\n    7WAT     OW    1   0.100   0.200   0.300\n"
      "    7WAT    HW1    2   0.200   0.200   0.300\n"
      "    8ION     NA    3   0.500   0.200   0.300\n 2 2 2\n",
      "two.gro");
  const std::string h5 = folder.file("two.h5");
  REQUIRE(
      run_program({"convert", gro.path, "-o", h5, "--species", "A=OW NA"}).exit_code ==
      0);
  CHECK(json_values(folder, {h5, "--particles"},
                    {"d['particles']['name']", "d['particles']['resname']",
                     "d['particles']['resid']"}) ==
        Words{"['OW', 'NA']", "['WAT', 'ION']", "[7, 8]"});
}

}  // namespace starhist::testing
