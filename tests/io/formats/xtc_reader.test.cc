// XTC: frames of a GROMACS run, names from a structure, errors.
#include <algorithm>
#include <cmath>

#include "tests/support/catch.hh"
#include "tests/support/gromacs_files.hh"
#include "tests/support/test_location.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

io::ReadOptions with_structure(const std::string& path) {
  io::ReadOptions options;
  options.structure = path;
  return options;
}

TEST_CASE("XTC has the positions of the same run's TRR, rounded to 0.001 nm") {
  const WholeTrajectory trr = read_all({data_file("spc.trr")});
  const WholeTrajectory xtc = read_all({data_file("spc.xtc")});
  CHECK(xtc.info.format == "GROMACS XTC");
  CHECK(xtc.info.length_unit == "nm");
  CHECK(xtc.info.time_unit == "ps");
  CHECK(xtc.info.species == std::vector<std::string>{"all"});
  REQUIRE(xtc.frames.size() == 3);
  REQUIRE(trr.frames.size() == 3);
  for (std::size_t f = 0; f < 3; ++f) {
    CHECK(xtc.frames[f].step == static_cast<std::int64_t>(50 * f));
    CHECK(xtc.frames[f].time == trr.frames[f].time);
    CHECK(in_floats(xtc.frames[f].box) == trr.frames[f].box);
    const std::vector<double>& rounded = xtc.frames[f].positions.at(0);
    const std::vector<double>& exact = trr.frames[f].positions.at(0);
    REQUIRE(rounded.size() == 3 * 648);
    REQUIRE(exact.size() == rounded.size());
    double largest = 0.0;
    bool decimal = true;
    for (std::size_t k = 0; k < exact.size(); ++k) {
      largest = std::max(largest, std::abs(exact[k] - rounded[k]));
      decimal = decimal && rounded[k] == std::round(rounded[k] * 1000.0) / 1000.0;
    }
    CHECK(largest < 0.000501);
    CHECK(largest > 0.0004);
    CHECK(decimal);
  }
}

TEST_CASE("XTC: frames in any order, species by name, several files") {
  if (!has_libgromacs()) {
    return;
  }
  const std::string path = data_file("spc.xtc");
  const WholeTrajectory all = read_all({path}, with_structure(data_file("spc.tpr")));
  CHECK(all.info.species == std::vector<std::string>{"HW1", "HW2", "OW"});
  REQUIRE(all.info.members.size() == 3);
  CHECK(all.info.members[2].particle.at(1) == 3);

  io::ReadOptions twice = with_structure(data_file("spc.tpr"));
  twice.repeated = io::RepeatedFrames::keep;
  const auto reader = io::open_trajectory({path, path}, twice);
  REQUIRE(reader->info().frame_count == 6);
  for (const std::uint64_t index : {5, 0, 4, 1, 1, 2}) {
    Frame frame;
    reader->read(FrameIndex(index), frame);
    CHECK(frame.positions == all.frames[index % 3].positions);
    CHECK(frame.index == FrameIndex(index));
  }

  io::ReadOptions per_particle = with_structure(data_file("spc.tpr"));
  per_particle.per_particle = true;
  const WholeTrajectory whole = read_all({path}, per_particle);
  CHECK(whole.info.particles.count == 648);
  const std::vector<double>& atoms = whole.frames[2].positions.at(0);
  CHECK(std::equal(&atoms[3 * 3], &atoms[3 * 4], &all.frames[2].positions[2][3]));
}

TEST_CASE("XTC of few atoms is uncompressed, and a box of zeros is open") {
  std::string bytes = xtc_frame({0.5F, 1.25F, 2.0F, -1.0F, 0.0F, 7.0F}, 40, 0.5F);
  const WholeTrajectory all = read_all({TextTrajectory(bytes).path});
  REQUIRE(all.frames.size() == 1);
  CHECK(all.frames[0].positions.at(0) ==
        std::vector<double>{0.5, 1.25, 2.0, -1.0, 0.0, 7.0});
  CHECK(all.frames[0].time == 0.5);
  CHECK(all.frames[0].box == Box::from_lengths_and_angles({5, 5, 5}, {90, 90, 90}));
  std::fill_n(bytes.begin() + 16, 36, '\0');
  CHECK(read_all({TextTrajectory(bytes).path}).frames[0].box == Box());
  XdrBytes edge;  // of a PDB without a cell
  edge.real(0.1F);
  for (const int k : {0, 4, 8}) {
    bytes.replace(16 + 4 * k, 4, edge.bytes);
  }
  CHECK(read_all({TextTrajectory(bytes).path}).frames[0].box == Box());
}

/// Returns the times of frames with these stored steps and times.
std::vector<double> times_of(
    const std::vector<std::pair<std::int32_t, float>>& moments) {
  std::string bytes;
  for (const auto& [step, time] : moments) {
    bytes += xtc_frame({0.5F, 1.25F, 2.0F}, step, time);
  }
  const TextTrajectory file(bytes, "a.xtc");
  std::vector<double> times;
  for (const Frame& frame : read_all({file.path}).frames) {
    times.push_back(frame.time);
  }
  const auto reader = io::open_trajectory({file.path}, {});
  for (std::size_t k = 0; k < times.size(); ++k) {
    Frame scratch;
    CHECK(reader->read_moment(FrameIndex(k), scratch).time == times[k]);
  }
  return times;
}

