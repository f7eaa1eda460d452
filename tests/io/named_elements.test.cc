// Elements of atoms without one: from a file of names, or guessed.
#include "io/trajectory/named_elements.hh"

#include "io/particles/element_of_species.hh"
#include "io/particles/elements.hh"
#include "tests/support/catch.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

using Words = std::vector<std::string>;

const std::string pdb =
    "ATOM      1  CA  ALA A   1       5.000  12.500  20.000  1.00  0.00\n"
    "ATOM      2  OXT ALA A   1       6.000  12.500  20.000  1.00  0.00           S\n"
    "ATOM      3 CL   ION A   2       6.000  13.500  20.000  1.00  0.00\n"
    "ATOM      4 XX1  ION A   2       6.000  14.500  20.000  1.00  0.00\nEND\n";

Words species(const io::ReadOptions& options, std::string* remark = nullptr) {
  const TextTrajectory file(pdb, "a.pdb");
  const WholeTrajectory trajectory = read_all({file.path}, options);
  REQUIRE(trajectory.info.remarks.size() == 1);
  if (remark != nullptr) {
    *remark = trajectory.info.remarks[0];
  }
  return trajectory.info.species;
}

TEST_CASE("elements are guessed from names like in MDAnalysis, or unknown") {
  for (const auto& [name, element] :
       std::initializer_list<std::pair<const char*, const char*>>{
           {"CA", "C"},      {"CAL", "Ca"},   {"CL", "Cl"}, {"cl-", "Cl"},
           {"NA+", "Na"},    {"1HB2", "H"},   {"OXT", "O"}, {"HW1", "H"},
           {"C0", "Ca"},     {"SOD", "Na"},   {"MG", "Mg"}, {"FE2", "Fe"},
           {"AC1", "C"},     {"MW", "DUMMY"}, {"N*", "N"},  {"XCL", "Cl"},
           {"X", ""},        {"12", ""},      {"", ""},     {"LP", "DUMMY"},
           {"SI3", "Si"},    {"BR1", "Br"},   {"ZN", "Zn"}, {"EPW", "DUMMY"},
           {"EP2", "DUMMY"}, {"LP1", "DUMMY"}}) {
    INFO(name);
    CHECK(io::guess_element(name) == element);
  }
  CHECK(io::guess_element("CA", "CA") == "Ca");  // an ion
  CHECK(io::guess_element("CA", "ALA") == "C");
  CHECK(io::element_spelling("cl") == "Cl");
  CHECK(io::element_spelling("dummy") == "DUMMY");
  CHECK(io::element_spelling("Xx").empty());
  CHECK(io::element_spelling("").empty());
  CHECK(io::element_spelling("H He").empty());
}

TEST_CASE("without mass and element, only names of sites are sites without an atom") {
  io::ParticleTable table;
  for (const auto& [name, mass] :
       {std::pair{"OW", 16.0}, {"MW", 0.0}, {"EPW", 0.0}, {"HB1", 0.0}, {"CD2", 0.0}}) {
    table.name.emplace_back(name);
    table.mass.push_back(mass);
  }
  table.count = table.name.size();
  const auto element = [&](std::uint32_t k) {
    return io::element_of(table, {k}, "the file").element;
  };
  CHECK(element(0).empty());
  CHECK(element(1) == "DUMMY");
  CHECK(element(2) == "DUMMY");
  CHECK(element(3).empty());
  CHECK(element(4).empty());
}

TEST_CASE("missing elements are guessed and reported") {
  io::ReadOptions options;
  options.guess_elements = true;
  std::string remark;
  CHECK(species(options, &remark) == Words{"CA", "CL", "OXT", "XX1"});
  CHECK(missing(remark, {"a.pdb: elements guessed from names: C: CA, Cl: CL",
                         "no element: XX1", "--aliases FILE"}) == "");
  CHECK(remark.find("OXT") == std::string::npos);  // the file has its element
  options.by = io::SpeciesBy::element;
  CHECK(missing(error_text<InputError>([&] { species(options); }),
                {"a.pdb: --by element", "some particles have no element", "XX1"}) ==
        "");
}

TEST_CASE("guessed elements are the species of a file with too many names") {
  const TextTrajectory file(
      "ATOM      1  CA  ALA A   1       5.000  12.500  20.000  1.00  0.00\n"
      "ATOM      2  CB  ALA A   1       6.000  12.500  20.000  1.00  0.00\n"
      "ATOM      3  HA  ALA A   1       6.000  13.500  20.000  1.00  0.00\n"
      "ATOM      4  O   ALA A   1       6.000  14.500  20.000  1.00  0.00\n"
      "HETATM    5 CA    CA A   2       9.000  14.500  20.000  1.00  0.00\nEND\n",
      "a.pdb");
  io::ReadOptions options;
  options.guess_elements = true;
  options.most_species = 3;
  CHECK(read_all({file.path}, options).info.species == Words{"C", "Ca", "H", "O"});
  options.most_species = 4;
  CHECK(read_all({file.path}, options).info.species == Words{"CA", "CB", "HA", "O"});
}

TEST_CASE("elements from a file of names override guesses") {
  const TextTrajectory aliases("# names\nXX1 xe\nCA Ca # an ion\n\nZZ He", "names");
  io::ReadOptions options;
  options.aliases = aliases.path;
  options.guess_elements = true;
  options.by = io::SpeciesBy::element;
  std::string remark;
  CHECK(species(options, &remark) == Words{"Ca", "Cl", "S", "Xe"});
  CHECK(missing(remark, {"elements by --aliases: Ca: CA, Xe: XX1; elements guessed "
                         "from names: Cl: CL",
                         "no particle has these names of --aliases: ZZ"}) == "");
  const TextTrajectory misspelled("XX2 Xe\nCA C\n", "names");
  options.aliases = misspelled.path;
  options.by = io::SpeciesBy::file;
  species(options, &remark);
  CHECK(missing(remark, {"these names of --aliases: XX2 (did you mean XX1?)"}) == "");
}

TEST_CASE("types are used if names are missing") {
  const TextTrajectory dump(
      "ITEM: TIMESTEP\n50\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n"
      "0 9\n0 9\n0 9\nITEM: ATOMS id type x y z\n1 2 0 0 0\n2 1 1 1 1\n");
  const TextTrajectory aliases("1 H\n2 O\n", "names");
  io::ReadOptions options;
  options.aliases = aliases.path;
  options.by = io::SpeciesBy::element;
  CHECK(read_all({dump.path}, options).info.species == Words{"H", "O"});
}

TEST_CASE("files other than lists of names and elements are refused, with the line") {
  const auto refusal = [](const std::string& text) {
    return error_text<InputError>(
        [&] { io::read_element_aliases(TextTrajectory(text, "names").path); });
  };
  CHECK(missing(refusal("A C\nB\n"), {"names, line 2", "1 words"}) == "");
  CHECK(missing(refusal("A C\nB Xx\n"), {"names, line 2", "'Xx'", "'B'"}) == "");
  CHECK(missing(refusal("A C\nA H\n"), {"names, line 2", "C and H"}) == "");
  CHECK(missing(refusal("# nothing\n"), {"names: has no line"}) == "");
}

}  // namespace
}  // namespace starhist::testing
