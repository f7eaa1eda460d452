// Pairs of the same molecule excluded or counted exclusively, species that share
// particles, r_min: through the program, on real water.
#include "tests/program/json_value.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/water_molecules.hh"

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;

constexpr std::uint64_t molecules = WaterMolecules::count;
constexpr std::uint64_t molecule_frames = 4;

class Water {
 public:
  /// rdf of the first frames.
  Words arguments(const Words& more) const {
    Words words{file_.path(), "--r-max", "1.4", "--last", "3"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  io::ResultFile counted(const Words& more) const {
    const RdfRunner rdf;
    const ProgramRun run = rdf.run(arguments(more));
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    return rdf.result();
  }

 private:
  WaterMolecules file_;
};

TEST_CASE("pairs of other molecules and of the same one add up to all pairs") {
  const Water water;
  const BlockCounts all = water.counted({"--bins", "280"}).blocks[0];
  const io::ResultFile inter =
      water.counted({"--bins", "280", "--exclude-same", "molecule"});
  const io::ResultFile intra =
      water.counted({"--bins", "280", "--only-same", "molecule"});
  CHECK(inter.layout.exclusion == Exclusion::same_molecule);
  CHECK(intra.layout.exclusion == Exclusion::different_molecules);
  CHECK(intra.blocks[0].pairs ==
        std::vector<std::uint64_t>{molecule_frames * molecules,
                                   2 * molecule_frames * molecules, 0});
  CHECK(inter.blocks[0].excluded == intra.blocks[0].pairs);
  for (std::size_t p = 0; p < 3; ++p) {
    CHECK(inter.blocks[0].pairs[p] + intra.blocks[0].pairs[p] == all.pairs[p]);
    for (std::size_t k = 0; k < 280; ++k) {
      CHECK(inter.blocks[0].counts[p][k] + intra.blocks[0].counts[p][k] ==
            all.counts[p][k]);
    }
  }
  // O-H bonds are 0.1 nm long: in bins 19 and 20, and no bonded H is nearer to others.
  const auto& bonds = intra.blocks[0].counts[1];
  CHECK(bonds[19] + bonds[20] == 2 * molecule_frames * molecules);
  CHECK(inter.blocks[0].counts[1][19] + inter.blocks[0].counts[1][20] == 0);
}

TEST_CASE("clusters, tasks and schedulers do not affect exclusions") {
  const Water water;
  const io::ResultFile expected = water.counted(
      {"--bins", "140", "--exclude-same", "molecule", "--clusters", "off"});
  for (const Words& more :
       {Words{"--clusters", "on"}, Words{"--clusters", "on", "--task-pairs", "50000"},
        Words{"--cpu-mode", "team"}, Words{"--block", "1"}}) {
    Words words{"--bins", "140", "--exclude-same", "molecule"};
    words.insert(words.end(), more.begin(), more.end());
    CHECK(summed_counts(water.counted(words)) == summed_counts(expected));
  }
}

TEST_CASE("species that share particles: no particle pairs with itself") {
  const Water water;
  const Words bins{"--bins", "140"};
  const auto with = [&](const std::string& rules) {
    Words words = bins;
    words.insert(words.end(), {"--species", rules});
    return water.counted(words);
  };
  const BlockCounts apart = water.counted(bins).blocks[0];  // H-H, H-O, O-O
  const io::ResultFile result = with("O=name O; all=all");  // O-O, O-all, all-all
  const BlockCounts shared = result.blocks[0];
  REQUIRE(result.layout.species == Words{"O", "all"});
  CHECK(shared.excluded ==
        std::vector<std::uint64_t>{0, molecule_frames * molecules, 0});
  CHECK(shared.pairs[1] == molecule_frames * molecules * (3 * molecules - 1));
  for (std::size_t k = 0; k < 140; ++k) {
    CHECK(shared.counts[1][k] == 2 * apart.counts[2][k] + apart.counts[1][k]);
    CHECK(shared.counts[2][k] ==
          apart.counts[0][k] + apart.counts[1][k] + apart.counts[2][k]);
  }
}

TEST_CASE("bins from r_min on have the counts of bins from zero on") {
  const Water water;
  const BlockCounts all = water.counted({"--bins", "280"}).blocks[0];
  for (const Words& bins : {Words{"--bins", "240"}, Words{"--bin-width", "0.005"}}) {
    Words words{"--r-min", "0.2"};
    words.insert(words.end(), bins.begin(), bins.end());
    const io::ResultFile result = water.counted(words);
    const BlockCounts& block = result.blocks[0];
    CHECK(result.layout.bins.count == 240);
    CHECK(block.out_of_range == all.out_of_range);
    for (std::size_t p = 0; p < 3; ++p) {
      std::uint64_t below = 0;
      for (std::size_t k = 0; k < 280; ++k) {
        below += k < 40 ? all.counts[p][k] : 0;
        CHECK((k < 40 || block.counts[p][k - 40] == all.counts[p][k]));
      }
      CHECK(block.underflow[p] == below);
    }
    CHECK(block.underflow[1] > 0);
  }
}

TEST_CASE("impossible exclusions are refused with a message") {
  const Water water;
  const RdfRunner rdf;
  const auto problem = [&](const Words& more,
                           std::initializer_list<const char*> words) {
    Words all{"--bins", "10"};
    all.insert(all.end(), more.begin(), more.end());
    return refusal_problem(rdf, rdf.run(water.arguments(all)), words);
  };
  CHECK(problem({"--exclude-same", "residue"},
                {"water.h5", "does not specify which residue",
                 "--exclude-same residue"}) == "");
  CHECK(problem({"--only-same", "chain"},
                {"--only-same 'chain'", "molecule, residue"}) == "");
  CHECK(problem({"--only-same", "molecule", "--exclude-same", "molecule"},
                {"exclude each other"}) == "");
  CHECK(problem({"--r-min", "0.33"}, {"--r-min 0.33", "use --r-min"}) == "");
}

TEST_CASE("without molecules, the message points to --exclude-same residue") {
  const RdfRunner rdf;
  const ProgramRun run =
      rdf.run({data_file("water-spce.xtc"), "--structure", data_file("water-214.gro"),
               "--r-max", "0.5", "--bins", "10", "--only-same", "molecule"});
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {"it specifies residues: give --only-same residue"}) == "");
}

