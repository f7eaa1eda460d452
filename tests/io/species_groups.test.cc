#include "io/selection/species_groups.hh"

#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/read_all.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

std::string group_error(const std::string& rules) {
  return error_text<InputError>([&] { io::parse_species_groups(rules); });
}

TEST_CASE("rules for species: names and members, with any blanks") {
  const auto groups = io::parse_species_groups(" O = 1;H=2  3 ; ");
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].name == "O");
  CHECK(groups[0].members == std::vector<std::string>{"1"});
  CHECK(groups[1].name == "H");
  CHECK(groups[1].members == std::vector<std::string>{"2", "3"});
}

TEST_CASE("rules for species that are invalid are refused, with the position") {
  CHECK(missing(group_error(""), {"no name at character 1"}) == "");
  CHECK(missing(group_error("O"),
                {"no '=' after 'O' at character 2 of 'O'",
                 "did you mean --species \"O=O\", or --pairs O-O?"}) == "");
  CHECK(missing(group_error("O 1"), {"no '=' after 'O' at character 3"}) == "");
  CHECK(missing(group_error("O=1; H="), {"no species for 'H' at character 8"}) == "");
  CHECK(missing(group_error("=1"), {"no name at character 1"}) == "");
  CHECK(missing(group_error("O=1=2"), {"no ';' at character 4"}) == "");
  CHECK(missing(group_error("O=name OW, H=name HW1"),
                {"no ';'", ": end each rule with ;"}) == "");
  CHECK(missing(group_error("O:name OW; H=1"), {"no '='", ": write O=name OW"}) == "");
  CHECK(missing(group_error("O=1;;H=2"), {"no name at character 5"}) == "");
  CHECK(missing(group_error("O=1; O=2"), {"defines 'O' twice"}) == "");
  CHECK(missing(group_error("O=1 2 1"), {"'1' stands twice at character 7"}) == "");
  CHECK(missing(group_error("\"\"=1"), {"an empty name"}) == "");
}

TEST_CASE("rules for species: selections, centres, and quoted keywords") {
  const auto groups = io::parse_species_groups(
      "A=name OW or all ; B=res_com of resname SOL;C=\"name\" x; \"D E\"=1");
  REQUIRE(groups.size() == 4);
  CHECK(groups[0].selection);
  CHECK(groups[0].centres == io::Centres::none);
  CHECK(groups[0].text == "name OW or all");
  CHECK(groups[1].selection);
  CHECK(groups[1].centres == io::Centres::residue_mass);
  CHECK(!groups[2].selection);
  CHECK(groups[2].members == std::vector<std::string>{"name", "x"});
  CHECK(groups[3].name == "D E");
}

TEST_CASE("rules for species: whole species need no particles, unless in two groups") {
  CHECK(!io::need_particles(io::parse_species_groups("O=1; H=2 3")));
  CHECK(io::need_particles(io::parse_species_groups("O=1; H=2 1")));
  CHECK(io::need_particles(io::parse_species_groups("O=1; A=all")));
}

TEST_CASE("species of a trajectory grouped: sorted, combined, others left out") {
  const TextTrajectory file(
      "4\n\nHW2 1 1 1\nX 2 2 2\nHW1 3 3 3\nOW 4 4 4\n"
      "2\n\nOW 5 5 5\nHW1 6 6 6\n");
  io::ReadOptions options;
  options.species = io::parse_species_groups("O=OW; H=HW1 HW2");
  const WholeTrajectory all = read_all({file.path}, options);
  CHECK(all.info.species == std::vector<std::string>{"H", "O"});
  CHECK(all.info.format == "XYZ");
  REQUIRE(all.frames.size() == 2);
  CHECK(all.frames[0].positions[0] == std::vector<double>{3, 3, 3, 1, 1, 1});
  CHECK(all.frames[0].positions[1] == std::vector<double>{4, 4, 4});
  CHECK(all.frames[1].positions[0] == std::vector<double>{6, 6, 6});

  options.species = io::parse_species_groups("O=OX");
  CHECK(missing(read_error(file.path, options),
                {"O: unknown species 'OX'", "(HW1, HW2, OW, X)", "keyword"}) == "");
}

}  // namespace
}  // namespace starhist::testing
