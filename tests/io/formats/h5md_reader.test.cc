#include "io/formats/h5md/h5md_reader.hh"

#include <cmath>

#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/read_all.hh"
#include "tests/support/small_file.hh"

namespace starhist {
namespace {

using testing::error_text;
using testing::flat;
using testing::HdfFile;
using testing::missing;
using testing::NumberType;
using testing::positions_of;
using testing::read_all;
using testing::read_error;
using testing::small_trajectory;
using testing::SmallFile;
using testing::SmallTrajectory;
using testing::Storage;
using testing::write_h5md;

TEST_CASE("a plain H5MD file is read back") {
  const SmallFile file;
  const auto whole = read_all({file.path});
  CHECK(whole.info.paths == std::vector{file.path});
  CHECK(whole.info.format == "H5MD");
  CHECK(whole.info.group == "all");
  CHECK(whole.info.length_unit == "nm");
  CHECK(whole.info.time_unit == "ps");
  REQUIRE(whole.info.frame_count == 3);
  for (std::uint64_t i = 0; i < 3; ++i) {
    const Frame& frame = whole.frames[i];
    CHECK(frame.index == FrameIndex(i));
    CHECK(frame.step == static_cast<std::int64_t>(10 * i));
    CHECK(frame.time == 0.5 * static_cast<double>(i));
    CHECK(frame.positions.at(0) == positions_of(file.trajectory, i, "H"));
    CHECK(frame.positions.at(1) == positions_of(file.trajectory, i, "O"));
  }
}

TEST_CASE("positions of every type and chunk shape") {
  const SmallFile file(25);
  const auto storage = GENERATE(
      Storage{NumberType::f32, {}, {}, false}, Storage{NumberType::f64, {}, {}, false},
      Storage{NumberType::f64_big_endian, {1, 5, 3}, {}, false},
      Storage{NumberType::f32, {1, 2, 3}, -10.0, false},
      Storage{NumberType::f64, {10, 3, 2}, {}, false},
      Storage{NumberType::f32, {32, 128, 3}, {}, true},
      Storage{NumberType::f64, {1, 5, 3}, {}, true});
  file.edit().numbers(file.position + "/value", {25, 5, 3},
                      flat(file.trajectory.positions), storage);
  const auto whole = read_all({file.path});
  CHECK(whole.info.length_unit.empty());
  for (std::uint64_t i = 0; i < 25; ++i) {
    CHECK(whole.frames[i].positions.at(0) == positions_of(file.trajectory, i, "H"));
    CHECK(whole.frames[i].positions.at(1) == positions_of(file.trajectory, i, "O"));
  }
}

TEST_CASE("the chunk cache is sized for chunks of many frames") {
  // 40 frames of 3000 particles in chunks of 20 frames, 1.4 MB: more than HDF5's
  // default cache.
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("chunks.h5");
  SmallTrajectory trajectory = small_trajectory(0);
  trajectory.species.assign(3000, "A");
  for (int frame = 0; frame < 40; ++frame) {
    trajectory.positions.emplace_back(9000, 0.25 + frame);
  }
  write_h5md(path, trajectory);
  HdfFile(path, HdfFile::Mode::edit)
      .numbers("particles/all/position/value", {40, 3000, 3},
               flat(trajectory.positions), {NumberType::f64, {20, 1500, 2}, {}, true});
  const io::Hdf5Object file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT),
                            H5Fclose);
  const io::Hdf5Rows rows(file.get(), "particles/all/position/value",
                          io::Hdf5Rows::Layout::many_rows);
  const io::Hdf5Object access(H5Dget_access_plist(rows.dataset()), H5Pclose);
  std::size_t bytes = 0;
  REQUIRE(H5Pget_chunk_cache(access.get(), nullptr, &bytes, nullptr) >= 0);
  CHECK(bytes == 20U * 3000U * 4U * 8U);
  const auto whole = read_all({path});
  for (std::size_t frame = 0; frame < 40; ++frame) {
    CHECK(whole.frames[frame].positions.at(0) == trajectory.positions[frame]);
  }
}

TEST_CASE("positions may be integers") {
  const SmallFile file;
  std::vector<double> lattice(45);
  for (std::size_t i = 0; i < lattice.size(); ++i) {
    lattice[i] = static_cast<double>(i) - 20.0;
  }
  file.edit().numbers(file.position + "/value", {3, 5, 3}, lattice, {NumberType::i32});
  const auto whole = read_all({file.path});
  CHECK(whole.frames[0].positions.at(1) ==
        std::vector<double>{-20, -19, -18, -11, -10, -9});
}

TEST_CASE("constant positions are a single frame") {
  const SmallFile file;
  {
    HdfFile hdf = file.edit();
    hdf.remove(file.position);
    hdf.numbers(file.position, {5, 3}, file.trajectory.positions[1]);
  }
  const auto whole = read_all({file.path});
  REQUIRE(whole.info.frame_count == 1);
  CHECK(whole.frames[0].positions.at(0) == positions_of(file.trajectory, 1, "H"));
}