TEST_CASE("info, export, summary and explain report exclusions") {
  const Water water;
  const RdfRunner rdf;
  const ProgramRun run =
      rdf.run(water.arguments({"--bins", "200", "--r-min", "0.4", "--exclude-same",
                               "molecule", "--json", rdf.file("s.json")}));
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK(missing(run.err, {"10 608 pairs of the same molecule are left out"}) == "");
  const std::string json = rdf.file("s.json");
  CHECK(json_value(json, "d['excluded_pairs'], d['exclusion']") ==
        "10608 same molecule");
  CHECK(missing(run_program({"info", rdf.output()}).out,
                {"200 of 0.005 nm from 0.4 nm up to 1.4 nm", "below the first bin",
                 "7 072 pairs of the same molecule are left out"}) == "");
  CHECK(missing(run_program({"export", rdf.output(), "--quantity", "counts"}).out,
                {"# r_min: 0.4\n", "# excluded: same molecule\n",
                 "excluded_pairs: 3536\n", "underflow: "}) == "");
  Words words = water.arguments({"--bins", "200", "--only-same", "molecule"});
  words.insert(words.begin(), "rdf");
  words.push_back("--explain");
  CHECK(missing(run_program(words).out, {"2 652 pairs of the same molecule",
                                         "other pairs are not evaluated"}) == "");
  words[words.size() - 3] = "--exclude-same";
  CHECK(missing(run_program(words).out,
                {"clusters: ", "2 652 pairs of the same molecule are left out"}) == "");
}

TEST_CASE("coordination numbers of one molecule: two H around O, at any r beyond") {
  const Water water;
  const RdfRunner rdf;
  const ProgramRun run =
      rdf.run(water.arguments({"--bins", "28", "--only-same", "molecule"}));
  REQUIRE(run.exit_code == 0);
  const std::string text =
      run_program({"export", rdf.output(), "--quantity", "coordination"}).out;
  const std::string last = text.substr(text.rfind('\n', text.size() - 2) + 1);
  CHECK(last == "1.4,1,1,2,0\n");  // H around H, O around H, H around O, O around O
}

TEST_CASE("merge: only results that exclude the same pairs") {
  const Water water;
  const RdfRunner a;
  const RdfRunner b;
  const RdfRunner c;
  const auto count = [&](const RdfRunner& rdf, const char* frame, const Words& more) {
    Words words = water.arguments({"--bins", "14", "--first", frame, "--last", frame});
    words.erase(words.begin() + 3, words.begin() + 5);  // --last 3
    words.insert(words.end(), more.begin(), more.end());
    REQUIRE(rdf.run(words).exit_code == 0);
  };
  count(a, "0", {"--exclude-same", "molecule"});
  count(b, "1", {"--exclude-same", "molecule"});
  count(c, "2", {});
  const ProgramRun same =
      run_program({"merge", a.output(), b.output(), "-o", a.file("ab.h5")});
  INFO(same.err);
  CHECK(same.exit_code == 0);
  const io::ResultFile merged = io::read_result(a.file("ab.h5"));
  CHECK(merged.layout.exclusion == Exclusion::same_molecule);
  CHECK(total(merged.blocks).excluded ==
        std::vector<std::uint64_t>{2 * molecules, 4 * molecules, 0});
  const ProgramRun mixed =
      run_program({"merge", a.output(), c.output(), "-o", a.file("ac.h5")});
  CHECK(mixed.exit_code == 1);
  CHECK(missing(mixed.err, {"different excluded pairs", "same molecule", "none"}) ==
        "");
}

}  // namespace
}  // namespace starhist::testing
