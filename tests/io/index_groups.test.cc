// Index files of GROMACS, and rules that name their groups.
#include "io/text/index_groups.hh"

#include "io/trajectory/index_species.hh"
#include "tests/support/catch.hh"
#include "tests/support/packed_bytes.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

using Words = std::vector<std::string>;

const std::string groups_text =
    "; made by hand\n[ System ]\n 1 2 3 4\n[ OW ]\n   1\n\n4 ; the second\n"
    "[ a b ]\n4 3 2\n3\n[ none ]\n[ twice ]\n1\n[ twice ]\n2\n[ far ]\n2 5";
const std::string four_atoms = "4\n\nO 0 0 0\nH 1 0 0\nH 2 0 0\nO 3 0 0\n";

std::string refusal_of_index(const std::string& text) {
  return error_text<InputError>(
      [&] { io::IndexGroups(TextTrajectory(text, "g.ndx").path); });
}

/// Returns x of each particle, by species.
std::vector<std::vector<double>> selected(const std::string& rules) {
  const TextTrajectory file(four_atoms, "a.xyz");
  const TextTrajectory index(groups_text, "g.ndx");
  io::ReadOptions options;
  options.index = index.path;
  options.species = io::parse_species_groups(rules, io::RuleNames::groups);
  std::vector<std::vector<double>> x;
  const WholeTrajectory trajectory = read_all({file.path}, options);
  for (const auto& positions : trajectory.frames.at(0).positions) {
    auto& of_species = x.emplace_back();
    for (std::size_t k = 0; k < positions.size(); k += 3) {
      of_species.push_back(positions[k]);
    }
  }
  return x;
}

std::string selection_refusal(const std::string& rules) {
  return error_text<InputError>([&] { selected(rules); });
}

TEST_CASE("an index file has groups of numbers, with comments, plain and compressed") {
  for (const char* name : {"g.ndx", "g.ndx.gz"}) {
    INFO(name);
    const bool compressed = std::string(name).ends_with(".gz");
    const TextTrajectory file(compressed ? packed(groups_text, "gzip") : groups_text,
                              name);
    const io::IndexGroups groups(file.path);
    CHECK(groups.names() ==
          Words{"System", "OW", "a b", "none", "twice", "twice", "far"});
    CHECK(groups.find("OW")->numbers == std::vector<std::uint64_t>{1, 4});
    CHECK(groups.find("a b")->numbers == std::vector<std::uint64_t>{4, 3, 2, 3});
    CHECK(groups.find("far")->numbers == std::vector<std::uint64_t>{2, 5});
  }
}

TEST_CASE("files other than index files are refused, with the line") {
  CHECK(missing(refusal_of_index("[ a ]\n1 2\n[ b\n"),
                {"g.ndx, line 3", "without a closing ']'"}) == "");
  CHECK(missing(refusal_of_index("[ a ]\n1 x\n"), {"g.ndx, line 2", "'x'"}) == "");
  CHECK(missing(refusal_of_index("[ a ]\n1 0\n"),
                {"g.ndx, line 2", "numbers start at 1"}) == "");
  CHECK(missing(refusal_of_index("[ a ]\n1 -3\n"),
                {"g.ndx, line 2", "invalid atom number -3"}) == "");
  CHECK(missing(refusal_of_index("[  ]\n1\n"), {"g.ndx, line 1", "without a name"}) ==
        "");
  CHECK(missing(refusal_of_index("1 2\n[ a ]\n"),
                {"g.ndx, line 1", "before the first group"}) == "");
  CHECK(missing(refusal_of_index("; only this\n"), {"g.ndx", "has no group"}) == "");
}

TEST_CASE("rules name groups of an index file, directly or in selections") {
  using Positions = std::vector<std::vector<double>>;
  CHECK(selected("OW; \"a b\"") == Positions{{0, 3}, {1, 2, 3}});
  CHECK(selected("B=OW \"a b\"") == Positions{{0, 1, 2, 3}});
  CHECK(selected("B=group OW and not index 4") == Positions{{0}});
  CHECK(selected("B=not group OW; A=species O") == Positions{{0, 3}, {1, 2}});
  CHECK(missing(selection_refusal("O; OW"), {"has no group 'O'", "System, OW, a b"}) ==
        "");
  CHECK(missing(selection_refusal("A=group OW X"), {"has no group 'X'"}) == "");
  CHECK(missing(selection_refusal("system"), {"did you mean System?"}) == "");
  CHECK(missing(selection_refusal("none"), {"the group 'none' is empty"}) == "");
  CHECK(missing(selection_refusal("twice"), {"two groups 'twice'"}) == "");
  CHECK(missing(selection_refusal("far"),
                {"far: ", "a.xyz", "'far' has atom 5", "there are 4"}) == "");
  CHECK(missing(error_text<InputError>([] {
                  io::ReadOptions options;
                  options.species = io::parse_species_groups("A=group OW");
                  io::open_trajectory({TextTrajectory(four_atoms, "a.xyz").path},
                                      options);
                }),
                {"no index file", "'OW'", "--index FILE"}) == "");
  CHECK(missing(error_text<InputError>([] { io::parse_species_groups("A=group"); }),
                {"no name after 'group' at character 8"}) == "");
}

TEST_CASE("pairs name groups of an index file") {
  const TextTrajectory index("[ A ]\n1\n[ A-B ]\n2\n[ C ]\n3\n[ D ]\n4\n", "g.ndx");
  const auto names = [&](const std::string& pairs) {
    Words found;
    for (const io::SpeciesGroup& group : io::species_of_index(index.path, pairs)) {
      found.push_back(group.name);
    }
    return found;
  };
  CHECK(names("A-B-C,C-C") == Words{"A-B", "C"});
  CHECK(names("D-A") == Words{"A", "D"});
  CHECK(missing(error_text<InputError>([&] { names("A-X"); }),
                {"g.ndx", "'A-X'", "A, A-B, C, D"}) == "");
  CHECK(missing(error_text<InputError>([&] { names(""); }),
                {"--index", "--pairs", "--species", "A, A-B, C, D"}) == "");
}

}  // namespace
}  // namespace starhist::testing
