#include "io/formats/h5md/h5md_species.hh"

#include <algorithm>
#include <limits>
#include <optional>

#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/h5md_file.hh"
#include "tests/support/read_all.hh"
#include "tests/support/temporary_directory.hh"

namespace starhist {
namespace {

using testing::error_text;
using testing::HdfFile;
using testing::missing;
using testing::NumberType;
using testing::positions_of;
using testing::read_all;
using testing::read_error;
using testing::small_trajectory;
using testing::SmallTrajectory;
using testing::StringType;
using testing::write_h5md;

using Names = std::vector<std::string>;

/// Three frames of five particles, whose species are rewritten by a test.
struct SpeciesFile {
  testing::TemporaryDirectory folder;
  std::string path = folder.file("species.h5");
  std::string species = "particles/all/species";
  SmallTrajectory trajectory = small_trajectory();

  SpeciesFile() { write_h5md(path, trajectory); }

  /// Writes species that change with time: `values` of `sample_count` samples.
  void per_sample(const std::vector<double>& steps, const std::vector<double>& values,
                  NumberType type = NumberType::i32) const {
    HdfFile hdf(path, HdfFile::Mode::edit);
    hdf.remove(species);
    hdf.numbers(species + "/value", {steps.size(), 5}, values, {type, {1, 5}});
    hdf.numbers(species + "/step", {steps.size()}, steps, {NumberType::i64});
  }
  HdfFile edit() const { return HdfFile(path, HdfFile::Mode::edit); }

