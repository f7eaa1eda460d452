#include <limits>

#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/h5md_file.hh"
#include "tests/support/read_all.hh"
#include "tests/support/temporary_directory.hh"
#include "tests/support/test_location.hh"

namespace starhist {
namespace {

using testing::all_periodic;
using testing::data_file;
using testing::HdfFile;
using testing::missing;
using testing::NumberType;
using testing::read_all;
using testing::read_error;

/// Frames 1, 2, 9, 10 and 11 with one O each at (frame, 2, 3) and two H in some.
struct CadishiFile {
  testing::TemporaryDirectory folder;
  std::string path = folder.file("cadishi.h5");

  CadishiFile() {
    HdfFile file(path);
    for (const int frame : {10, 9, 1, 11, 2}) {
      const std::string name = std::to_string(frame);
      file.numbers(name + "/coordinates/O", {1, 3}, {double(frame), 2, 3});
      file.numbers(name + "/dimensions", {6}, {20, 30, 40, 90, 90, 90},
                   {NumberType::f32});
    }
    file.numbers("2/coordinates/H", {2, 3}, {1, 1, 1, 2, 2, 2}, {NumberType::f32});
    file.numbers("10/coordinates/H", {0, 3}, {});
  }
  HdfFile edit() const { return HdfFile(path, HdfFile::Mode::edit); }
};

/// Returns positions by the formula of tests/data/make_test_data.py.
double sample_position(int frame, const std::string& species, int particle, int axis) {
  const int offset = species == "O" ? 7 : 0;
  return ((particle * 37 + axis * 11 + frame * 5 + offset) % 1280) / 64.0;
}

TEST_CASE("an LZF-compressed trajectory written by h5py is read") {
  const auto whole = read_all({data_file("cadishi-lzf.h5")});
  CHECK(whole.info.format == "CADISHI HDF5");
  CHECK(whole.info.species == std::vector<std::string>{"H", "O"});
  CHECK(whole.info.length_unit == "A");
  REQUIRE(whole.info.frame_count == 3);
  const std::array<int, 3> numbers{1, 2, 10};
  for (std::size_t i = 0; i < 3; ++i) {
    const Frame& frame = whole.frames[i];
    CHECK(frame.index == FrameIndex(i));
    CHECK(frame.box.volume() == 8000.0);
    REQUIRE(frame.particle_count(SpeciesId(0)) == 200);
    REQUIRE(frame.particle_count(SpeciesId(1)) == 100);
    for (std::size_t s = 0; s < 2; ++s) {
      std::vector<double> expected;
      for (int k = 0; k < static_cast<int>(frame.positions[s].size()); ++k) {
        expected.push_back(
            sample_position(numbers[i], whole.info.species[s], k / 3, k % 3));
      }
      CHECK(frame.positions[s] == expected);
    }
  }
}

TEST_CASE("frames are sorted by number, with the species of all frames") {
  const CadishiFile file;
  file.edit().group("notes");
  const auto whole = read_all({file.path});
  CHECK(whole.info.species == std::vector<std::string>{"H", "O"});
  REQUIRE(whole.info.frame_count == 5);
  const std::array<double, 5> numbers{1, 2, 9, 10, 11};
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(whole.frames[i].positions.at(1) == std::vector<double>{numbers[i], 2, 3});
    CHECK(whole.frames[i].positions.at(0) ==
          (i == 1 ? std::vector<double>{1, 1, 1, 2, 2, 2} : std::vector<double>{}));
    CHECK(whole.frames[i].step == 0);
  }
}

TEST_CASE("CADISHI's boxes: three or six numbers, a matrix, or empty") {
  const CadishiFile file;
  Box expected({Vec3{20, 0, 0}, Vec3{0, 30, 0}, Vec3{0, 0, 40}}, all_periodic);
  SECTION("lengths and right angles") {}
  SECTION("lengths") {
    file.edit().numbers("1/dimensions", {3}, {20, 30, 40});
  }
  SECTION("lengths and angles") {
    file.edit().numbers("1/dimensions", {6}, {20, 30, 40, 80, 70, 60});
    expected = Box::from_lengths_and_angles({20, 30, 40}, {80, 70, 60});
  }
  SECTION("a rhombic dodecahedron as a matrix") {
    file.edit().numbers("1/dimensions", {3, 3}, {20, 0, 0, 0, 20, 0, 10, 10, 14.25});
    expected = Box({Vec3{20, 0, 0}, Vec3{0, 20, 0}, Vec3{10, 10, 14.25}}, all_periodic);
  }
  SECTION("empty") {
    file.edit().numbers("1/dimensions", {0}, {});
    expected = Box();
  }
  SECTION("missing") {
    file.edit().remove("1/dimensions");
    expected = Box();
  }
  CHECK(read_all({file.path}).frames.at(0).box == expected);
  io::ReadOptions options;
  options.box = Box({Vec3{9, 0, 0}, Vec3{0, 9, 0}, Vec3{0, 0, 9}}, all_periodic);
  CHECK(read_all({file.path}, options).frames.at(0).box == *options.box);
}

TEST_CASE("invalid CADISHI trajectories are refused, with the value") {
  const CadishiFile file;
  SECTION("box of zeros") {
    file.edit().numbers("10/dimensions", {6}, {0, 0, 0, 90, 90, 90});
    CHECK(missing(read_error(file.path),
                  {"frame 3", "/10/dimensions", "length 0 ", "with --box"}) == "");
  }
  SECTION("box of four numbers") {
    file.edit().numbers("10/dimensions", {4}, {1, 2, 3, 4});
    CHECK(missing(read_error(file.path), {"frame 3", "/10/dimensions", "4 numbers"}) ==
          "");
  }
  SECTION("not finite") {
    file.edit().numbers("2/coordinates/H", {2, 3},
                        {1, 1, 1, 2, std::numeric_limits<double>::quiet_NaN(), 2});
    CHECK(missing(read_error(file.path),
                  {"frame 1", file.path.c_str(), "/2/coordinates/H", "particle 1",
                   "(2, nan, 2)"}) == "");
  }
  SECTION("all zero") {
    file.edit().numbers("2/coordinates/H", {2, 3}, {0, 0, 0, 0, 0, 0});
    CHECK(missing(read_error(file.path), {"frame 1", "/2/coordinates/H", "lost"}) ==
          "");
  }
  SECTION("two components") {
    file.edit().numbers("2/coordinates/H", {2, 2}, {1, 1, 2, 2});
    CHECK(missing(read_error(file.path), {"/2/coordinates/H", "[n, 3]"}) == "");
  }
  SECTION("a frame without coordinates") {
    file.edit().group("12");
    CHECK(missing(read_error(file.path), {file.path.c_str(), "/12/coordinates"}) == "");
  }
  SECTION("a particle group was requested") {
    io::ReadOptions options;
    options.group = "all";
    CHECK(missing(read_error(file.path, options), {"CADISHI", "--group all"}) == "");
  }
}

TEST_CASE("a CADISHI file without particles has empty frames") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("empty.h5");
  HdfFile(path).group("1/coordinates");
  const auto all = read_all({path});
  CHECK(all.info.species == std::vector<std::string>{"all"});
  REQUIRE(all.frames.size() == 1);
  CHECK(all.frames[0].positions == std::vector<std::vector<double>>{{}});
}

}  // namespace
}  // namespace starhist