TEST_CASE("step and time: fixed increments, integers, missing") {
  const SmallFile file;
  std::vector<std::int64_t> steps{0, 10, 20};
  std::vector<double> times{0.0, 0.5, 1.0};
  {
    HdfFile hdf = file.edit();
    const std::string step = file.position + "/step";
    const std::string time = file.position + "/time";
    SECTION("increments with an offset") {
      hdf.numbers(step, {}, {100}, {NumberType::i32});
      hdf.number_attribute(step, "offset", {}, {-50}, NumberType::i64);
      hdf.numbers(time, {}, {0.25});
      hdf.number_attribute(time, "offset", {}, {2.5}, NumberType::f64);
      steps = {-50, 50, 150};
      times = {2.5, 2.75, 3.0};
    }
    SECTION("increments without") {
      hdf.numbers(step, {}, {7}, {NumberType::i32});
      hdf.numbers(time, {}, {2}, {NumberType::i64});
      steps = {0, 7, 14};
      times = {0, 2, 4};
    }
    SECTION("integer times (ZnH5MD)") {
      hdf.numbers(time, {3}, {5, 6, 7}, {NumberType::i64});
      times = {5, 6, 7};
    }
    SECTION("times in single precision are read as short decimals") {
      hdf.remove(time);
      hdf.numbers(time, {3}, {10000.1, 10000.2, 10000.3}, {NumberType::f32});
      times = {10000.1, 10000.2, 10000.3};
    }
    SECTION("no time") {
      hdf.remove(time);
      times.clear();
    }
    SECTION("neither") {
      hdf.remove(step);
      hdf.remove(time);
      steps = {0, 0, 0};
      times.clear();
    }
    SECTION("steps that do not increase") {
      hdf.numbers(step, {3}, {5, 5, 0}, {NumberType::i64});
      steps = {5, 5, 0};
    }
  }
  const auto whole = read_all({file.path});
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(whole.frames[i].step == steps[i]);
    if (times.empty()) {
      CHECK(std::isnan(whole.frames[i].time));
    } else {
      CHECK(whole.frames[i].time == times[i]);
    }
  }
}

TEST_CASE("a fill value before steps and times does not belong to a frame") {
  const SmallFile file;
  const std::string step = file.position + "/step";
  const std::string time = file.position + "/time";
  const std::vector<double> times{0.0, 0.5, 1.0};
  std::vector<std::int64_t> steps{0, 10, 20};
  {
    HdfFile hdf = file.edit();
    SECTION("the dataset's fill value, as in ESPResSo") {
      const double fill = GENERATE(-10.0, 0.0, 700.0);
      steps = {500, 510, 520};
      hdf.numbers(step, {4}, {fill, 500, 510, 520}, {NumberType::i32, {1}, fill});
      hdf.numbers(time, {4}, {fill, 0.0, 0.5, 1.0}, {NumberType::f64, {1}, fill});
    }
    SECTION("zero before zero") {
      hdf.numbers(step, {4}, {0, 0, 10, 20}, {NumberType::i32});
      hdf.numbers(time, {4}, {0, 0, 0.5, 1});
    }
    SECTION("negative") {
      hdf.numbers(step, {4}, {-1, 0, 10, 20}, {NumberType::i32});
      hdf.numbers(time, {4}, {-1, 0, 0.5, 1});
    }
    SECTION("only times show it") {
      steps = {10, 20, 30};
      hdf.numbers(step, {4}, {0, 10, 20, 30}, {NumberType::i32});
      hdf.numbers(time, {4}, {std::nan(""), 0, 0.5, 1});
    }
    SECTION("zero in an ESPResSo file") {
      steps = {500, 510, 520};
      hdf.group("h5md/creator");
      hdf.text_attribute("h5md/creator", "name", {}, {"ESPResSo"});
      hdf.numbers(step, {4}, {0, 500, 510, 520}, {NumberType::i32});
      hdf.numbers(time, {4}, {0, 0, 0.5, 1});
    }
  }
  const auto whole = read_all({file.path});
  CHECK(missing(whole.info.remarks.at(0), {file.path.c_str(), "ESPResSo"}) == "");
  REQUIRE(whole.frames.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(whole.frames[i].step == steps[i]);
    CHECK(whole.frames[i].time == times[i]);
  }
}

TEST_CASE("an additional last step was left by an interrupted writer") {
  const SmallFile file;
  const bool espresso = GENERATE(false, true);
  if (espresso) {
    file.edit().group("h5md/creator");
    file.edit().text_attribute("h5md/creator", "name", {}, {"ESPResSo"});
  }
  file.edit().numbers(file.position + "/step", {4}, {0, 10, 20, 30}, {NumberType::i32});
  CHECK(missing(read_error(file.path),
                {"/position/step", "4 values for 3", "interrupted"}) == "");
}