  /// Returns the positions of the particles that have `name` in `species_now`.
  std::vector<double> expected(std::uint64_t frame, const Names& species_now,
                               const std::string& name) const {
    SmallTrajectory now = trajectory;
    now.species = species_now;
    return positions_of(now, frame, name);
  }
};

TEST_CASE("species from an enumeration: names of the members that occur") {
  const SpeciesFile file;
  SECTION("all members occur") {}
  SECTION("one does not occur") {
    file.edit().enumeration(file.species, {5}, {2, 1, 1, 2, 1}, {"Na", "H", "O"});
  }
  const auto whole = read_all({file.path});
  CHECK(whole.info.species == Names{"H", "O"});
  for (std::uint64_t frame = 0; frame < 3; ++frame) {
    const auto& positions = whole.frames.at(frame).positions;
    REQUIRE(positions.size() == 2);
    CHECK(positions[0] == positions_of(file.trajectory, frame, "H"));
    CHECK(positions[1] == positions_of(file.trajectory, frame, "O"));
  }
}

TEST_CASE("species from numbers are named and sorted by value") {
  const SpeciesFile file;
  const auto type =
      GENERATE(NumberType::i8, NumberType::i32, NumberType::i64, NumberType::f32,
               NumberType::f64, NumberType::f64_big_endian);
  file.edit().numbers(file.species, {5}, {11, 1, 8, 11, 1}, {type});
  const auto whole = read_all({file.path});
  CHECK(whole.info.species == Names{"1", "8", "11"});
  const Names now{"11", "1", "8", "11", "1"};
  CHECK(whole.frames.at(1).positions.at(0) == file.expected(1, now, "1"));
  CHECK(whole.frames.at(1).positions.at(1) == file.expected(1, now, "8"));
  CHECK(whole.frames.at(1).positions.at(2) == file.expected(1, now, "11"));
}

TEST_CASE("species of ZnH5MD are atomic numbers, others are labels") {
  const SpeciesFile file;
  const bool zn = GENERATE(true, false);
  {
    HdfFile hdf = file.edit();
    hdf.numbers(file.species, {5}, {11, 1, 8, 0, 1}, {NumberType::f64});
    hdf.group("h5md/creator");
    hdf.text_attribute("h5md/creator", "name", {}, {zn ? "znh5md" : "someone"});
  }
  const auto elements = read_all({file.path}).info.elements;
  const auto element_of = [&](std::size_t k) {
    return k < elements.size() ? elements[k].element : "";
  };
  CHECK(element_of(0).empty());  // 0 is ASE's X
  CHECK(element_of(1) == (zn ? "H" : ""));
  CHECK(element_of(2) == (zn ? "O" : ""));
  CHECK(element_of(3) == (zn ? "Na" : ""));
  io::ReadOptions options;
  options.per_particle = true;
  CHECK(io::open_trajectory({file.path}, options)->info().particles.element ==
        (zn ? Names{"Na", "H", "O", "", "H"} : Names{}));
}

TEST_CASE("further columns as numbers, for fields that are words in selections") {
  const SpeciesFile file;
  io::ReadOptions options;
  options.per_particle = true;
  SECTION("types and elements") {
    file.edit().numbers("particles/all/type", {5}, {2, 1, 1, 2, 1}, {NumberType::i32});
    file.edit().numbers("particles/all/element", {5}, {8, 1, 1, 8, 0});
    const auto table = io::open_trajectory({file.path}, options)->info().particles;
    CHECK(table.type == Names{"2", "1", "1", "2", "1"});
    CHECK(table.element == Names{"O", "H", "H", "O", ""});
  }
  SECTION("words for fields that are numbers") {
    file.edit().text("particles/all/resid", {5}, {"1", "1", "1", "1A", "1A"});
    CHECK(missing(read_error(file.path, options), {"/particles/all/resid", "text"}) ==
          "");
  }
  SECTION("fractional numbers") {
    file.edit().numbers("particles/all/resid", {5}, {1, 1, 1, 2.5, 2.5});
    CHECK(missing(read_error(file.path, options),
                  {"/particles/all/resid", "2.5", "whole"}) == "");
  }
}

TEST_CASE("species as text") {
  const SpeciesFile file;
  const auto type = GENERATE(StringType::fixed, StringType::variable);
  const std::string name = GENERATE(as<std::string>(), "species", "species_label");
  {
    HdfFile hdf = file.edit();
    hdf.remove(file.species);
    hdf.text("particles/all/" + name, {5}, file.trajectory.species, type);
  }
  const auto whole = read_all({file.path});
  CHECK(whole.info.species == Names{"H", "O"});
  CHECK(whole.frames.at(2).positions.at(0) == positions_of(file.trajectory, 2, "H"));
  CHECK(whole.frames.at(2).positions.at(1) == positions_of(file.trajectory, 2, "O"));
}

TEST_CASE("particles without species form one") {
  const SpeciesFile file;
  file.edit().remove(file.species);
  const auto whole = read_all({file.path});
  CHECK(whole.info.species == Names{"all"});
  CHECK(whole.frames.at(1).positions.at(0) == file.trajectory.positions[1]);
}

TEST_CASE("species per frame, in varying order") {
  const SpeciesFile file;
  const auto type = GENERATE(NumberType::i32, NumberType::f64);
  file.per_sample({0, 10, 20}, {1, 2, 2, 1, 2, 2, 1, 2, 2, 1, 1, 1, 1, 3, 1}, type);
  const std::vector<Names> now{
      {"1", "2", "2", "1", "2"}, {"2", "1", "2", "2", "1"}, {"1", "1", "1", "3", "1"}};
  const auto whole = read_all({file.path});
  CHECK(whole.info.species == Names{"1", "2", "3"});
  for (std::uint64_t frame = 0; frame < 3; ++frame) {
    for (std::size_t s = 0; s < 3; ++s) {
      CHECK(whole.frames.at(frame).positions.at(s) ==
            file.expected(frame, now[frame], whole.info.species[s]));
    }
  }
}

TEST_CASE("species are matched to frames by step") {
  const SpeciesFile file;
  const Names first{"1", "2", "2", "1", "2"};
  const Names second{"2", "2", "2", "1", "1"};
  SECTION("once") {
    file.per_sample({0}, {1, 2, 2, 1, 2});
    CHECK(read_all({file.path}).frames.at(2).positions.at(0) ==
          file.expected(2, first, "1"));
  }
  SECTION("less often: the last known species apply") {
    file.per_sample({0, 20}, {1, 2, 2, 1, 2, 2, 2, 2, 1, 1});
    const auto whole = read_all({file.path});
    CHECK(whole.frames.at(0).positions.at(0) == file.expected(0, first, "1"));
    CHECK(whole.frames.at(1).positions.at(0) == file.expected(1, first, "1"));
    CHECK(whole.frames.at(2).positions.at(0) == file.expected(2, second, "1"));
  }
  SECTION("more often") {
    file.per_sample({-10, 0, 5, 10, 20}, {1, 1, 1, 1, 1, 1, 2, 2, 1, 2, 1, 1, 1,
                                          1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 1, 2});
    const auto whole = read_all({file.path});
    CHECK(whole.frames.at(0).positions.at(0) == file.expected(0, first, "1"));
    CHECK(whole.frames.at(1).positions.at(0) == file.expected(1, second, "1"));
    CHECK(whole.frames.at(2).positions.at(0) == file.expected(2, first, "1"));
  }
  SECTION("too late for the first frame") {
    file.per_sample({10, 20}, {1, 2, 2, 1, 2, 2, 2, 2, 1, 1});
    CHECK(missing(read_error(file.path), {"/species/value", "no sample for step 0"}) ==
          "");
  }
  SECTION("with steps that go back") {
    file.per_sample({0, 20, 10}, {1, 2, 2, 1, 2, 1, 2, 2, 1, 2, 1, 2, 2, 1, 2});
    CHECK(missing(read_error(file.path), {"/species/value", "do not increase"}) == "");
  }
}

TEST_CASE("frames can be read repeatedly and in any order") {
  const SpeciesFile file;
  file.per_sample({0, 10, 20}, {1, 2, 2, 1, 2, 2, 1, 2, 2, 1, 1, 1, 1, 3, 1});
  const auto whole = read_all({file.path});
  const auto reader = io::open_trajectory({file.path}, {});
  Frame frame;
  for (const std::uint64_t index : {2U, 0U, 0U, 1U, 2U, 1U}) {
    reader->read(FrameIndex(index), frame);
    CHECK(frame.index == FrameIndex(index));
    CHECK(frame.positions == whole.frames.at(index).positions);
  }
}

TEST_CASE("particles with the fill value as id are absent") {
  const SpeciesFile file;
  const auto fill = GENERATE(-1.0, 0.0);
  const double x = fill;
  {
    HdfFile hdf = file.edit();
    hdf.numbers("particles/all/id/value", {3, 5},
                {1, 2, 3, 4, 5, 1, x, 3, x, 5, x, x, x, x, 7},
                {NumberType::i32, {1, 5}, fill});
    hdf.hard_link("particles/all/position/step", "particles/all/id/step");
  }
  const auto whole = read_all({file.path});
  CHECK(whole.info.species == Names{"H", "O"});
  const auto expected = [&](std::uint64_t frame, std::vector<std::size_t> particles) {
    std::vector<double> positions;
    for (const std::size_t particle : particles) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        positions.push_back(file.trajectory.positions[frame][3 * particle + axis]);
      }
    }
    return positions;
  };
  CHECK(whole.frames.at(0).positions.at(0) == expected(0, {1, 2, 4}));
  CHECK(whole.frames.at(0).positions.at(1) == expected(0, {0, 3}));
  CHECK(whole.frames.at(1).positions.at(0) == expected(1, {2, 4}));
  CHECK(whole.frames.at(1).positions.at(1) == expected(1, {0}));
  CHECK(whole.frames.at(2).positions.at(0) == expected(2, {4}));
  CHECK(whole.frames.at(2).positions.at(1).empty());
}

