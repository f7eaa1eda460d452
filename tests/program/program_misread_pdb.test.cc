// PDB files whose residues, atoms or models were once misread.
#include "tests/program/misread.hh"
#include "tests/support/catch.hh"
#include "tests/support/file_bytes.hh"

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;

const Words few_bins{"--r-max", "6", "--bins", "6"};

/// Number of pairs that `starhist rdf` counts in `text`, including those out of range,
/// and its output.
struct PdbCounts {
  std::uint64_t pairs = 0;
  std::string err;
};

PdbCounts count_pdb(const std::string& text, const Words& options) {
  const RdfRunner rdf;
  write_bytes(rdf.file("a.pdb"), text);
  Words words{rdf.file("a.pdb")};
  words.insert(words.end(), few_bins.begin(), few_bins.end());
  words.insert(words.end(), options.begin(), options.end());
  const ProgramRun run = rdf.run(words);
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  PdbCounts counted{0, run.err};
  for (const auto& pairs : total(rdf.result().blocks).pairs) {
    counted.pairs += pairs;
  }
  return counted;
}

std::string pdb_refusal(const std::string& text, const Words& options,
                        std::initializer_list<const char*> words) {
  const RdfRunner rdf;
  write_bytes(rdf.file("a.pdb"), text);
  Words all{rdf.file("a.pdb")};
  all.insert(all.end(), few_bins.begin(), few_bins.end());
  all.insert(all.end(), options.begin(), options.end());
  return refusal_problem(rdf, rdf.run(all), words);
}

/// An atom whose columns 13 to 27 are `names`, at x = `x`.
std::string atom(const std::string& names, double x) {
  char line[100];
  std::snprintf(line, sizeof line, "HETATM    1 %-15s   %8.3f   1.000   1.000\n",
                names.c_str(), x);
  return line;
}

const Words inter{"--exclude-same", "residue"};

TEST_CASE("PDB: residues of equal number and name in two chains are two") {
  const std::string mini = read_bytes(data_file("misread/mini.pdb"));
  CHECK(count_pdb(mini, inter).pairs == 4);
  CHECK(misread_problem("icode.pdb") == "");
  CHECK(misread_problem("hybrid36.pdb") == "");
}

TEST_CASE("PDB: pairs of different residues, for each property that separates them") {
  const auto two_ligands = [](const std::string& first, const std::string& between,
                              const std::string& second) {
    return count_pdb(atom(" C1  " + first, 1) + atom(" C2  " + first, 2) + between +
                         atom(" C1  " + second, 5) + atom(" C2  " + second, 6) +
                         "END\n",
                     inter)
        .pairs;
  };
  CHECK(two_ligands("LIG A   1", "", "LIG B   1") == 4);
  CHECK(two_ligands("LIG     1", "TER\n", "LIG     1") == 4);
  CHECK(two_ligands("LIG A   1", "TER       3      LIG A   1\n", "LIG A   1") == 4);
  CHECK(two_ligands("LIG A   1", "", "LIG A   1A") == 4);
  CHECK(two_ligands("LIG A   1", "", "LIG a   1") == 4);
  CHECK(two_ligands("LIG A   1", "", "LIX A   1") == 4);
  CHECK(two_ligands("LIG A  -1", "", "LIG A   1") == 4);
  CHECK(two_ligands("LIG A   1", "", "LIG A   1") == 0);
  // Only segments.
  const auto segment = [](const std::string& name, double x) {
    std::string line = atom(" C1  LIG     1", x);
    line.insert(line.size() - 1, std::string(72 - line.size() + 1, ' ') + name);
    return line;
  };
  CHECK(count_pdb(segment("ONE", 1) + segment("TWO", 2) + "END\n", inter).pairs == 1);
  CHECK(count_pdb(segment("ONE", 1) + segment("ONE", 2) + "END\n", inter).pairs == 0);
}

TEST_CASE("PDB: chains that alternate atom by atom keep their residues") {
  const std::string text = atom(" C1  LIG A   1", 1) + atom(" C1  LIG B   1", 5) +
                           atom(" C2  LIG A   1", 2) + atom(" C2  LIG B   1", 6);
  CHECK(count_pdb(text, inter).pairs == 4);
  // Numbers that restart belong to other residues.
  const std::string wrapped = atom(" C1  SOL A9999", 1) + atom(" C2  SOL A9999", 2) +
                              atom(" C1  SOL A   0", 3) + atom(" C2  SOL A   0", 4) +
                              atom(" C1  SOL A9999", 5) + atom(" C2  SOL A9999", 6);
  CHECK(count_pdb(wrapped, inter).pairs == 12);
}

