// A protein in water as written by NAMD and CHARMM: a PDB file of 280 842 atoms, the
// number in CADISHI's F1-ATPase, with 131 names and no elements. The remedies in the
// refusal work.
#include <array>
#include <cstdio>
#include <map>
#include <random>
#include <sstream>

#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;

constexpr std::size_t atom_count = 280842;
constexpr std::size_t solute_count = 48000;  ///< protein and nucleotides

/// Names of CHARMM's protein and nucleotides by their element. Written by hand,
/// independent of starhist's rules.
const std::map<std::string, std::string>& solute_names() {
  static const std::map<std::string, std::string> names{
      {"C",
       "CA C CB CG CG1 CG2 CD CD1 CD2 CE CE1 CE2 CE3 CZ CZ2 CZ3 CH2 C5' C4' C3' C2' "
       "C1' C8 C5 C6 C2 C4"},
      {"H",
       "HN HA HB HB1 HB2 HB3 HG HG1 HG2 HG11 HG12 HG13 HG21 HG22 HG23 HD1 HD2 HD3 HD11 "
       "HD12 HD13 HD21 HD22 HD23 HE HE1 HE2 HE3 HE21 HE22 HZ HZ1 HZ2 HZ3 HH HH2 HH11 "
       "HH12 HH21 HH22 HA1 HA2 HT1 HT2 HT3 H5' H5'' H4' H3' H3T H2'' H2' H1' H8 H61 "
       "H62"},
      {"N", "N NE NE1 NE2 NZ NH1 NH2 ND1 ND2 N9 N7 N6 N1 N3"},
      {"O",
       "O OH OG OG1 OD1 OD2 OE1 OE2 OT1 OT2 O1A O2A O3A O1B O2B O3B O1G O2G O3G O5' "
       "O4' "
       "O3' O2'"},
      {"P", "PA PB PG"},
      {"S", "SG SD"}};
  return names;
}

/// The file, and its numbers of atoms per element and of names.
struct Solvated {
  std::string text;
  std::map<std::string, std::uint64_t> elements;
  std::map<std::string, std::string> element_of;
};

Solvated solvated_protein() {
  constexpr int side = 66;  // of a lattice with a point for each atom
  constexpr double spacing = 2.15;
  std::vector<std::pair<std::string, std::string>> solute;  // name, element
  for (const auto& [element, names] : solute_names()) {
    std::istringstream words(names);
    for (std::string name; words >> name;) {
      solute.emplace_back(name, element);
    }
  }
  const std::array<std::pair<std::string, std::string>, 3> water{
      {{"OH2", "O"}, {"H1", "H"}, {"H2", "H"}}};
  const std::array<std::pair<std::string, std::string>, 3> ions{
      {{"MG", "Mg"}, {"SOD", "Na"}, {"CLA", "Cl"}}};
  constexpr std::size_t first_ion = atom_count - 342;  // after water of three atoms
  std::mt19937 random(11);
  std::uniform_real_distribution<double> shift(-0.4, 0.4);
  Solvated made;
  char line[96];
  std::snprintf(line, sizeof(line), "CRYST1%9.3f%9.3f%9.3f  90.00  90.00  90.00 P 1\n",
                side * spacing, side * spacing, side * spacing);
  made.text = line;
  made.text.reserve(atom_count * 67);
  for (std::size_t k = 0; k < atom_count; ++k) {
    const auto& [name, element] = k < solute_count ? solute[k % solute.size()]
                                  : k < first_ion  ? water[k % 3]
                                                   : ions[k % 3];
    ++made.elements[element];
    made.element_of[name] = element;
    const auto place = [&](std::size_t index) {
      return static_cast<double>(index % side) * spacing + shift(random);
    };
    // Serials beyond 99999 are hexadecimal, as in VMD and NAMD.
    std::snprintf(line, sizeof(line),
                  k < 99999 ? "ATOM  %5zu %-4s %-4s %4zu    %8.3f%8.3f%8.3f\n"
                            : "ATOM  %5zx %-4s %-4s %4zu    %8.3f%8.3f%8.3f\n",
                  k + 1, (name.size() < 4 ? " " + name : name).c_str(),
                  k < solute_count ? "ALA"
                  : k < first_ion  ? "TIP3"
                                   : "ION",
                  k / 3 % 9999 + 1, place(k), place(k / side), place(k / side / side));
    made.text += line;
  }
  made.text += "END\n";
  return made;
}

ProgramRun run_many(const RdfRunner& rdf, const std::string& file, Words more) {
  more.insert(more.begin(), {file, "--r-max", "3", "--bins", "60", "-f"});
  return rdf.run(more);
}

std::map<std::string, std::uint64_t> particles_of(const io::ResultFile& result) {
  std::map<std::string, std::uint64_t> particles;
  for (std::size_t s = 0; s < result.layout.species.size(); ++s) {
    particles[result.layout.species[s]] = result.blocks.at(0).particle_number.at(s);
  }
  return particles;
}

TEST_CASE("a protein in water without elements is refused, and each remedy works") {
  const Solvated made = solvated_protein();
  REQUIRE(made.element_of.size() == 131);
  const TextTrajectory file(made.text, "solvated.pdb");
  const RdfRunner rdf;
  const ProgramRun refused = run_many(rdf, file.path, {});
  CHECK(refused.exit_code == 1);
  CHECK(missing(refused.err, {"131 species make 8 646 pairs", "--guess-elements",
                              "--by resname|all", "the largest: "}) == "");

  const ProgramRun guess = run_many(rdf, file.path, {"--guess-elements"});
  INFO(guess.err);
  REQUIRE(guess.exit_code == 0);
  const io::ResultFile guessed = rdf.result();
  CHECK(particles_of(guessed) == made.elements);

  // Remedy: a list of names, including one that the rules would get wrong.
  std::string aliases;
  for (const auto& [name, element] : made.element_of) {
    aliases += name + " " + (name == "CLA" ? "Br" : element) + "\n";
  }
  const TextTrajectory list(aliases, "names.txt");
  const ProgramRun named = run_many(rdf, file.path, {"--aliases", list.path});
  INFO(named.err);
  REQUIRE(named.exit_code == 0);
  std::map<std::string, std::uint64_t> expected = made.elements;
  expected["Br"] = expected["Cl"];
  expected.erase("Cl");
  CHECK(particles_of(rdf.result()) == expected);
  std::uint64_t pairs[2] = {0, 0};
  for (std::size_t which = 0; which < 2; ++which) {
    for (const auto& counts :
         summed_counts(which == 0 ? guessed : io::read_result(rdf.output()))) {
      for (const std::uint64_t count : counts) {
        pairs[which] += count;
      }
    }
  }
  CHECK(pairs[0] > atom_count);
  CHECK(pairs[0] == pairs[1]);
}

}  // namespace
}  // namespace starhist::testing
