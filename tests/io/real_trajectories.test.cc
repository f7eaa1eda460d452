#include <cmath>

#include "io/reader/trajectory_reader.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/read_all.hh"
#include "tests/support/test_location.hh"

namespace starhist {
namespace {

using testing::all_periodic;
using testing::data_file;
using testing::read_all;

TEST_CASE("water.h5, written by other programs, is read exactly") {
  const auto whole = read_all({data_file("water.h5")});
  CHECK(whole.info.format == "H5MD");
  CHECK(whole.info.group == "all");
  CHECK(whole.info.species == std::vector<std::string>{"H", "O"});
  CHECK(whole.info.length_unit == "nm");
  CHECK(whole.info.time_unit == "ps");
  REQUIRE(whole.info.frame_count == 51);
  for (std::uint64_t i = 0; i < 51; ++i) {
    const Frame& frame = whole.frames[i];
    CHECK(frame.step == static_cast<std::int64_t>(50 * i));
    CHECK(std::abs(frame.time - 0.1 * static_cast<double>(i)) < 1e-6);
    CHECK(frame.box ==
          Box({Vec3{3, 0, 0}, Vec3{0, 3, 0}, Vec3{0, 0, 3}}, all_periodic));
    CHECK(frame.particle_count(SpeciesId(0)) == 1768);
    CHECK(frame.particle_count(SpeciesId(1)) == 884);
  }
  // Particles 0 (O) and 1 (H) of frame 7.
  const auto& positions = whole.frames[7].positions;
  CHECK(positions[1][0] == double{0.20400003F});
  CHECK(positions[1][1] == double{0.72800004F});
  CHECK(positions[1][2] == double{0.081F});
  CHECK(positions[0][0] == double{0.127F});
}

TEST_CASE("the triclinic salt solution has its box in every frame") {
  const auto whole = read_all({data_file("nacl-triclinic-npt.h5")});
  CHECK(whole.info.species == std::vector<std::string>{"Cl", "H", "Na", "O"});
  CHECK(whole.info.length_unit == "nm");
  REQUIRE(whole.info.frame_count == 41);
  double volume = 0.0;
  double inverse_volume = 0.0;
  for (std::uint64_t i = 0; i < 41; ++i) {
    const Frame& frame = whole.frames[i];
    CHECK(frame.particle_count(SpeciesId(0)) == 8);
    CHECK(frame.particle_count(SpeciesId(1)) == 1178);
    CHECK(frame.particle_count(SpeciesId(2)) == 8);
    CHECK(frame.particle_count(SpeciesId(3)) == 589);
    CHECK(frame.box.kind() == BoxKind::triclinic);
    if (i % 5 == 0) {
      volume += frame.box.volume();
      inverse_volume += 1.0 / frame.box.volume();
    }
  }
  const Box seventh(
      {Vec3{2.485971450805664, 0, 0}, Vec3{0.20918376445770265, 2.7215930938720705, 0},
       Vec3{0.6090550422668457, 1.1317663192749023, 2.6299922943115237}},
      all_periodic);
  CHECK(whole.frames[7].box == seventh);
  // Header of nacl-triclinic-npt.r1.0.b200.txt.
  CHECK(std::abs(volume - 161.78670979177187) < 1e-10);
  CHECK(std::abs(inverse_volume - 0.50080245742514418) < 1e-13);
}

}  // namespace
}  // namespace starhist