TEST_CASE("PDB: residue numbers beyond 9999 in all forms") {
  const auto pairs = [](const Words& numbers) {
    std::string text;
    double x = 1;
    for (const std::string& number : numbers) {
      text += atom(" C1  LIG " + number, x) + atom(" C2  LIG " + number, x + 0.5);
      x += 1;
    }
    return count_pdb(text, inter).pairs;
  };
  for (const Words& numbers :
       {Words{"A9999", "AA000", "AA001"}, Words{"AZZZZ", "Aa000", "Aa001"},
        Words{"A9999", "A10000", "A10001"}, Words{" 9999", "10000", "10001"},
        Words{" 9999", " 2710", " 2711"}, Words{" 271a", " 271b", " 271c"}}) {
    INFO(numbers[1]);
    CHECK(pairs(numbers) == 12);
  }
  for (const char* number : {" ****", " 52A ", "A1 2 ", "AaB12", " 1.5 "}) {
    INFO(number);
    CHECK(pdb_refusal(
              atom(" C1  LIG A   1", 1) + atom(std::string(" C2  LIG ") + number, 2),
              {}, {"a.pdb", "line 2", "residue number"}) == "");
  }
}

TEST_CASE("PDB: models with and without ENDMDL") {
  CHECK(misread_problem("no-endmdl.pdb") == "");
  const std::string three =
      atom(" C1  LIG A   1", 1) + atom(" C2  LIG A   1", 2) + atom(" C3  LIG A   1", 3);
  const std::string two = three.substr(0, 2 * three.size() / 3);
  const std::string end = "ENDMDL\n";
  CHECK(count_pdb("MODEL 1\n" + three + "MODEL 1\n" + three + "MODEL 7\n" + three, {})
            .pairs == 9);
  CHECK(count_pdb("MODEL 1\n" + three + end + "MODEL 2\n" + two + end, {}).pairs == 4);
  CHECK(pdb_refusal(
            "MODEL 1\n" + three + end + "MODEL 2\n" + two + "MODEL 3\n" + three + end,
            {}, {"2 atoms", "no ENDMDL", "--skip-bad-frames"}) == "");
  CHECK(pdb_refusal("MODEL 1\n" + three + end + three, {},
                    {"line 6", "outside of MODEL"}) == "");
  CHECK(pdb_refusal(three + "MODEL 1\n" + three + end, {},
                    {"line 4", "begins a model"}) == "");
  CHECK(pdb_refusal("MODEL 1\nMODEL 2\n" + three + end, {},
                    {"line 2", "without atoms"}) == "");
}

TEST_CASE("PDB: models that differ in their atoms are counted by atom names") {
  const std::string carbon =
      "MODEL 1\n" + atom(" C1  LIG A   1", 1) + atom(" C2  LIG A   1", 2) + "ENDMDL\n";
  const std::string oxygen =
      "MODEL 2\n" + atom(" O1  LIG A   1", 1) + atom(" C2  LIG A   1", 2) + "ENDMDL\n";
  CHECK(missing(count_pdb(carbon + oxygen, {"--pairs", "C1-C2"}).err,
                {"models differ in their atoms"}) == "");
  CHECK(count_pdb(carbon + oxygen, {"--pairs", "C1-C2"}).pairs == 1);
  CHECK(count_pdb(carbon + oxygen, {"--pairs", "O1-C2"}).pairs == 1);
  CHECK(pdb_refusal(carbon + oxygen, {"--species", "A=name C2"},
                    {"atom 1 is 'O1 LIG A 1'", "'C1 LIG A 1'", "--last"}) == "");
  CHECK(pdb_refusal(carbon + oxygen, inter, {"differ from the first frame's"}) == "");
}