TEST_CASE("a particle whose id is a fill value of 0 is not left out silently") {
  const SpeciesFile file;
  {
    HdfFile hdf = file.edit();
    hdf.numbers("particles/all/id", {5}, {0, 1, 2, 3, 4}, {NumberType::i32, {}, 0.0});
  }
  for (const bool per_particle : {false, true}) {
    io::ReadOptions options;
    options.per_particle = per_particle;
    CHECK(missing(error_text<InputError>([&] { read_all({file.path}, options); }),
                  {"particle 0 has a position, but its id is the fill value",
                   "another fill value"}) == "");
  }
}

TEST_CASE("negative ids mark absent particles, also without a fill value") {
  const SpeciesFile file;
  {
    HdfFile hdf = file.edit();
    hdf.numbers("particles/all/id/value", {3, 5},
                {1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, -1, -1}, {NumberType::i32});
    hdf.hard_link("particles/all/position/step", "particles/all/id/step");
  }
  const auto whole = read_all({file.path});
  CHECK(whole.frames.at(1).particle_count(SpeciesId(0)) == 3);
  CHECK(whole.frames.at(2).particle_count(SpeciesId(0)) == 2);
  CHECK(whole.frames.at(2).particle_count(SpeciesId(1)) == 1);
}

TEST_CASE("absent particles need no valid species or position") {
  const SpeciesFile file;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  {
    HdfFile hdf = file.edit();
    hdf.enumeration(file.species, {5}, {0, 1, 1, 9, 1}, {"O", "H"});
    hdf.numbers("particles/all/id", {5}, {1, 2, 3, -1, 5},
                {NumberType::i32, {5}, -1.0});
    auto positions = file.trajectory.positions;
    std::vector<double> all;
    for (auto& frame : positions) {
      frame[9] = nan;
      all.insert(all.end(), frame.begin(), frame.end());
    }
    hdf.numbers("particles/all/position/value", {3, 5, 3}, all);
  }
  const auto whole = read_all({file.path});
  CHECK(whole.info.species == Names{"H", "O"});
  CHECK(whole.frames.at(2).particle_count(SpeciesId(1)) == 1);
}