TEST_CASE("times of XTC are multiples of the run's time step") {
  for (const auto& [numerator, denominator] :
       {std::pair{2, 1000}, {25, 10000}, {1, 10}, {20, 1}, {123456, 100000000}}) {
    std::vector<std::pair<std::int32_t, float>> moments;
    std::vector<double> exact;
    // Up to 1e8 steps, where adjacent frames have equal times in the file.
    for (std::int32_t step = 0; step <= 100000000;
         step += step < 99999990 ? 3333333 : 1) {
      exact.push_back(static_cast<double>(step) * numerator / denominator);
      moments.emplace_back(step, static_cast<float>(exact.back()));
    }
    CHECK(times_of(moments) == exact);
  }
}

TEST_CASE("times of XTC that do not follow from the steps are short decimals") {
  CHECK(times_of({{0, 10000.1F}, {0, 10000.2F}}) == std::vector{10000.1, 10000.2});
  CHECK(times_of({{1, 100.1F}, {2, 100.2F}}) == std::vector{100.1, 100.2});
  CHECK(times_of({{-5, -0.1F}, {5, 0.1F}}) == std::vector{-0.1, 0.1});
  CHECK(times_of({{7, 0.3F}}) == std::vector{0.3});
}

TEST_CASE("XTC truncated anywhere: complete frames are read") {
  const std::string bytes = read_bytes(data_file("spc.xtc"));
  const WholeTrajectory all = read_all({data_file("spc.xtc")});
  const std::size_t second = bytes.find(bytes.substr(0, 8), 8);
  const std::size_t third = bytes.find(bytes.substr(0, 8), second + 8);
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{50}, std::size_t{91}, second - 1, second,
        second + 1, second + 53, third - 1, third, third + 90, bytes.size() - 1}) {
    const TextTrajectory file(bytes.substr(0, size), "a.xtc");
    INFO(size << " bytes");
    const std::size_t whole = size < second ? 0 : size < third ? 1 : 2;
    if (whole == 0) {
      CHECK(missing(read_error(file.path), {file.path.c_str()}) == "");
      continue;
    }
    const WholeTrajectory part = read_all({file.path});
    REQUIRE(part.frames.size() == whole);
    CHECK(part.frames.back().positions == all.frames[whole - 1].positions);
    const bool cut = size != second && size != third;
    REQUIRE(part.info.truncation.size() == (cut ? 1 : 0));
    if (cut) {
      const std::string frame = "frame " + std::to_string(whole) + " is cut off";
      CHECK(missing(part.info.truncation[0], {file.path.c_str(), frame.c_str()}) == "");
    }
  }
}

TEST_CASE("XTC with more atoms in the header than its positions can code is damaged") {
  std::string bytes = read_bytes(data_file("spc.xtc"));
  const XdrBytes atoms = XdrBytes().integer(0x7ffffff0);
  for (const std::size_t place : {4, 52}) {
    bytes.replace(place, 4, atoms.bytes);
  }
  CHECK(missing(read_error(TextTrajectory(bytes, "a.xtc").path),
                {"a.xtc", "not encoded as in XTC"}) == "");
}

TEST_CASE("XTC with damaged bytes: the frame is reported, others can be read") {
  const std::string good = read_bytes(data_file("spc.xtc"));
  const std::size_t second = good.find(good.substr(0, 8), 8);

  std::string no_header = good;
  no_header[second + 3] ^= 1;
  const WholeTrajectory before = read_all({TextTrajectory(no_header).path});
  CHECK(before.frames.size() == 1);
  REQUIRE(before.info.truncation.size() == 1);
  CHECK(missing(before.info.truncation[0],
                {"frame 1 is damaged at byte", "only frame 0 is read"}) == "");

  const std::vector<double> last =
      read_all({data_file("spc.xtc")}).frames[2].positions.at(0);
  for (const char filler : {'\0', '\xff', '\x5a'}) {
    std::string damaged = good;
    std::fill_n(damaged.begin() + static_cast<std::ptrdiff_t>(second) + 300, 200,
                filler);
    const TextTrajectory file(damaged);
    const auto reader = io::open_trajectory({file.path}, {});
    Frame frame;
    const std::string message =
        error_text<InputError>([&] { reader->read(FrameIndex(1), frame); });
    CHECK(missing(message, {"frame 1", file.path.c_str(), "damaged"}) == "");
    reader->read(FrameIndex(2), frame);
    CHECK(frame.positions.at(0) == last);
  }
}

TEST_CASE("a structure must be one and have the trajectory's atoms") {
  if (!has_libgromacs()) {
    return;
  }
  const std::string xtc = data_file("spc.xtc");
  const TextTrajectory two(
      "two\n2\n    1AR      AR    1   0.100   0.200   0.300\n"
      "    2AR      AR    2   0.100   0.200   0.400\n   5.00000   5.00000   5.00000\n",
      "two.gro");
  CHECK(missing(read_error(xtc, with_structure(two.path)),
                {"spc.xtc: has 648 atoms", "two.gro has 2"}) == "");
  CHECK(missing(read_error(xtc, with_structure("absent.gro")),
                {"absent.gro: does not exist"}) == "");
  CHECK(missing(read_error(xtc, with_structure(xtc)),
                {"spc.xtc: is not a structure"}) == "");
  const TextTrajectory nonsense("nonsense", "a.tpr");
  CHECK(missing(read_error(xtc, with_structure(nonsense.path)),
                {"a.tpr: libgromacs "}) == "");
  CHECK(missing(read_error(data_file("water.h5"), with_structure(two.path)),
                {"water.h5: has 2652 particles, but the structure", "two.gro has 2"}) ==
        "");
  CHECK(missing(read_error(data_file("spc.tpr")), {"--structure"}) == "");
  io::ReadOptions group;
  group.group = "water";
  CHECK(missing(read_error(xtc, group), {"GROMACS XTC", "no particle groups"}) == "");
}

}  // namespace
}  // namespace starhist::testing