TEST_CASE("PDB: files with different atoms are counted separately, and merged") {
  const RdfRunner rdf;
  const std::string two = atom(" C1  LIG A   1", 1) + atom(" C2  LIG A   1", 2);
  write_bytes(rdf.file("a.pdb"), two);
  write_bytes(rdf.file("b.pdb"), two + atom(" C1  LIG A   2", 3));
  CHECK(refusal_problem(rdf, rdf.run({rdf.file("a.pdb"), rdf.file("b.pdb")}),
                        {"b.pdb: has 3 particles, but", "a.pdb 2", "starhist merge"}) ==
        "");
  for (const char* name : {"a", "b"}) {
    const std::string path = rdf.file(name);
    REQUIRE(run_program({"rdf", path + ".pdb", "--r-max", "6", "--bins", "6", "-o",
                         path + ".h5"})
                .exit_code == 0);
  }
  const ProgramRun merged =
      run_program({"merge", rdf.file("a.h5"), rdf.file("b.h5"), "-o", rdf.output()});
  INFO(merged.err);
  REQUIRE(merged.exit_code == 0);
  std::uint64_t pairs = 0;
  for (const std::uint64_t of_species : total(rdf.result().blocks).pairs) {
    pairs += of_species;
  }
  CHECK(pairs == 1 + 3);
}

TEST_CASE("PDB: one model has one box") {
  const std::string atoms = atom(" C1  LIG A   1", 1) + atom(" C2  LIG A   1", 8.5);
  const auto cell = [](const char* a) {
    return std::string("CRYST1   ") + a + "   20.000   20.000  90.00  90.00  90.00\n";
  };
  const std::string ten = cell("10.000");
  const std::string nine = cell(" 9.000");
  CHECK(pdb_refusal(ten + nine + atoms, {}, {"line 2", "CRYST1", "--box"}) == "");
  CHECK(pdb_refusal(ten + atoms + nine, {}, {"line 4", "CRYST1", "--box"}) == "");
  CHECK(pdb_refusal(ten + atoms + ten + atoms, {}, {"line 5", "put END"}) == "");
  CHECK(count_pdb(ten + nine + atoms, {"--box", "none"}).pairs == 1);
  // Within 6 Angstrom through the boundary of 9 and 10.
  const auto near = [](const std::string& text) {
    const RdfRunner rdf;
    write_bytes(rdf.file("a.pdb"), text);
    const ProgramRun run = rdf.run(
        {rdf.file("a.pdb"), "--r-max", "3", "--bins", "6", "--species", "C=C1 C2"});
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    return summed_counts(rdf.result())[0];
  };
  using Bins = std::vector<std::uint64_t>;
  // 7.5 is 2.5 in the box of 10 and 1.5 in that of 9.
  CHECK(near(ten + "MODEL 1\n" + atoms + "MODEL 2\n" + nine + atoms) ==
        Bins{0, 0, 0, 1, 0, 1});
  CHECK(near("MODEL 1\n" + ten + atoms + nine + "MODEL 2\n" + atoms) ==
        Bins{0, 0, 0, 1, 0, 1});
  CHECK(near(atoms + ten + "END\n") == Bins{0, 0, 0, 0, 0, 1});
}

TEST_CASE("PDB: a cell with one length of 0 is not an open box") {
  const std::string atoms = atom(" C1  LIG A   1", 1) + atom(" C2  LIG A   1", 2);
  const auto cell = [](const char* lengths) {
    return std::string("CRYST1") + lengths + "  90.00  90.00  90.00\n";
  };
  CHECK(pdb_refusal(cell("    0.000    0.000   10.000") + atoms, {},
                    {"CRYST1 is not a cell", "--box"}) == "");
  CHECK(count_pdb(cell("    0.000    0.000    0.000") + atoms, {}).pairs == 1);
}

TEST_CASE("PDB: PDBQT is refused, and a byte order mark is not part of a record") {
  const std::string atoms = atom(" C1  LIG A   1", 1) + atom(" C2  LIG A   1", 2);
  CHECK(pdb_refusal("ROOT\n" + atoms + "ENDROOT\nTORSDOF 0\n", {},
                    {"is PDBQT", "charges and types", "obabel"}) == "");
  const RdfRunner rdf;
  write_bytes(rdf.file("a.pdbqt"), atoms);
  CHECK(refusal_problem(rdf, rdf.run({rdf.file("a.pdbqt")}), {"is PDBQT"}) == "");
  CHECK(count_pdb("\xEF\xBB\xBF" + atoms, {}).pairs == 1);
}

