#include "io/reader/units.hh"

#include "io/particles/species_order.hh"
#include "tests/support/catch.hh"

namespace starhist {
namespace {

TEST_CASE("spellings of a unit become one, other units stay") {
  CHECK(io::unit_spelling("nm") == "nm");
  CHECK(io::unit_spelling(" nanometers ") == "nm");
  CHECK(io::unit_spelling("Angstrom") == "A");
  CHECK(io::unit_spelling("angstroms") == "A");
  CHECK(io::unit_spelling("\xc3\x85") == "A");
  CHECK(io::unit_spelling("\xe2\x84\xab") == "A");
  CHECK(io::unit_spelling("A") == "A");
  CHECK(io::unit_spelling("picosecond") == "ps");
  CHECK(io::unit_spelling("0.1 nm") == "0.1 nm");
  CHECK(io::unit_spelling("Sigma") == "Sigma");
  CHECK(io::unit_spelling("  ") == "");
  CHECK(io::unit_spelling("") == "");
}

TEST_CASE("Angstrom per unit, where that can be said") {
  CHECK(io::angstroms_per("Angstrom") == 1.0);
  CHECK(io::angstroms_per(" nanometers") == 10.0);
  CHECK(*io::angstroms_per("bohr") == Approx(0.529177));
  CHECK_FALSE(io::angstroms_per(""));
  CHECK_FALSE(io::angstroms_per("sigma"));
  CHECK_FALSE(io::angstroms_per("0.1 nm"));
}

TEST_CASE("species are sorted by value, then by name, without repetition") {
  std::vector<std::string> names{"O", "10", "H", "2", "O", "1", "-3", "2a"};
  io::sort_species(names);
  CHECK(names == std::vector<std::string>{"-3", "1", "2", "10", "2a", "H", "O"});
}

}  // namespace
}  // namespace starhist
