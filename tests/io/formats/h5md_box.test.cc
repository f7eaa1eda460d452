#include "io/formats/h5md/h5md_box.hh"

#include <limits>

#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/h5md_file.hh"
#include "tests/support/read_all.hh"
#include "tests/support/temporary_directory.hh"

namespace starhist {
namespace {

using testing::all_periodic;
using testing::HdfFile;
using testing::missing;
using testing::NumberType;
using testing::read_all;
using testing::read_error;
using testing::small_trajectory;
using testing::StringType;
using testing::write_h5md;

/// A small trajectory whose box is rewritten by a test.
struct BoxFile {
  testing::TemporaryDirectory folder;
  std::string path = folder.file("box.h5");
  std::string box = "particles/all/box";

  BoxFile() { write_h5md(path, small_trajectory()); }
  HdfFile edit() const { return HdfFile(path, HdfFile::Mode::edit); }
};

const Box cuboid({Vec3{3, 0, 0}, Vec3{0, 4, 0}, Vec3{0, 0, 5}}, all_periodic);

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
            Box({Vec3{e.x, 0, 0}, Vec3{0, e.y, 0}, Vec3{0, 0, e.z}}, all_periodic));
      }
    }
    SECTION("matrices") {
      hdf.numbers(file.box + "/edges/value", {3, 3, 3},
                  {3, 0, 0, 1,   4, 0, 0.5, 0.25, 5,  //
                   3, 0, 0, 1.5, 4, 0, 0.5, 0.25, 5,  //
                   3, 0, 0, 1,   4, 0, 0.5, 0.25, 6},
                  {NumberType::f64, {512, 2, 2}});
      const Vec3 a{3, 0, 0};
      expected = {Box({a, Vec3{1, 4, 0}, Vec3{0.5, 0.25, 5}}, all_periodic),
                  Box({a, Vec3{1.5, 4, 0}, Vec3{0.5, 0.25, 5}}, all_periodic),
                  Box({a, Vec3{1, 4, 0}, Vec3{0.5, 0.25, 6}}, all_periodic)};
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
  SECTION("a slab whose third edge is a placeholder") {
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

TEST_CASE("pbc in every form, with and without boundary") {
  const BoxFile file;
  const bool alone = GENERATE(false, true);
  {
    HdfFile hdf = file.edit();
    if (alone) {
      hdf.remove_attribute(file.box, "boundary");
    } else {
      hdf.text_attribute(file.box, "boundary", {3}, {"periodic", "none", "periodic"});
    }
    SECTION("an attribute") {
      hdf.number_attribute(file.box, "pbc", {3}, {1, 0, 1});
    }
    SECTION("a dataset") {
      hdf.numbers(file.box + "/pbc", {3}, {1, 0, 1}, {NumberType::i8});
    }
    SECTION("booleans, which HDF5 files hold as an enumeration") {
      hdf.enumeration(file.box + "/pbc", {3}, {1, 0, 1}, {"FALSE", "TRUE"});
    }
    SECTION("an element (ZnH5MD)") {
      hdf.numbers(file.box + "/pbc/value", {3, 3}, {1, 0, 1, 1, 0, 1, 1, 0, 1});
      hdf.hard_link("particles/all/position/step", file.box + "/pbc/step");
    }
  }
  for (const Frame& frame : read_all({file.path}).frames) {
    CHECK(frame.box.periodic() == std::array{true, false, true});
    CHECK(frame.box.edges()[2] == Vec3{0, 0, 5});
  }
}

TEST_CASE("periodic axes of every frame, numbers or words") {
  const BoxFile file;
  {
    HdfFile hdf = file.edit();
    SECTION("pbc, with a boundary that describes the first frame") {
      hdf.numbers(file.box + "/pbc/value", {3, 3}, {1, 1, 1, 1, 1, 0, 0, 0, 0});
      hdf.hard_link("particles/all/position/step", file.box + "/pbc/step");
    }
    SECTION("boundary, one word for all axes, with other steps") {
      hdf.text(file.box + "/boundary/value", {4, 3},
               {"none", "none", "periodic", "periodic", "periodic", "periodic",
                "periodic", "periodic", "none", "none", "none", "none"});
      hdf.numbers(file.box + "/boundary/step", {4}, {-10, 0, 10, 20},
                  {NumberType::i64});
    }
    SECTION("the edges of frames without periodic axes are irrelevant") {
      const double nan = std::numeric_limits<double>::quiet_NaN();
      hdf.remove(file.box + "/edges");
      hdf.numbers(file.box + "/edges/value", {3, 3}, {3, 4, 5, 3, 4, 5, nan, nan, nan});
      hdf.hard_link("particles/all/position/step", file.box + "/edges/step");
      hdf.numbers(file.box + "/pbc/value", {3, 3}, {1, 1, 1, 1, 1, 0, 0, 0, 0});
      hdf.hard_link("particles/all/position/step", file.box + "/pbc/step");
    }
  }
  const auto reader = io::open_trajectory({file.path}, {});
  Frame frame;
  for (const std::uint64_t index : {2U, 0U, 1U, 1U, 0U, 2U}) {
    reader->read(FrameIndex(index), frame);
    CHECK(frame.box.periodic() == std::array{index < 2, index < 2, index < 1});
    CHECK((index == 2 ? frame.box == Box() : frame.box.edges()[1] == Vec3{0, 4, 0}));
  }
}

TEST_CASE("contradictory periodic axes are refused") {
  const BoxFile file;
  const char* place = "/particles/all/box";
  SECTION("boundary and a constant pbc") {
    file.edit().numbers(file.box + "/pbc", {3}, {1, 1, 0});
    CHECK(missing(read_error(file.path),
                  {place, "\"boundary\"", "x, y, z", "\"pbc\"", "--box"}) == "");
  }
  SECTION("boundary and the first of several") {
    HdfFile hdf = file.edit();
    hdf.numbers(file.box + "/pbc/value", {3, 3}, {1, 1, 0, 1, 1, 1, 1, 1, 1});
    hdf.hard_link("particles/all/position/step", file.box + "/pbc/step");
    hdf = HdfFile(file.folder.file("other.h5"));
    CHECK(missing(read_error(file.path), {place, "frame 0", "x, y", "--box"}) == "");
  }
  SECTION("two for every frame, in one") {
    {
      HdfFile hdf = file.edit();
      hdf.remove_attribute(file.box, "boundary");
      hdf.text(file.box + "/boundary/value", {3, 1}, {"periodic", "none", "none"});
      hdf.numbers(file.box + "/pbc/value", {3, 1}, {1, 0, 1});
      hdf.hard_link("particles/all/position/step", file.box + "/pbc/step");
      hdf.hard_link("particles/all/position/step", file.box + "/boundary/step");
    }
    const auto reader = io::open_trajectory({file.path}, {});
    Frame frame;
    reader->read(FrameIndex(1), frame);
    CHECK(frame.box == Box());
    CHECK(missing(testing::error_text<InputError>(
                      [&] { reader->read(FrameIndex(2), frame); }),
                  {"frame 2", place, "no axis", "x, y, z"}) == "");
  }
  SECTION("a value that is neither") {
    const double value = GENERATE(2.0, std::numeric_limits<double>::quiet_NaN());
    file.edit().numbers(file.box + "/pbc", {3}, {1, 1, value});
    CHECK(missing(read_error(file.path), {"/box/pbc", "neither", "--box"}) == "");
  }
  SECTION("value missing") {
    file.edit().numbers(file.box + "/pbc/value", {0, 3}, {}, {NumberType::f64, {1, 3}});
    CHECK(missing(read_error(file.path), {"/box/pbc/value", "0 values", "--box"}) ==
          "");
  }
}

TEST_CASE("content that may change the box or the positions is refused by name") {
  const BoxFile file;
  const std::string positions = "particles/all/position";
  const auto refused = [&](std::initializer_list<const char*> words) {
    return missing(read_error(file.path), words);
  };
  SECTION("an unknown dataset of the box") {
    file.edit().numbers(file.box + "/angles", {3}, {90, 90, 60});
    CHECK(refused({"/particles/all/box", "\"angles\"", "--box"}) == "");
    io::ReadOptions options;
    options.box = Box();
    CHECK(read_all({file.path}, options).frames.size() == 3);
  }
  SECTION("an unknown attribute of the box") {
    file.edit().number_attribute(file.box, "tilt", {}, {1});
    CHECK(refused({"/particles/all/box", "\"tilt\"", "--box"}) == "");
  }
  SECTION("a box next to the positions") {
    file.edit().numbers("particles/all/cell", {3, 3}, {3, 0, 0, 0, 4, 0, 0, 0, 5});
    CHECK(refused({"/particles/all/cell", "--box"}) == "");
  }
  SECTION("sheared boundaries of ESPResSo") {
    file.edit().numbers("particles/all/lees_edwards/offset/value", {3, 1}, {0, 0, 0.5});
    file.edit().hard_link(positions + "/step",
                          "particles/all/lees_edwards/offset/step");
    CHECK(refused({"/lees_edwards/offset/value", "0.5", "--box"}) == "");
  }
  SECTION("an unknown member of the positions") {
    file.edit().numbers(positions + "/scale", {}, {10});
    CHECK(refused({"/particles/all/position", "\"scale\""}) == "");
  }
  SECTION("scaled positions") {
    file.edit().number_attribute(positions + "/value", "scale_factor", {}, {10});
    CHECK(refused({"/particles/all/position/value", "\"scale_factor\""}) == "");
  }
  SECTION("scaled edges") {
    file.edit().number_attribute(file.box + "/edges", "scale_factor", {}, {10});
    CHECK(refused({"/particles/all/box/edges", "\"scale_factor\""}) == "");
  }
  SECTION("fractional steps") {
    file.edit().numbers(positions + "/step", {3}, {0, 0.5, 1});
    CHECK(refused({"/particles/all/position/step", "0.5", "whole"}) == "");
  }
  SECTION("another version of H5MD") {
    file.edit().number_attribute("h5md", "version", {2}, {2, 0});
    CHECK(refused({"/h5md/version", "H5MD 2", "version 1"}) == "");
  }
}

TEST_CASE("known names of the box that are irrelevant") {
  const BoxFile file;
  HdfFile hdf = file.edit();
  hdf.numbers(file.box + "/offset", {3}, {1, 1, 1});
  hdf.text_attribute(file.box, "ASE_ENTRY_ORIGIN", {}, {"atoms"});
  hdf.numbers("particles/all/lees_edwards/offset", {1}, {0});
  hdf = HdfFile(file.folder.file("other.h5"));
  CHECK(read_all({file.path}).frames.at(0).box == cuboid);
}

TEST_CASE("two boxes must agree") {
  const BoxFile file;
  const std::string second = "particles/all/position/box";
  {
    HdfFile hdf = file.edit();
    hdf.group(second);
    hdf.number_attribute(second, "dimension", {}, {3});
    hdf.text_attribute(second, "boundary", {}, {"periodic"});
    hdf.numbers(second + "/edges/value", {3, 3}, {3, 4, 5, 3, 4, 5, 3, 4, 6});
    hdf.hard_link("particles/all/position/step", second + "/edges/step");
  }
  SECTION("they differ in one frame") {
    const auto reader = io::open_trajectory({file.path}, {});
    Frame frame;
    reader->read(FrameIndex(1), frame);
    CHECK(frame.box == cuboid);
    CHECK(missing(testing::error_text<InputError>(
                      [&] { reader->read(FrameIndex(2), frame); }),
                  {"frame 2", "/particles/all/box", "/particles/all/position/box",
                   "--box"}) == "");
  }
  SECTION("only the one next to the positions is valid") {
    file.edit().remove(file.box);
    CHECK(read_all({file.path}).frames.at(2).box ==
          Box({Vec3{3, 0, 0}, Vec3{0, 4, 0}, Vec3{0, 0, 6}}, all_periodic));
  }
}

TEST_CASE("a box given by the user replaces the file's") {
  const BoxFile file;
  io::ReadOptions options;
  SECTION("valid box") {
    options.box = Box({Vec3{9, 0, 0}, Vec3{0, 9, 0}, Vec3{0, 0, 9}}, all_periodic);
  }
  SECTION("open box, also if the file has none") {
    file.edit().remove(file.box);
    options.box = Box();
  }
  for (const Frame& frame : read_all({file.path}, options).frames) {
    CHECK(frame.box == *options.box);
  }
}

TEST_CASE("an invalid box is refused, with the value") {
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
  SECTION("negative, even if the volume is positive") {
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
    CHECK(read_all({file.path}, {}).frames.at(0).box.volume() == 60.0);
  }
  SECTION("flat") {
    file.edit().numbers(file.box + "/edges", {3, 3}, {3, 0, 0, 0, 4, 0, 3, 4, 0});
    CHECK(missing(read_error(file.path), {place, "frame 0", "flat"}) == "");
  }
  SECTION("a unit that differs from the positions'") {
    file.edit().text_attribute(file.box + "/edges", "unit", {}, {"Angstrom"});
    CHECK(missing(read_error(file.path), {"in nm", "in A"}) == "");
  }
}

TEST_CASE("an invalid box among valid ones is reported with its frame") {
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