TEST_CASE("PDB: SCALE that rotates the cell defines another box") {
  const std::string atoms = atom(" C1  LIG A   1", 1) + atom(" C2  LIG A   1", 2);
  const std::string cell = "CRYST1   10.000   20.000   20.000  90.00  90.00  90.00\n";
  const std::string same =
      "SCALE1      0.100000  0.000000  0.000000        0.00000\n"
      "SCALE2      0.000000  0.050000  0.000000        0.00000\n"
      "SCALE3      0.000000  0.000000  0.050000        0.00000\n";
  const std::string turned =
      "SCALE1      0.000000  0.100000  0.000000        0.00000\n"
      "SCALE2      0.050000  0.000000  0.000000        0.00000\n"
      "SCALE3      0.000000  0.000000  0.050000        0.00000\n";
  CHECK(count_pdb(cell + same + atoms, {}).pairs == 1);
  CHECK(pdb_refusal(cell + turned + atoms, {}, {"SCALE", "--box"}) == "");
  CHECK(count_pdb(cell + turned + atoms, {"--box", "none"}).pairs == 1);
}

TEST_CASE("PDB: a note says that copies by symmetry are not counted") {
  const std::string atoms = atom(" C1  LIG A   1", 1) + atom(" C2  LIG A   1", 2);
  const auto cell = [](const char* group) {
    return std::string("CRYST1   30.000   30.000   30.000  90.00  90.00  90.00 ") +
           group + "\n";
  };
  CHECK(missing(count_pdb(cell("P 21 21 21    4") + atoms, {}).err,
                {"space group P 21 21 21", "no copies by symmetry"}) == "");
  CHECK(count_pdb(cell("P 1           1") + atoms, {}).err.find("symmetry") ==
        std::string::npos);
  const std::string one = "  1.000000  0.000000  0.000000        5.00000";
  CHECK(missing(count_pdb("MTRIX1   2" + one + "\n" + atoms, {}).err,
                {"MTRIX", "no copies"}) == "");
  CHECK(count_pdb("MTRIX1   1" + one + "    1\n" + atoms, {}).err.find("MTRIX") ==
        std::string::npos);  // the file's copies
}

TEST_CASE("PDB: records outside of the format") {
  const std::string atoms = atom(" C1  LIG A   1", 1) + atom(" C2  LIG A   1", 2);
  CHECK(missing(count_pdb("FOOBAR 1\n" + atoms, {}).err, {"FOOBAR"}) == "");
  const std::vector<std::pair<std::string, const char*>> misspelled = {
      {"CRYST 10 10 10 90 90 90", "'CRYST'"},
      {"atom  ", "'atom'"},
      {"MODELL 2", "'MODELL'"},
      {"Cell 1", "'Cell 1'"},
      {"ATOMX", "'ATOMX'"}};
  for (const auto& [record, name] : misspelled) {
    INFO(record);
    CHECK(pdb_refusal(atoms + record + "\n" + atoms, {}, {"line 3", name}) == "");
  }
  // Serial numbers of six and seven digits.
  CHECK(count_pdb(atoms + "ATOM 100000  C3  LIG A   1       3.000   1.000   1.000\n"
                          "ATOM1000000  C4  LIG A   1       4.000   1.000   1.000\n",
                  {})
            .pairs == 6);
}

/// A residue with two locations of C2, and a neighbour.
std::string with_locations() {
  return atom(" C1  LIG A   1", 1) + atom(" C2 ALIG A   1", 2) +
         atom(" C2 BLIG A   1", 2.5) + atom(" C3  LIG A   2", 5);
}

TEST_CASE("PDB: the first alternate location is read, or another, or all") {
  const PdbCounts first = count_pdb(with_locations(), {});
  CHECK(first.pairs == 3);
  CHECK(missing(first.err, {"1 atom has alternate locations (A, B)", "the first",
                            "1 is left out", "--altloc"}) == "");
  CHECK(count_pdb(with_locations(), {"--altloc", "all"}).pairs == 6);
  const PdbCounts second = count_pdb(with_locations(), {"--altloc", "B"});
  CHECK(second.pairs == 3);
  CHECK(missing(second.err, {"location B"}) == "");
  CHECK(pdb_refusal(with_locations(), {"--altloc", "Q"},
                    {"no atom has the alternate location Q", "A, B"}) == "");
  CHECK(pdb_refusal(atom(" C1  LIG A   1", 1) + atom(" C2  LIG A   1", 2),
                    {"--altloc", "A"}, {"has no alternate locations"}) == "");
}

