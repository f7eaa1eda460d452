// The selection language: the meaning of each term, and the position of errors.
#include "io/selection/selection.hh"

#include "codelets/core/base/error.hh"
#include "io/selection/species_groups.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"

namespace starhist::testing {
namespace {

using Indices = std::vector<std::size_t>;

/// Two waters, a ligand of two atoms, and an ion.
io::ParticleTable table() {
  io::ParticleTable t;
  t.count = 9;
  t.id = {10, 11, 12, 13, 14, 15, 16, 17, 90};
  t.species = {"1", "2", "2", "1", "2", "2", "7", "8", "9"};
  t.name = {"OW", "HW1", "HW2", "OW", "HW1", "HW2", "C*", "O5'", "NA+"};
  t.type = {"opls_111", "opls_112", "opls_112", "opls_111", "opls_112",
            "opls_112", "opls_400", "opls_401", "opls_407"};
  t.element = {"O", "H", "H", "O", "H", "H", "C", "O", "Na"};
  t.residue_name = {"SOL", "SOL", "SOL", "SOL", "SOL", "SOL", "LIG", "LIG", "NA"};
  t.residue = {1, 1, 1, 2, 2, 2, 3, 3, -4};
  t.molecule = {1, 1, 1, 2, 2, 2, 3, 3, 0};
  return t;
}

Indices chosen(const std::string& selection) {
  const auto groups = io::parse_species_groups("X=" + selection);
  REQUIRE(groups.at(0).selection);
  const std::vector<char> meant = io::select(*groups[0].selection, table());
  Indices indices;
  for (std::size_t k = 0; k < meant.size(); ++k) {
    if (meant[k] != 0) {
      indices.push_back(k);
    }
  }
  return indices;
}

std::string parse_error(const std::string& rules) {
  return error_text<InputError>([&] { io::parse_species_groups(rules); });
}

std::string select_error(const std::string& selection) {
  return error_text<InputError>([&] { chosen(selection); });
}

TEST_CASE("selections: each term") {
  CHECK(chosen("name OW") == Indices{0, 3});
  CHECK(chosen("name HW1 HW2") == Indices{1, 2, 4, 5});
  CHECK(chosen("name HW*") == Indices{1, 2, 4, 5});
  CHECK(chosen("name HW?") == Indices{1, 2, 4, 5});
  CHECK(chosen("name HW[2-9]") == Indices{2, 5});
  CHECK(chosen("name O*") == Indices{0, 3, 7});
  CHECK(chosen("name O5'") == Indices{7});
  CHECK(chosen("name NA+") == Indices{8});
  CHECK(chosen("name \"C*\"") == Indices{6});
  CHECK(chosen("type opls_11?") == Indices{0, 1, 2, 3, 4, 5});
  CHECK(chosen("element O") == Indices{0, 3, 7});
  CHECK(chosen("resname LIG NA") == Indices{6, 7, 8});
  CHECK(chosen("resid 2") == Indices{3, 4, 5});
  CHECK(chosen("resid -4 3") == Indices{6, 7, 8});
  CHECK(chosen("resid -4-1") == Indices{0, 1, 2, 8});
  CHECK(chosen("molecule 1 3") == Indices{0, 1, 2, 6, 7});
  CHECK(chosen("index 1-3 9") == Indices{0, 1, 2, 8});
  CHECK(chosen("id 12-13 90") == Indices{2, 3, 8});
  CHECK(chosen("species 7 8") == Indices{6, 7});
  CHECK(chosen("all").size() == 9);
}

TEST_CASE("selections: not binds before and, and before or, parentheses") {
  CHECK(chosen("element O and not resname LIG") == Indices{0, 3});
  CHECK(chosen("not not name OW") == Indices{0, 3});
  CHECK(chosen("not element O H") == Indices{6, 8});
  CHECK(chosen("name OW or name HW1 and resid 2") == Indices{0, 3, 4});
  CHECK(chosen("(name OW or name HW1) and resid 2") == Indices{3, 4});
  CHECK(chosen("not (name OW or name HW*)and(all)") == Indices{6, 7, 8});
  CHECK(chosen("name OW and resid 1 or name OW and resid 2 or index 9") ==
        Indices{0, 3, 8});
}

TEST_CASE("selections with errors are refused with the position") {
  CHECK(missing(parse_error("X=name"), {"no value after 'name' at character 7"}) == "");
  CHECK(missing(parse_error("X=name and name OW"),
                {"no value after 'name' at character 8"}) == "");
  CHECK(missing(parse_error("X=name OW resname SOL"),
                {"no 'and' or 'or' before 'resname' at character 11"}) == "");
  CHECK(missing(parse_error("X=name OW and"),
                {"a selection is missing at character 14"}) == "");
  CHECK(missing(parse_error("A=name OW; X=not ;"),
                {"';' in place of a selection at character 18"}) == "");
  CHECK(missing(parse_error("X=name OW or OW"),
                {"'OW' in place of a selection at character 14"}) == "");
  CHECK(missing(parse_error("X=(name OW"),
                {"'(' without a closing ')' at character 3"}) == "");
  CHECK(missing(parse_error("X=name OW)"), {"no ';' at character 10"}) == "");
  CHECK(missing(parse_error("X=()"), {"')' in place of a selection"}) == "");
  CHECK(missing(parse_error("X=name \"OW"),
                {"a \" without a closing \" at character 8"}) == "");
  CHECK(missing(parse_error("X=index 1-x"), {"'1-x' is neither", "character 9"}) == "");
  CHECK(missing(parse_error("X=resid 1.5"), {"'1.5' is neither"}) == "");
  CHECK(missing(parse_error("X=resid 99999999999999999999"), {"is neither"}) == "");
  CHECK(missing(parse_error("X=resid 7-3"), {"the range '7-3' is empty"}) == "");
  CHECK(missing(parse_error("X=res_com resname SOL"),
                {"no 'of' after 'res_com' at character 11"}) == "");
  CHECK(missing(parse_error("X=mol_cog of SOL"), {"'SOL' in place of a selection"}) ==
        "");
  CHECK(missing(parse_error("X=" + std::string(5000, '(') + "all"),
                {"more than 100 parentheses"}) == "");
  std::string nots = "X=";
  for (int k = 0; k < 5000; ++k) {
    nots += "not ";
  }
  CHECK(missing(parse_error(nots + "all"), {"more than 100"}) == "");
}

/// A peptide of two atoms in chain A, water and an ion in chain B.
io::ParticleTable protein() {
  io::ParticleTable t;
  t.count = 6;
  t.species = t.name = {"N", "CB", "OW", "HW1", "CA", "O"};
  t.residue_name = {"ALA", "ALA", "SOL", "SOL", "CA", "GLY"};
  t.residue = {1, 1, 2, 2, 3, 1};
  t.chain = {"A", "A", "B", "B", "B", "A"};
  t.molecule = {1, 1, 2, 2, 3, 1};
  t.mass = {14, 12, 16, 1, 40, 16};
  t.charge = {-0.5, 0, -0.8, 0.4, 2, -0.5};
  return t;
}

Indices chosen_of(const io::ParticleTable& table, const std::string& selection) {
  const auto groups = io::parse_species_groups("X=" + selection);
  const std::vector<char> meant = io::select(groups.at(0).selection.value(), table);
  Indices indices;
  for (std::size_t k = 0; k < meant.size(); ++k) {
    if (meant[k] != 0) {
      indices.push_back(k);
    }
  }
  return indices;
}

TEST_CASE("selections by keyword, mass, charge and compound") {
  const io::ParticleTable t = protein();
  CHECK(chosen_of(t, "protein") == Indices{0, 1, 5});
  CHECK(chosen_of(t, "backbone") == Indices{0, 5});
  CHECK(chosen_of(t, "water") == Indices{2, 3});
  CHECK(chosen_of(t, "ion") == Indices{4});
  CHECK(chosen_of(t, "not (protein or water)") == Indices{4});
  CHECK(chosen_of(t, "mass > 14") == Indices{2, 4, 5});
  io::ParticleTable single = t;
  single.mass[3] = 1.008F;
  CHECK(chosen_of(single, "mass == 1.008") == Indices{3});
  CHECK(chosen_of(single, "mass <= 1.008") == Indices{3});
  CHECK(chosen_of(single, "mass < 1.008 or mass > 1.008") == Indices{0, 1, 2, 4, 5});
  CHECK(chosen_of(t, "mass>=14 and charge<-0.5") == Indices{2});
  CHECK(chosen_of(t, "charge <= 0 and charge != -0.5") == Indices{1, 2});
  CHECK(chosen_of(t, "charge == -0.5") == Indices{0, 5});
  CHECK(chosen_of(t, "same residue as name CB") == Indices{0, 1});
  CHECK(chosen_of(t, "same molecule as name CB and not name N") == Indices{1, 5});
  CHECK(chosen_of(t, "same chain as mass < 2") == Indices{2, 3, 4});
  CHECK(chosen_of(t, "same chain as (name HW1 or name O)").size() == 6);
}

TEST_CASE("words of newer terms remain values and species of the short form") {
  io::ParticleTable t = protein();
  t.chain = {"x", "x", "y", "within", "same", "ion"};
  CHECK(chosen_of(t, "chain x y") == Indices{0, 1, 2});
  CHECK(chosen_of(t, "chain within same ion and not chain same") == Indices{3, 5});
  const auto groups = io::parse_species_groups("A=x y; B=within; C=same; D=\"ion\"");
  for (const io::SpeciesGroup& group : groups) {
    CHECK(!group.selection);
  }
  CHECK(groups[0].members == std::vector<std::string>{"x", "y"});
  t.species[0] = "ion";
  CHECK(missing(error_text<InputError>([&] { chosen_of(t, "ion"); }),
                {"'ion' is a keyword and a species", "write species ion"}) == "");
}

TEST_CASE("selections by missing properties are refused with the remedy") {
  const auto problem = [](const std::string& rule, auto column) {
    io::ParticleTable t = protein();
    (t.*column).clear();
    return error_text<InputError>([&] { chosen_of(t, rule); });
  };
  using Table = io::ParticleTable;
  CHECK(missing(problem("mass > 1", &Table::mass), {"no masses", "--structure"}) == "");
  CHECK(missing(problem("charge > 1", &Table::charge),
                {"no charges", "--structure", "name"}) == "");
  CHECK(missing(problem("water", &Table::residue_name),
                {"'water' selects by residue name", "--structure"}) == "");
  CHECK(missing(problem("backbone", &Table::name),
                {"'backbone' selects by atom name", "N, CA, C, O"}) == "");
  CHECK(missing(problem("same residue as index 1", &Table::residue),
                {"residues", "--structure"}) == "");
  CHECK(missing(problem("same molecule as index 1", &Table::molecule),
                {"molecules", "--structure"}) == "");
  CHECK(missing(problem("same chain as index 1", &Table::chain),
                {"chains", "--structure"}) == "");
  io::ParticleTable dry = protein();
  dry.residue_name[2] = dry.residue_name[3] = "XYZ";
  CHECK(missing(error_text<InputError>([&] { chosen_of(dry, "water"); }),
                {"no residue is 'water'", "XYZ", "resname"}) == "");
}

TEST_CASE("selections by distance and comparisons with errors are refused") {
  const auto check = [](const std::string& rule, const char* words) {
    CHECK(missing(parse_error("X=" + rule), {words}) == "");
  };
  check("(within 3.5A of name OW)", "omit the unit (distances");
  check("(within a of name OW)", "'a' in place of a distance above 0");
  check("within 0 of name OW", "'0' in place of a distance above 0");
  check("within -1 of name OW", "'-1' in place of a distance");
  check("(within nan of name OW)", "'nan' in place of a distance");
  check("name OW and within 1e999 of name OW", "'1e999' in place of a distance");
  check("within 1 name OW", "no 'of' after 'within 1' at character 12");
  check("within 1 of", "a selection is missing");
  check("beyond 1 of OW", "'OW' in place of a selection");
  check("(same atom as name OW)", "no residue, molecule or chain after 'same'");
  check("same residue of name OW", "no 'as' after 'same residue'");
  check("z < a", "'a' in place of a number");
  check("z <", "'' in place of a number");
  check("z < 2nm", "'2nm' in place of a number");
  check("name OW z < 2", "no 'and' or 'or' before 'z'");
  check("name OW within 2 of all", "no 'and' or 'or' before 'within'");
  check("all and z = 2", "'z' in place of a selection");
  std::string deep;
  for (int k = 0; k < 5000; ++k) {
    deep += "within 1 of ";
  }
  check(deep + "all", "more than 100");
}

TEST_CASE("selections of LAMMPS ranges") {
  CHECK(chosen("id 12*14") == Indices{2, 3, 4});
  CHECK(chosen("id *11 90*") == Indices{0, 1, 8});
  CHECK(chosen("index 8*") == Indices{7, 8});
  CHECK(chosen("index *2") == Indices{0, 1});
  CHECK(chosen("molecule *") == Indices{0, 1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(chosen("species 2*7") == Indices{1, 2, 4, 5, 6});
  CHECK(chosen("species 7-8") == Indices{6, 7});
  CHECK(chosen("1*2 9") == Indices{0, 1, 2, 3, 4, 5, 8});  // as species
  CHECK(chosen("type *1*") ==
        Indices{0, 1, 2, 3, 4, 5, 7});  // types are words: a pattern
  CHECK(missing(select_error("species 3*6"), {"no particle has species '3*6'"}) == "");
  CHECK(missing(select_error("species \"1*2\""), {"species '1*2'"}) == "");
  CHECK(missing(select_error("index 10*"), {"index '10*'", "1 .. 9"}) == "");
  CHECK(missing(parse_error("X=id 7*3"), {"the range '7*3' is empty"}) == "");
  CHECK(missing(parse_error("X=id 1*2*3"), {"'1*2*3' is neither"}) == "");
  CHECK(missing(parse_error("X=id **"), {"'**' is neither"}) == "");
  CHECK(!io::parse_species_groups("X=\"1*2\"").at(0).selection);
  io::ParticleTable types;
  types.count = 4;
  types.type = {"1", "2", "10", "13"};
  const auto of_types = [&](const std::string& rule) {
    return io::select(*io::parse_species_groups("X=type " + rule).front().selection,
                      types);
  };
  CHECK(of_types("1*3") == std::vector<char>{1, 1, 0, 0});
  CHECK(of_types("10*") == std::vector<char>{0, 0, 1, 1});
  CHECK(of_types("*2 12-13") == std::vector<char>{1, 1, 0, 1});
  CHECK(of_types("1?") == std::vector<char>{0, 0, 1, 1});
  types.name = types.chain = types.type;  // wildcards, although all are numbers
  for (const std::string field : {"name", "chain"}) {
    const auto rules = io::parse_species_groups("X=" + field + " 1*");
    CHECK(io::select(*rules.front().selection, types) == std::vector<char>{1, 0, 1, 1});
  }
}

TEST_CASE("selections that match no particle: the message lists the values") {
  CHECK(missing(select_error("name OX"),
                {"no particle has name 'OX'", "C*, HW1, HW2, NA+, O5', OW"}) == "");
  CHECK(missing(select_error("name OW OX*"), {"no particle has name 'OX*'"}) == "");
  CHECK(missing(select_error("resid 4-9"), {"resid '4-9'", "-4 .. 3"}) == "");
  CHECK(missing(select_error("index 0"), {"index '0'", "1 .. 9"}) == "");
  CHECK(missing(select_error("index 9-10"), {"index '9-10'", "1 .. 9"}) == "");
  io::ParticleTable few;
  few.count = 1;
  few.type = {"1"};
  const auto group = io::parse_species_groups("X=name OW").front();
  CHECK(missing(error_text<InputError>([&] { io::select(*group.selection, few); }),
                {"particles of the file have no name (only type, index"}) == "");
}

}  // namespace
}  // namespace starhist::testing
