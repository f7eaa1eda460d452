#include "codelets/core/counting/lag_layout.hh"

#include "codelets/core/geometry/shortest_displacement.hh"
#include "tests/support/catch.hh"

namespace starhist {
namespace {

LagLayout water_layout() {
  return {{{"H", "O"}, all_pairs(2), make_bins(1.0, 4), "nm", "ps"}, {0, 5}};
}

TEST_CASE("channels repeat the species pairs for each lag") {
  const HistogramLayout channels = channels_of(water_layout());
  CHECK(channels.species == std::vector<std::string>{"H", "O"});
  CHECK(channels.pairs.size() == 6);
  CHECK(channels.pairs[4] == SpeciesPair{SpeciesId(0), SpeciesId(1)});
}

TEST_CASE("lag 0 pairs its sets like rdf, a later lag with the sets of frame t") {
  const HistogramLayout sets = sets_of(water_layout());
  CHECK(sets.species == std::vector<std::string>{"H at lag 0", "O at lag 0",
                                                 "H at lag 5", "O at lag 5", "H", "O"});
  CHECK(sets.pairs[0] == SpeciesPair{SpeciesId(0), SpeciesId(0)});
  CHECK(sets.pairs[1] == SpeciesPair{SpeciesId(0), SpeciesId(1)});
  CHECK(sets.pairs[3] == SpeciesPair{SpeciesId(2), SpeciesId(4)});
  CHECK(sets.pairs[4] == SpeciesPair{SpeciesId(2), SpeciesId(5)});
}

TEST_CASE("displacements add up, without overflow") {
  DisplacementCounts own{1, 0.0, 7, 0.0, {1, 2}, 3, 1};
  CHECK(adds_up(own));
  own.out_of_range = 2;
  CHECK_FALSE(adds_up(own));
  own.out_of_range = UINT64_MAX;
  own.particles = 5;
  CHECK_FALSE(adds_up(own));
}

TEST_CASE("the shortest displacement has the minimum-image distance") {
  const Box box({Vec3{4, 0, 0}, {1.9, 4, 0}, {-1.5, 1.7, 4}}, {true, true, true});
  const MinimumImage& image = box.minimum_image();
  for (int i = 0; i < 1000; ++i) {
    const Vec3 a{0.37 * i, 0.71 * i, 1.13 * i};
    const Vec3 d = shortest_displacement(image, a, {});
    CHECK(dot(d, d) == minimum_distance2(image, a, {}));
  }
}

}  // namespace
}  // namespace starhist
