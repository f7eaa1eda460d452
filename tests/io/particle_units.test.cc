#include "io/particle_units.hh"

#include "tests/support/catch.hh"

namespace starhist {
namespace {

using Numbers = std::vector<std::uint32_t>;

TEST_CASE("molecule 0 is the first one, or none at all") {
  ParticleTable table;
  table.count = 5;
  table.molecule = {0, 0, 1, 1, 0};
  CHECK(ParticleUnits(table).molecule == Numbers{0, 0, 1, 1, 0});
  table.molecule_zero_is_none = true;
  CHECK(ParticleUnits(table).molecule == Numbers{0, 1, 2, 2, 3});
}

}  // namespace
}  // namespace starhist