TEST_CASE("ids without an explicit fill value do not hide particles") {
  const SpeciesFile file;
  file.edit().numbers("particles/all/id", {5}, {0, 1, 2, 3, 4}, {NumberType::i32});
  CHECK(read_all({file.path}).frames.at(0).particle_count(SpeciesId(1)) == 2);
}

TEST_CASE("duplicate ids are refused, except for absent particles") {
  const SpeciesFile file;
  file.edit().numbers("particles/all/id", {5}, {1, 2, 3, 2, 5}, {NumberType::i32});
  CHECK(missing(read_error(file.path),
                {"frame 0", "/particles/all/id: two particles have the id 2"}) == "");
  {
    HdfFile hdf = file.edit();
    hdf.remove("particles/all/id");
    hdf.numbers("particles/all/id", {5}, {1, 2, -1, -1, 5}, {NumberType::i32});
  }
  CHECK(read_all({file.path}).frames.size() == 3);
}

TEST_CASE("ids that change with time are compared within each frame") {
  const SpeciesFile file;
  const double duplicate = GENERATE(0.0, 4.0, 1e12);
  {
    HdfFile hdf = file.edit();
    hdf.numbers("particles/all/id/value", {3, 5},
                {1, 2, 3, 4, 5, 5, 4, 3, 2, 1, duplicate, 1, 2, 3, duplicate},
                {NumberType::i64});
    hdf.hard_link("particles/all/position/step", "particles/all/id/step");
  }
  const auto reader = io::open_trajectory({file.path}, {});
  Frame frame;
  CHECK_NOTHROW(reader->read(FrameIndex(0), frame));
  CHECK_NOTHROW(reader->read(FrameIndex(1), frame));
  const std::string error =
      error_text<InputError>([&] { reader->read(FrameIndex(2), frame); });
  CHECK(missing(error, {"frame 2",
                        "/particles/all/id/value: two particles have the id "}) == "");
}

/// Three frames of a file padded with NaN: 5, 3 and 4 particles in rows of 5.
struct PaddedFile : SpeciesFile {
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> positions;
  std::vector<double> numbers{8, 1, 1, 8, 1, 8, 1, 1, nan, nan, 8, 1, 1, 8, nan};

  PaddedFile() {
    for (std::size_t frame = 0; frame < 3; ++frame) {
      std::vector<double> of_frame = trajectory.positions[frame];
      std::fill(of_frame.begin() + static_cast<std::ptrdiff_t>(3 * count(frame)),
                of_frame.end(), nan);
      positions.insert(positions.end(), of_frame.begin(), of_frame.end());
    }
  }
  static std::size_t count(std::size_t frame) { return frame == 0 ? 5 : 2 + frame; }

