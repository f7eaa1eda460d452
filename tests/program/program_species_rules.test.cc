// Species by rules, through the program: counts, refusals, and the properties listed by
// `info`.
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;

const Words rule_bins{"--r-max", "1.2", "--bins", "60"};

Words with_rules(const std::string& file, const std::string& rules,
                 const Words& more = rule_bins) {
  Words words{file, "--species", rules};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

io::ResultFile counted_by_rules(const Words& arguments) {
  const RdfRunner rdf;
  const ProgramRun run = rdf.run(arguments);
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  return rdf.result();
}

TEST_CASE("rdf of selections has the counts of the same species of the file") {
  const std::string water = data_file("water.h5");
  const io::ResultFile all = counted_by_rules(with_rules(water, "H=H; O=O"));
  const io::ResultFile selected = counted_by_rules(
      with_rules(water, "Hydrogen=name H; Oxygen=index 1-2652 and not name H"));
  CHECK(selected.layout.species == Words{"Hydrogen", "Oxygen"});
  CHECK(summed_counts(selected) == summed_counts(all));
  CHECK(total(selected.blocks).pairs == total(all.blocks).pairs);
}

TEST_CASE("rdf of species that share particles: no particle pairs with itself") {
  const std::string water = data_file("water.h5");
  const io::ResultFile result =
      counted_by_rules(with_rules(water, "O=name O; all=all"));
  const auto counts = summed_counts(result);  // O-O, O-all, all-all
  const auto parts = summed_counts(counted_by_rules(with_rules(water, "H=H; O=O")));
  for (std::size_t k = 0; k < counts[0].size(); ++k) {
    CHECK(counts[0][k] == parts[2][k]);
    CHECK(counts[1][k] == parts[1][k] + 2 * parts[2][k]);
    CHECK(counts[2][k] == parts[0][k] + parts[1][k] + parts[2][k]);
  }
}

TEST_CASE("rdf of groups of an index file has the counts of the same selections") {
  const std::string water = data_file("water.h5");
  std::string groups = "[ all ]\n";
  for (int k = 1; k <= 2652; ++k) {
    groups += std::to_string(k) + (k % 15 == 0 ? "\n" : " ");
  }
  groups += "\n[ first ]\n3 2 1 4 5 6 7 8 9 9 9\n[ unused ]\n2653\n";
  const TextTrajectory index(groups, "groups.ndx");
  const io::ResultFile selected =
      counted_by_rules(with_rules(water, "all=all; first=index 1*9"));
  for (const Words& rules : {Words{"--species", "first; all"},
                             Words{"--pairs", "all-all,all-first,first-first"}}) {
    Words words{water, "--index", index.path};
    words.insert(words.end(), rules.begin(), rules.end());
    words.insert(words.end(), rule_bins.begin(), rule_bins.end());
    const io::ResultFile grouped = counted_by_rules(words);
    CHECK(grouped.layout.species == Words{"all", "first"});
    CHECK(summed_counts(grouped) == summed_counts(selected));
  }
}

/// Two waters of an unsorted dump in a tilted box, both cut by its boundaries: their
/// centres of mass are 2 apart along x in frame 0, 3 in frame 1.
std::string rule_dump() {
  const std::string head =
      "ITEM: NUMBER OF ATOMS\n6\nITEM: BOX BOUNDS xy xz yz pp pp pp\n-2 10.5 2.5\n0 "
      "9.5 "
      "-2\n0 8 1.5\nITEM: ATOMS id mol type mass x y z\n";
  return "ITEM: TIMESTEP\n0\n" + head +
         "3 1 2 1 -0.5 0.5 0.5\n1 1 1 16 0.5 0.5 0.5\n5 2 2 1 3.5 0.5 0.5\n"
         "2 1 2 1 9.5 0.5 0.5\n4 2 1 16 5 8.5 0.5\n6 2 2 1 1.5 0.5 0.5\n"
         "ITEM: TIMESTEP\n1\n" +
         head +
         "4 2 1 16 3.5 0.5 0.5\n5 2 2 1 4.5 0.5 0.5\n3 1 2 1 -0.5 0.5 0.5\n"
         "2 1 2 1 -6.5 0.5 0.5\n1 1 1 16 0.5 0.5 0.5\n6 2 2 1 2.5 0.5 0.5\n";
}

TEST_CASE("rdf of centres of mass, of an unsorted dump, molecules cut by boundaries") {
  const TextTrajectory file(rule_dump());
  const io::ResultFile result =
      counted_by_rules(with_rules(file.path, "W=mol_com of all",
                                  {"--r-max", "3.95", "--bins", "79", "--block", "1"}));
  REQUIRE(result.blocks.size() == 2);
  for (std::size_t frame = 0; frame < 2; ++frame) {
    const BlockCounts& block = result.blocks[frame];
    CHECK(block.pairs[0] == 1);
    INFO(frame);
    // 2 or 3, which rounding may put below the edge of a bin
    const std::size_t edge = frame == 0 ? 40 : 60;
    CHECK(block.counts[0][edge - 1] + block.counts[0][edge] == 1);
  }
}

TEST_CASE("rdf of the same centre in two species: no pair with itself") {
  const TextTrajectory file(rule_dump());
  const Words few{"--r-max", "3", "--bins", "3"};
  const BlockCounts shared =
      total(counted_by_rules(
                with_rules(file.path, "W=mol_com of all; A=mol_com of molecule 1", few))
                .blocks);
  CHECK(shared.pairs == std::vector<std::uint64_t>{0, 2, 2});  // A-A, A-W, W-W
  CHECK(shared.counts[1] == shared.counts[2]);
  const io::ResultFile result = counted_by_rules(with_rules(
      file.path, "A=mol_com of molecule 1; B=mol_com of molecule 2; O=type 1", few));
  // The centre of a molecule and its oxygen are different points.
  CHECK(total(result.blocks).pairs == std::vector<std::uint64_t>{0, 2, 4, 0, 4, 2});
}

TEST_CASE("rdf --species: invalid rules are reported in one message") {
  const RdfRunner rdf;
  const std::string water = data_file("water.h5");
  const auto problem = [&](const std::string& rules,
                           std::initializer_list<const char*> words) {
    return refusal_problem(rdf, rdf.run(with_rules(water, rules)), words);
  };
  CHECK(problem("X=name O resname SOL",
                {"no 'and' or 'or' before 'resname'", "character 10"}) == "");
  CHECK(problem("X=name OW",
                {"X: ", "water.h5", "no particle has name 'OW'", "H, O"}) == "");
  CHECK(problem("X=resname SOL",
                {"the particles of the file have no resname", "name, index"}) == "");
  CHECK(problem("X=name O and name H", {"no particle is 'name O and name H'"}) == "");
  CHECK(problem("X=res_com of all", {"particles of the file have no residues"}) == "");
}

TEST_CASE("info: properties for selecting particles") {
  const TextTrajectory file(rule_dump());
  const ProgramRun info = run_program({"info", file.path});
  CHECK(info.exit_code == 0);
  CHECK(missing(info.out, {"select by    id: 1 .. 6", "type: 1, 2",
                           "molecule: 2 molecules, 1 .. 2", "index: 1 .. 6",
                           "masses 1 .. 16"}) == "");
  const TextTrajectory odd(
      "2\nProperties=id:I:1:species:S:1:pos:R:3\n1 A 1 1 1\n1 A 2 2 2\n");
  const ProgramRun none = run_program({"info", odd.path});
  CHECK(none.exit_code == 0);
  CHECK(missing(none.out, {"select by    not possible: ", "the id 1 stands twice"}) ==
        "");
  const ProgramRun species =
      run_program({"info", file.path, "--species", "W=mol_com of all"});
  CHECK(missing(species.out, {"species      W: 2"}) == "");
}

}  // namespace
}  // namespace starhist::testing
