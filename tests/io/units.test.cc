#include "io/reader/units.hh"

#include "io/particles/species_order.hh"
#include "tests/support/catch.hh"

namespace starhist {
namespace {

TEST_CASE("spellings of a unit become one, other units stay") {
  CHECK(unit_spelling("nm") == "nm");
  CHECK(unit_spelling(" nanometers ") == "nm");
  CHECK(unit_spelling("Angstrom") == "A");
  CHECK(unit_spelling("angstroms") == "A");
  CHECK(unit_spelling("\xc3\x85") == "A");
  CHECK(unit_spelling("\xe2\x84\xab") == "A");
  CHECK(unit_spelling("A") == "A");
  CHECK(unit_spelling("picosecond") == "ps");
  CHECK(unit_spelling("0.1 nm") == "0.1 nm");
  CHECK(unit_spelling("Sigma") == "Sigma");
  CHECK(unit_spelling("  ") == "");
  CHECK(unit_spelling("") == "");
}

TEST_CASE("Angstrom per unit, where that can be said") {
  CHECK(angstroms_per("Angstrom") == 1.0);
  CHECK(angstroms_per(" nanometers") == 10.0);
  CHECK(*angstroms_per("bohr") == Approx(0.529177));
  CHECK_FALSE(angstroms_per(""));
  CHECK_FALSE(angstroms_per("sigma"));
  CHECK_FALSE(angstroms_per("0.1 nm"));
}

TEST_CASE("species are sorted by value, then by name, without repetition") {
  std::vector<std::string> names{"O", "10", "H", "2", "O", "1", "-3", "2a"};
  sort_species(names);
  CHECK(names == std::vector<std::string>{"-3", "1", "2", "10", "2a", "H", "O"});
}

}  // namespace
}  // namespace starhist
