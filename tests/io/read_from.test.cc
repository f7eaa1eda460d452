#include "io/particles/read_from.hh"

#include "tests/support/catch.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

TEST_CASE("sources of several files are listed once each") {
  io::ReadFrom all;
  io::ReadFrom file;
  file.box = "edge vectors";
  file.assumptions = {"elements: guessed from names (O: OW)"};
  io::add_read_from(file, all);
  io::add_read_from(file, all);
  CHECK(all.box == "edge vectors");
  file.box = "edge";
  file.assumptions.push_back("alternate locations: first of each atom");
  io::add_read_from(file, all);
  io::add_read_from(file, all);
  CHECK(all.box == "edge vectors; edge");
  CHECK(all.names.empty());
  CHECK(all.assumptions == file.assumptions);
}

TEST_CASE("a trajectory states the sources of its box and its elements") {
  const TextTrajectory file(
      "CRYST1   20.000   20.000   20.000  90.00  90.00  90.00 P 1           1\n"
      "ATOM      1  OW  SOL A   1       5.000  12.500  20.000  1.00  0.00\n"
      "ATOM      2  CL  ION A   2       6.000  13.500  20.000  1.00  0.00\nEND\n",
      "a.pdb");
  io::ReadOptions options;
  options.species = io::parse_species_groups("W=name OW; X=name CL");
  CHECK(io::open_trajectory({file.path}, options)->info().from.elements == "none");
  options.guess_elements = true;
  options.box =
      Box({Vec3{30, 0, 0}, Vec3{0, 30, 0}, Vec3{0, 0, 30}}, {true, true, true});
  const auto reader = io::open_trajectory({file.path}, options);
  const io::ReadFrom& from = reader->info().from;
  CHECK(from.elements == "none");
  CHECK(from.elements_by_rule == "guessed from names");
  CHECK(reader->info().elements ==
        std::vector<SpeciesElement>{{"O", "guessed from names"},
                                    {"Cl", "guessed from names"}});
  CHECK(from.box == "--box");
  CHECK(from.assumptions ==
        std::vector<std::string>{
            "box: from --box in all frames; a box in the file is ignored",
            "elements: guessed from names (Cl: CL, O: OW)"});
}

TEST_CASE("sources unused in all frames are dropped") {
  io::ReadFrom from;
  from.box = from.periodic = from.times = "the file";
  CHECK(io::seen_in_frames(from, true, true).times == "the file");
  CHECK(io::seen_in_frames(from, false, false).box == "none");
  CHECK(io::seen_in_frames(from, false, false).times == "none");
  from.box = "--box";
  CHECK(io::seen_in_frames(from, false, true).box == "--box");
}

}  // namespace
}  // namespace starhist::testing
