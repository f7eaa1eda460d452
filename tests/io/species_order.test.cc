#include "io/particles/species_order.hh"

#include "tests/support/catch.hh"

namespace starhist {
namespace {

TEST_CASE("species are sorted by value, then by name, without duplicates") {
  std::vector<std::string> names{"O", "10", "H", "2", "O", "1", "-3", "2a"};
  io::sort_species(names);
  CHECK(names == std::vector<std::string>{"-3", "1", "2", "10", "2a", "H", "O"});
}

}  // namespace
}  // namespace starhist