  /// `fill`: fill values of the positions and of the species; empty: not set by the
  /// writer.
  void write(std::optional<double> positions_fill, std::optional<double> species_fill,
             NumberType type = NumberType::f64) const {
    per_sample({0, 10, 20}, numbers, type);
    HdfFile hdf = edit();
    hdf.numbers(species + "/value", {3, 5}, numbers, {type, {1, 5}, species_fill});
    hdf.numbers("particles/all/position/value", {3, 5, 3}, positions,
                {NumberType::f64, {1, 5, 3}, positions_fill});
  }
  void check() const {
    const auto whole = read_all({path});
    REQUIRE(whole.info.species == Names{"1", "8"});
    for (std::size_t frame = 0; frame < 3; ++frame) {
      SmallTrajectory now = trajectory;
      now.species = {"8", "1", "1", "8", "1"};
      for (std::size_t k = count(frame); k < 5; ++k) {
        now.species[k] = "absent";
      }
      for (std::size_t s = 0; s < 2; ++s) {
        CHECK(whole.frames.at(frame).positions.at(s) ==
              positions_of(now, frame, whole.info.species[s]));
      }
    }
  }
};

TEST_CASE("particles padded with NaN are absent") {
  PaddedFile file;
  const double nan = PaddedFile::nan;
  SECTION("NaN everywhere (ZnH5MD)") {
    file.write(nan, nan);
  }
  SECTION("without fill values of the datasets") {
    file.write({}, {});
  }
  SECTION("a species equal to the fill value") {
    const double fill = GENERATE(-1.0, 0.0);
    std::replace_if(
        file.numbers.begin(), file.numbers.end(), [](double x) { return x != x; },
        fill);
    file.write(nan, fill, NumberType::i32);
  }
  SECTION("a species below 1 without a fill value") {
    const double number = GENERATE(-1.0, 0.0);
    std::replace_if(
        file.numbers.begin(), file.numbers.end(), [](double x) { return x != x; },
        number);
    file.write(nan, {}, NumberType::i32);
  }
  SECTION("a negative species equal to the fill value, and the position as well") {
    for (auto* values : {&file.numbers, &file.positions}) {
      std::replace_if(
          values->begin(), values->end(), [](double x) { return x != x; }, -10.0);
    }
    file.write(-10.0, -10.0, NumberType::i32);
  }
  SECTION("only positions, with the fill value NaN") {
    file.write(nan, {});
    file.edit().remove(file.species);
    file.edit().numbers(file.species, {5}, {8, 1, 1, 8, 1}, {NumberType::i32});
  }
  file.check();
}

TEST_CASE("padded frames in any order, with the file order") {
  PaddedFile file;
  const bool by_species = GENERATE(true, false);
  file.write(PaddedFile::nan, PaddedFile::nan);
  if (!by_species) {
    file.edit().remove(file.species);
    file.edit().numbers(file.species, {5}, {8, 1, 1, 8, 1}, {NumberType::i32});
  }
  io::ReadOptions options;
  options.tell_order = true;
  const auto reader = io::open_trajectory({file.path}, options);
  Frame frame;
  for (const std::size_t index : {1U, 0U, 2U, 2U, 1U}) {
    reader->read(FrameIndex(index), frame);
    const auto hydrogens = index == 0 ? std::vector<std::uint32_t>{1, 2, 4}
                                      : std::vector<std::uint32_t>{1, 2};
    CHECK(frame.order.at(0).row == hydrogens);
    CHECK(frame.positions.at(0).size() == 3 * hydrogens.size());
  }
}

TEST_CASE("selections of individual particles need the same number in every frame") {
  PaddedFile file;
  const bool by_species = GENERATE(true, false);
  file.write(PaddedFile::nan, PaddedFile::nan);
  if (!by_species) {
    file.edit().remove(file.species);
  }
  io::ReadOptions options;
  options.per_particle = true;
  const auto reader = io::open_trajectory({file.path}, options);
  CHECK(reader->info().particles.count == 5);
  Frame frame;
  reader->read(FrameIndex(0), frame);
  CHECK(frame.positions.at(0).size() == 15);
  CHECK(missing(testing::error_text<InputError>(
                    [&] { reader->read(FrameIndex(2), frame); }),
                {"frame 2", "has 4 particles", "first frame 5", "selections"}) == "");
}

