// Species without rules: --by, and the defaults for a file with many species.
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;

/// A frame of 120 atoms with this number of names, whose first letter is the element.
std::string named_atoms(int names, bool with_elements) {
  std::string text =
      "120\nLattice=\"9 0 0 0 8 0 1 2 7\" "
      "Properties=species:S:1:pos:R:3:resname:S:1:molid:I:1" +
      std::string(with_elements ? ":element:S:1\n" : "\n");
  for (int k = 0; k < 120; ++k) {
    const std::string element(1, "CHON"[k % 4]);
    text += element + std::to_string(k % names / 4 + 1 + 100 * (k % 4)) + " " +
            std::to_string(0.37 * (k * 7 % 23)) + " " +
            std::to_string(0.29 * (k * 5 % 29)) + " " +
            std::to_string(0.21 * (k * 11 % 31)) + (k < 60 ? " ALA " : " SOL ") +
            std::to_string(k / 40 + 1) + (with_elements ? " " + element : "") + "\n";
  }
  return text;
}

/// Gives the atoms whose names start with C names that start with Q, which is not an
/// element.
std::string with_names_of_no_element(std::string text) {
  for (std::size_t at = text.find("\nC"); at != std::string::npos;
       at = text.find("\nC", at)) {
    text[at + 1] = 'Q';
  }
  return text;
}

const Words wide_bins{"--r-max", "3", "--bins", "30"};

ProgramRun run_by_default(const RdfRunner& rdf, const std::string& file,
                          const Words& more) {
  Words words{file};
  words.insert(words.end(), wide_bins.begin(), wide_bins.end());
  words.insert(words.end(), more.begin(), more.end());
  return rdf.run(words);
}

std::uint64_t sum_of(const io::ResultFile& result) {
  std::uint64_t sum = 0;
  for (const auto& counts : summed_counts(result)) {
    for (const std::uint64_t count : counts) {
      sum += count;
    }
  }
  return sum;
}

io::ResultFile counted_by_default(const std::string& file, const Words& more) {
  const RdfRunner rdf;
  const ProgramRun done = run_by_default(rdf, file, more);
  INFO(done.err);
  REQUIRE(done.exit_code == 0);
  return rdf.result();
}

TEST_CASE("species by a property have the counts of equivalent rules") {
  const TextTrajectory file(named_atoms(44, true));
  const std::vector<std::pair<std::string, std::string>> same{
      {"element", "C=element C; H=element H; O=element O; N=element N"},
      {"resname", "ALA=resname ALA; SOL=resname SOL"},
      {"molecule", "1=molecule 1; 2=molecule 2; 3=molecule 3"},
      {"all", "all=all"}};
  for (const auto& [by, rules] : same) {
    INFO(by);
    const io::ResultFile one = counted_by_default(file.path, {"--by", by});
    const io::ResultFile other = counted_by_default(file.path, {"--species", rules});
    CHECK(one.layout.species == other.layout.species);
    CHECK(summed_counts(one) == summed_counts(other));
    CHECK(io::value_of(one.record, "species by") == by);
    CHECK(sum_of(one) > 0);
  }
}

TEST_CASE("more than 40 species are counted by element, and all of them on request") {
  const TextTrajectory many(named_atoms(44, true));
  const TextTrajectory few(named_atoms(40, true));
  const io::ResultFile elements = counted_by_default(many.path, {});
  CHECK(elements.layout.species == Words{"C", "H", "N", "O"});
  CHECK(io::value_of(elements.record, "species by") == "element");
  const io::ResultFile all = counted_by_default(many.path, {"--all-pairs"});
  CHECK(all.layout.species.size() == 44);
  CHECK(all.layout.pairs.size() == 990);
  CHECK(counted_by_default(many.path, {"--by", "name"}).layout.species ==
        all.layout.species);
  CHECK(sum_of(all) == sum_of(elements));
  CHECK(counted_by_default(few.path, {}).layout.species.size() == 40);
  CHECK(counted_by_default(many.path, {"--pairs", "C1-H101"}).layout.pairs.size() == 1);

  const RdfRunner rdf;
  CHECK(missing(run_by_default(rdf, many.path, {}).err,
                {"species by element: 4, because the file has many species, 44 (choose "
                 "others with --by"}) == "");
}

TEST_CASE("more than 40 species without elements: the message names the options") {
  const TextTrajectory file(named_atoms(44, false));
  const RdfRunner rdf;
  const ProgramRun refused = run_by_default(rdf, file.path, {});
  CHECK(refused.exit_code == 1);
  CHECK(missing(refused.err,
                {"44 species make 990 pairs",
                 "count elements by --guess-elements (C, H, N, O) or --aliases",
                 "--by resname|molecule|all", "--all-pairs",
                 "the largest: C1 3, C2 3"}) == "");
  // The advice works.
  const io::ResultFile guessed = counted_by_default(file.path, {"--guess-elements"});
  CHECK(guessed.layout.species == Words{"C", "H", "N", "O"});
  CHECK(summed_counts(guessed) ==
        summed_counts(counted_by_default(TextTrajectory(named_atoms(44, true)).path,
                                         {"--by", "element"})));
  const TextTrajectory other(with_names_of_no_element(named_atoms(44, false)));
  CHECK(missing(run_by_default(rdf, other.path, {"--guess-elements"}).err,
                {"44 species", "--aliases FILE to the particles called Q1, Q2, Q3"}) ==
        "");
  const TextTrajectory aliases("C1 C\n", "names");
  CHECK(missing(run_by_default(rdf, file.path, {"--aliases", aliases.path}).err,
                {"44 species",
                 "--aliases FILE to the particles called C2, C3, H101"}) == "");
  CHECK(missing(run_by_default(rdf, file.path, {"--by", "element"}).err,
                {"--by element: the particles of the file have no element",
                 "only species, name, resname, molecule, index"}) == "");
  CHECK(
      missing(run_by_default(rdf, file.path, {"--by", "name", "--species", "A=C1"}).err,
              {"--by and --species exclude each other"}) == "");
  CHECK(missing(run_by_default(rdf, file.path, {"--all-pairs", "--pairs", "C1-C1"}).err,
                {"--all-pairs and --pairs exclude each other"}) == "");
}

}  // namespace
}  // namespace starhist::testing