TEST_CASE("PDB: positions are those of the chosen location") {
  const auto bins = [](const std::string& choice) {
    const RdfRunner rdf;
    write_bytes(rdf.file("a.pdb"), with_locations());
    const ProgramRun run =
        rdf.run({rdf.file("a.pdb"), "--r-max", "2", "--bins", "8", "--altloc", choice,
                 "--pairs", "C1-C2", "--box", "none"});
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    return summed_counts(rdf.result())[0];
  };
  using Bins = std::vector<std::uint64_t>;
  CHECK(bins("first") == Bins{0, 0, 0, 0, 1, 0, 0, 0});
  CHECK(bins("A") == Bins{0, 0, 0, 0, 1, 0, 0, 0});
  CHECK(bins("B") == Bins{0, 0, 0, 0, 0, 0, 1, 0});
  CHECK(bins("all") == Bins{0, 0, 0, 0, 1, 0, 1, 0});
}

TEST_CASE("PDB: locations in blocks, of other residues, and of some atoms only") {
  // All of A, then all of B.
  const std::string blocks = atom(" C1 ALIG A   1", 1) + atom(" C2 ALIG A   1", 2) +
                             atom(" C1 BLIG A   1", 3) + atom(" C2 BLIG A   1", 4);
  CHECK(count_pdb(blocks, {}).pairs == 1);
  // Serine or threonine.
  const std::string mixed = atom(" CB ASER A   5", 1) + atom(" OG ASER A   5", 2) +
                            atom(" CB BTHR A   5", 3) + atom(" OG1BTHR A   5", 4) +
                            atom(" CG2BTHR A   5", 5);
  CHECK(count_pdb(mixed, {}).pairs == 1);
  CHECK(count_pdb(mixed, {"--altloc", "B"}).pairs == 3);
  // Without a location A: B is the only one.
  const std::string only =
      atom(" C1 ALIG A   1", 1) + atom(" C1 BLIG A   1", 2) + atom(" C2 BLIG A   1", 3);
  CHECK(count_pdb(only, {"--altloc", "A"}).pairs == 1);
  // A single letter per atom is not an alternative.
  const PdbCounts single =
      count_pdb(atom(" C1 ALIG A   1", 1) + atom(" C2 ALIG A   1", 2), {});
  CHECK(single.pairs == 1);
  CHECK(missing(single.err, {"alternate"}) != "");
}

TEST_CASE("PDB: contradictory locations are refused") {
  CHECK(pdb_refusal(atom(" C1 ALIG A   1", 1) + atom(" C1 ALIG A   1", 2), {},
                    {"atom 2", "location A", "--altloc all"}) == "");
  CHECK(pdb_refusal(atom(" C1  LIG A   1", 1) + atom(" C1 BLIG A   1", 2), {},
                    {"atom 1", "B", "--altloc all"}) == "");
  CHECK(count_pdb(atom(" C1  LIG A   1", 1) + atom(" C1 BLIG A   1", 2),
                  {"--altloc", "all"})
            .pairs == 1);
}

TEST_CASE("alternate locations of a structure are chosen as well") {
  const RdfRunner rdf;
  write_bytes(rdf.file("names.pdb"), with_locations());
  write_bytes(rdf.file("a.xyz"), "3\n\nX 1 1 1\nX 2 1 1\nX 5 1 1\n");
  const ProgramRun run =
      rdf.run({rdf.file("a.xyz"), "--structure", rdf.file("names.pdb"), "--r-max", "2",
               "--bins", "2", "--unit", "A"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK(rdf.result().layout.species == Words{"C1", "C2", "C3"});
}

TEST_CASE("chain, segment and insertion code are terms of selections") {
  const std::string icode = read_bytes(data_file("misread/icode.pdb"));
  CHECK(count_pdb(icode, {"--species", "X=resid 52 and icode A B"}).pairs == 15);
  CHECK(count_pdb(icode, {"--species", "X=resid 52 and icode \"\""}).pairs == 3);
  const std::string mini = read_bytes(data_file("misread/mini.pdb"));
  CHECK(count_pdb(mini, {"--species", "X=chain B"}).pairs == 1);
  CHECK(count_pdb(mini, {"--by", "chain", "--pairs", "A-B"}).pairs == 4);
  CHECK(pdb_refusal(mini, {"--species", "X=segment PROA"}, {"segment"}) == "");
}

}  // namespace
}  // namespace starhist::testing
