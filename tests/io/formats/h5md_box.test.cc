#include "io/formats/h5md/h5md_box.hh"

#include <limits>

#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/h5md_file.hh"
#include "tests/support/read_all.hh"
#include "tests/support/temporary_directory.hh"

namespace starhist {
namespace {

using testing::HdfFile;
using testing::missing;
using testing::NumberType;
using testing::read_all;
using testing::read_error;
using testing::small_trajectory;
using testing::StringType;
using testing::write_h5md;

/// A small trajectory whose box a test rewrites.
struct BoxFile {
  testing::TemporaryDirectory folder;
  std::string path = folder.file("box.h5");
  std::string box = "particles/all/box";

  BoxFile() { write_h5md(path, small_trajectory()); }
  HdfFile edit() const { return HdfFile(path, HdfFile::Mode::edit); }
};

const std::array<bool, 3> periodic{true, true, true};
const Box cuboid({Vec3{3, 0, 0}, Vec3{0, 4, 0}, Vec3{0, 0, 5}}, periodic);

TEST_CASE("constant edges, as a vector or a matrix") {
  const BoxFile file;
  SECTION("vector") {}
  SECTION("matrix") {
    file.edit().numbers(file.box + "/edges", {3, 3}, {3, 0, 0, 0, 4, 0, 0, 0, 5});
  }
  SECTION("vector of float32") {
    file.edit().numbers(file.box + "/edges", {3}, {3, 4, 5}, {NumberType::f32});
  }
  SECTION("vector of big-endian numbers") {
    file.edit().numbers(file.box + "/edges", {3}, {3, 4, 5},
                        {NumberType::f64_big_endian});
  }
  for (const Frame& frame : read_all({file.path}).frames) {
    CHECK(frame.box == cuboid);
  }
}

TEST_CASE("edges of every frame, as vectors or matrices whose rows are the edges") {
  const BoxFile file;
  std::vector<Box> expected;
  {
    HdfFile hdf = file.edit();
    hdf.remove(file.box + "/edges");
    SECTION("vectors") {
      hdf.numbers(file.box + "/edges/value", {3, 3}, {3, 4, 5, 3.5, 4, 5, 4, 4, 6},
                  {NumberType::f32, {2, 2}});
      for (const Vec3 e : {Vec3{3, 4, 5}, Vec3{3.5, 4, 5}, Vec3{4, 4, 6}}) {
        expected.push_back(
            Box({Vec3{e.x, 0, 0}, Vec3{0, e.y, 0}, Vec3{0, 0, e.z}}, periodic));
      }
    }
    SECTION("matrices") {
      hdf.numbers(file.box + "/edges/value", {3, 3, 3},
                  {3, 0, 0, 1,   4, 0, 0.5, 0.25, 5,  //
                   3, 0, 0, 1.5, 4, 0, 0.5, 0.25, 5,  //
                   3, 0, 0, 1,   4, 0, 0.5, 0.25, 6},
                  {NumberType::f64, {512, 2, 2}});
      const Vec3 a{3, 0, 0};
      expected = {Box({a, Vec3{1, 4, 0}, Vec3{0.5, 0.25, 5}}, periodic),
                  Box({a, Vec3{1.5, 4, 0}, Vec3{0.5, 0.25, 5}}, periodic),
                  Box({a, Vec3{1, 4, 0}, Vec3{0.5, 0.25, 6}}, periodic)};
    }
    hdf.hard_link("particles/all/position/step", file.box + "/edges/step");
    hdf.hard_link("particles/all/position/time", file.box + "/edges/time");
  }
  const auto whole = read_all({file.path});
  REQUIRE(whole.frames.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(whole.frames[i].box == expected[i]);
  }
}

TEST_CASE("boundary: one string or three, of any type, attribute or dataset") {
  const BoxFile file;
  const auto type =
      GENERATE(StringType::fixed, StringType::blank_padded, StringType::variable);
  HdfFile hdf = file.edit();
  SECTION("one attribute for all axes (ESPResSo)") {
    hdf.text_attribute(file.box, "boundary", {}, {"periodic"}, type);
  }
  SECTION("one attribute per axis") {
    hdf.text_attribute(file.box, "boundary", {3}, {"periodic", "periodic", "periodic"},
                       type);
  }
  SECTION("datasets (ZnH5MD)") {
    hdf.remove_attribute(file.box, "boundary");
    hdf.remove_attribute(file.box, "dimension");
    hdf.text(file.box + "/boundary", {3}, {"periodic", "periodic", "periodic"}, type);
    hdf.numbers(file.box + "/dimension", {}, {3}, {NumberType::i32});
  }
  hdf = HdfFile(file.folder.file("other.h5"));  // closes the first
  CHECK(read_all({file.path}).frames.at(0).box == cuboid);
}

TEST_CASE("axes without periodicity") {
  const BoxFile file;
  SECTION("a slab, whose third edge is a placeholder") {
    file.edit().text_attribute(file.box, "boundary", {3},
                               {"periodic", "periodic", "none"});
    file.edit().numbers(file.box + "/edges", {3}, {3, 4, 0});
    const Box box = read_all({file.path}).frames.at(0).box;
    CHECK(box.periodic() == std::array{true, true, false});
    CHECK(box.edges()[1] == Vec3{0, 4, 0});
    CHECK_FALSE(box.has_volume());
  }
  SECTION("open, with edges or without") {
    file.edit().text_attribute(file.box, "boundary", {}, {"none"});
    CHECK(read_all({file.path}).frames.at(0).box == Box());
    file.edit().remove(file.box + "/edges");
    CHECK(read_all({file.path}).frames.at(0).box == Box());
  }
}

TEST_CASE("a box of the user's own replaces that of the file") {
  const BoxFile file;
  io::ReadOptions options;
  SECTION("a good one") {
    options.box = Box({Vec3{9, 0, 0}, Vec3{0, 9, 0}, Vec3{0, 0, 9}}, periodic);
  }
  SECTION("none at all, where the file has none either") {
    file.edit().remove(file.box);
    options.box = Box();
  }
  for (const Frame& frame : read_all({file.path}, options).frames) {
    CHECK(frame.box == *options.box);
  }
}

TEST_CASE("what makes no box is refused, with the value") {
  const BoxFile file;
  const char* place = "/particles/all/box";
  SECTION("no box") {
    file.edit().remove(file.box);
    CHECK(missing(read_error(file.path), {"/particles/all", "no box", "--box"}) == "");
  }
  SECTION("no boundary") {
    file.edit().remove_attribute(file.box, "boundary");
    CHECK(missing(read_error(file.path), {place, "no boundary", "--box"}) == "");
  }
  SECTION("periodic without edges") {
    file.edit().remove(file.box + "/edges");
    CHECK(missing(read_error(file.path), {place, "no edges", "--box"}) == "");
  }
  SECTION("unknown boundary") {
    file.edit().text_attribute(file.box, "boundary", {3},
                               {"periodic", "reflecting", "periodic"});
    CHECK(missing(read_error(file.path), {place, "reflecting"}) == "");
  }
  SECTION("two boundaries") {
    file.edit().text_attribute(file.box, "boundary", {2}, {"periodic", "none"});
    CHECK(missing(read_error(file.path), {place, "2 values"}) == "");
  }
  SECTION("two dimensions") {
    file.edit().number_attribute(file.box, "dimension", {}, {2});
    CHECK(missing(read_error(file.path), {place, "dimension", "is 2"}) == "");
  }
  SECTION("another shape") {
    file.edit().numbers(file.box + "/edges", {2, 2}, {3, 0, 0, 4});
    CHECK(missing(read_error(file.path), {place, "[2, 2]"}) == "");
  }
  SECTION("zero") {
    file.edit().numbers(file.box + "/edges", {3}, {3, 0, 5});
    CHECK(missing(read_error(file.path), {place, "frame 0", "length 0 "}) == "");
  }
  SECTION("negative, even where the volume is positive") {
    file.edit().numbers(file.box + "/edges", {3}, {-3, -4, 5});
    CHECK(missing(read_error(file.path), {place, "frame 0", "-3"}) == "");
  }
  SECTION("not a number") {
    file.edit().numbers(file.box + "/edges", {3},
                        {3, std::numeric_limits<double>::quiet_NaN(), 5});
    CHECK(missing(read_error(file.path), {place, "frame 0", "nan"}) == "");
  }
  SECTION("left-handed") {
    file.edit().numbers(file.box + "/edges", {3, 3}, {0, 4, 0, 3, 0, 0, 0, 0, 5});
    CHECK(missing(read_error(file.path), {place, "frame 0", "left-handed"}) == "");
  }
  SECTION("flat") {
    file.edit().numbers(file.box + "/edges", {3, 3}, {3, 0, 0, 0, 4, 0, 3, 4, 0});
    CHECK(missing(read_error(file.path), {place, "frame 0", "flat"}) == "");
  }
  SECTION("another unit than the positions have") {
    file.edit().text_attribute(file.box + "/edges", "unit", {}, {"Angstrom"});
    CHECK(missing(read_error(file.path), {"in nm", "in A"}) == "");
  }
}

TEST_CASE("one bad box among good ones is found in its frame") {
  const BoxFile file;
  {
    HdfFile hdf = file.edit();
    hdf.remove(file.box + "/edges");
    hdf.numbers(file.box + "/edges/value", {3, 3}, {3, 4, 5, 3, 4, 5, 3, 4, 0});
    hdf.hard_link("particles/all/position/step", file.box + "/edges/step");
  }
  const auto reader = io::open_trajectory({file.path}, {});
  Frame frame;
  for (const std::uint64_t good : {1U, 1U, 0U}) {
    reader->read(FrameIndex(good), frame);
    CHECK(frame.box == cuboid);
    for (int time = 0; time < 2; ++time) {
      CHECK(missing(testing::error_text<InputError>(
                        [&] { reader->read(FrameIndex(2), frame); }),
                    {"frame 2", file.path.c_str(), "length 0 "}) == "");
    }
  }
}

}  // namespace
}  // namespace starhist