TEST_CASE("a multiple of a unit is reported as such (NOMAD)") {
  const SmallFile file;
  file.edit().text_attribute(file.position + "/value", "unit", {}, {"angstrom"});
  const double factor = GENERATE(1.0, 0.5);
  file.edit().number_attribute(file.position + "/value", "unit_factor", {}, {factor},
                               NumberType::f64);
  CHECK(read_all({file.path}).info.length_unit == (factor == 1.0 ? "A" : "0.5 A"));
}

TEST_CASE("edges with other steps than the positions") {
  const SmallFile file;
  const std::string edges = "particles/all/box/edges";
  {
    HdfFile hdf = file.edit();
    hdf.remove(edges);
  }
  SECTION("more of them: matched by step, never by row") {
    {
      HdfFile hdf = file.edit();
      hdf.numbers(edges + "/value", {5, 3},
                  {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5});
      hdf.numbers(edges + "/step", {}, {5}, {NumberType::i64});
    }
    const auto whole = read_all({file.path});
    CHECK(whole.frames[0].box.volume() == 1.0);
    CHECK(whole.frames[1].box.volume() == 27.0);
    CHECK(whole.frames[2].box.volume() == 125.0);
  }
  SECTION("fewer: the box of a frame is never guessed") {
    {
      HdfFile hdf = file.edit();
      hdf.numbers(edges + "/value", {2, 3}, {1, 1, 1, 2, 2, 2});
      hdf.numbers(edges + "/step", {2}, {0, 20}, {NumberType::i64});
    }
    const auto reader = io::open_trajectory({file.path}, {});
    Frame frame;
    reader->read(FrameIndex(2), frame);
    CHECK(frame.box.volume() == 8.0);
    CHECK(missing(error_text<InputError>([&] { reader->read(FrameIndex(1), frame); }),
                  {"frame 1", "/box/edges/value", "step 10"}) == "");
  }
}

TEST_CASE("units: from the positions, otherwise from the box, in canonical spelling") {
  const SmallFile file;
  HdfFile hdf = file.edit();
  std::string expected;
  SECTION("positions") {
    hdf.text_attribute(file.position + "/value", "unit", {}, {"Angstrom"},
                       testing::StringType::variable);
    expected = "A";
  }
  SECTION("an array of one string") {
    hdf.text_attribute(file.position + "/value", "unit", {1}, {"nanometer"});
    expected = "nm";
  }
  SECTION("the element") {
    hdf.remove_attribute(file.position + "/value", "unit");
    hdf.text_attribute(file.position, "unit", {}, {"pm"});
    expected = "pm";
  }
  SECTION("the box") {
    hdf.remove_attribute(file.position + "/value", "unit");
    hdf.text_attribute("particles/all/box/edges", "unit", {}, {"\xc3\x85"});
    expected = "A";
  }
  hdf = HdfFile(file.folder.file("other.h5"));  // closes the first
  CHECK(read_all({file.path}).info.length_unit == expected);
}

TEST_CASE("frames without particles, with and without a species dataset") {
  for (const bool with_species : {false, true}) {
    const SmallFile file;
    {
      HdfFile hdf = file.edit();
      hdf.numbers("particles/all/position/value", {3, 0, 3}, {});
      hdf.remove("particles/all/species");
      if (with_species) {
        hdf.enumeration("particles/all/species", {0}, {}, {"H", "O"});
      }
    }
    const auto whole = read_all({file.path});
    CHECK(whole.info.species == std::vector<std::string>{"all"});
    REQUIRE(whole.frames.size() == 3);
    for (std::uint64_t i = 0; i < 3; ++i) {
      CHECK(whole.frames[i].step == static_cast<std::int64_t>(10 * i));
      CHECK(whole.frames[i].box.has_volume());
      CHECK(whole.frames[i].positions == std::vector<std::vector<double>>{{}});
    }
    io::ReadOptions selected;
    selected.species = io::parse_species_groups("A=all");
    CHECK(missing(read_error(file.path, selected), {"no particles in its first"}) ==
          "");
  }
}

TEST_CASE("several particle groups") {
  const SmallFile file;
  const std::vector<std::string> names{"all", "solvent"};
  {
    HdfFile hdf = file.edit();
    hdf.group("particles/empty");
    hdf.hard_link("particles/all/box", "particles/solvent/box");
  }
  SECTION("groups without positions do not count") {
    CHECK(read_all({file.path}).info.group == "all");
  }
  SECTION("several with positions") {
    {
      HdfFile hdf = file.edit();
      hdf.numbers("particles/solvent/position", {1, 3}, {1, 2, 3});
    }
    CHECK(missing(read_error(file.path), {"all, solvent", "--group"}) == "");
    io::ReadOptions options;
    options.group = "solvent";
    const auto whole = read_all({file.path}, options);
    CHECK(whole.info.group == "solvent");
    CHECK(whole.frames.at(0).positions.at(0) == std::vector<double>{1, 2, 3});
    options.group = "protein";
    CHECK(missing(read_error(file.path, options), {"'protein'", "'all', 'solvent'"}) ==
          "");
  }
}

}  // namespace
}  // namespace starhist