TEST_CASE("NaN other than padding is refused, with the frame") {
  PaddedFile file;
  const double nan = PaddedFile::nan;
  const auto refused = [&](std::initializer_list<const char*> words) {
    return missing(read_error(file.path), words);
  };
  SECTION("a particle that has a species") {
    std::fill_n(file.positions.begin() + 3 * 7, 3, nan);
    file.write(nan, nan);
    CHECK(refused({"frame 1", "particle 2", "nan", "absent"}) == "");
  }
  SECTION("one component") {
    file.positions[3 * 6 + 1] = nan;
    file.write(nan, nan);
    CHECK(refused({"frame 1", "particle 1", "not finite"}) == "");
  }
  SECTION("one component of a particle without a species") {
    file.positions[3 * 8 + 1] = 0.5;
    file.write(nan, nan);
    CHECK(refused({"frame 1", "particle 3", "has a position"}) == "");
  }
  SECTION("a position without a species") {
    std::fill_n(file.positions.begin() + 3 * 14, 3, 0.5);
    file.write(nan, nan);
    CHECK(refused({"frame 2", "particle 4", "has a position"}) == "");
  }
  SECTION("a whole frame") {
    const bool by_species = GENERATE(true, false);
    std::fill_n(file.positions.begin() + 15, 15, nan);
    std::fill_n(file.numbers.begin() + 5, 5, nan);
    file.write(nan, nan);
    if (!by_species) {
      file.edit().remove(file.species);
    }
    CHECK(refused({"frame 1", "never written", "--skip-bad-frames"}) == "");
  }
  SECTION("in the middle, if species do not mark it") {
    std::fill_n(file.positions.begin() + 3, 3, nan);
    file.write(nan, nan);
    file.edit().remove(file.species);
    CHECK(refused({"frame 0", "particle 1", "nan"}) == "");
  }
  SECTION("a file that does not mark it") {
    file.write({}, {});
    file.edit().remove(file.species);
    CHECK(refused({"frame 1", "particle 3", "nan", "fill value"}) == "");
  }
}

TEST_CASE("invalid species are refused, with the value") {
  const SpeciesFile file;
  SECTION("not in the enumeration") {
    file.edit().enumeration(file.species, {5}, {0, 1, 7, 0, 1}, {"O", "H"});
    CHECK(missing(read_error(file.path),
                  {file.path.c_str(), "particle 2", "species 7", "enumeration"}) == "");
  }
  SECTION("fractional") {
    file.edit().numbers(file.species, {5}, {1, 2, 2, 1.5, 2});
    CHECK(missing(read_error(file.path), {"particle 3", "not a whole number"}) == "");
  }
  SECTION("for fewer particles") {
    file.edit().numbers(file.species, {4}, {1, 2, 2, 1});
    CHECK(missing(read_error(file.path), {"/species", "4 values for 5 particles"}) ==
          "");
  }
  SECTION("more samples than frames, and no steps") {
    HdfFile hdf = file.edit();
    hdf.remove(file.species);
    hdf.numbers(file.species + "/value", {2, 5}, {1, 2, 2, 1, 2, 1, 2, 2, 1, 2});
    hdf = HdfFile(file.folder.file("other.h5"));
    CHECK(missing(read_error(file.path), {"2 samples for 3 frames"}) == "");
  }
  SECTION("text of every frame") {
    HdfFile hdf = file.edit();
    hdf.remove(file.species);
    hdf.text(file.species + "/value", {1, 5}, {"O", "H", "H", "O", "H"});
    hdf = HdfFile(file.folder.file("other.h5"));
    CHECK(missing(read_error(file.path), {"/species", "changes with time"}) == "");
  }
  SECTION("with an empty name") {
    file.edit().text(file.species, {5}, {"O", "", "H", "O", "H"});
    CHECK(missing(read_error(file.path), {"particle 1", "empty name"}) == "");
  }
}

TEST_CASE("as many species as particles are refused") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("ids.h5");
  SmallTrajectory trajectory = small_trajectory(1);
  trajectory.species.assign(2000, "X");
  trajectory.positions[0].assign(6000, 0.5);
  write_h5md(path, trajectory);
  std::vector<double> ids(2000);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ids[i] = static_cast<double>(i);
  }
  HdfFile(path, HdfFile::Mode::edit).numbers("particles/all/species", {2000}, ids);
  CHECK(missing(read_error(path), {"more than 1000 different species"}) == "");
}

}  // namespace
}  // namespace starhist
