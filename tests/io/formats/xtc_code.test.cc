// The positions of XTC: integers of all sizes are decoded exactly, and libgromacs
// decodes the same from the same bytes; decimals are exact; damage is detected.
#include "io/formats/gromacs/xdr/xtc_code.hh"

#include <cmath>
#include <limits>

#include "codelets/core/base/error.hh"
#include "io/formats/gromacs/decoder/gromacs_decoder.hh"
#include "io/formats/gromacs/xdr/xtc_header.hh"
#include "tests/io/formats/xtc_frames.hh"
#include "tests/support/catch.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

using Points = XtcCoder::Points;

/// Returns a random walk around a centre, with steps of all sizes.
Points random_walk(Random& random, std::size_t atoms, double extent) {
  Points points(atoms);
  const double centre = random.uniform(-0.5, 0.5) * (0x1p32 - extent - 4.0);
  const double step = random.log_uniform(1.0, extent);
  for (std::size_t i = 0; i < atoms; ++i) {
    const bool far = i == 0 || random.chance(0.15);
    for (std::size_t k = 0; k < 3; ++k) {
      const double near = far ? 0.0 : static_cast<double>(points[i - 1][k]) - centre;
      double at = far ? random.uniform(-0.5, 0.5) * extent
                      : near + random.uniform(-0.5, 0.5) * step;
      at = std::max(-0.5 * extent, std::min(0.5 * extent, at));
      points[i][k] = static_cast<std::int64_t>(std::nearbyint(centre + at));
    }
  }
  return points;
}

std::vector<std::int32_t> flat(const Points& points) {
  std::vector<std::int32_t> all;
  for (const auto& point : points) {
    for (const std::int64_t x : point) {
      all.push_back(static_cast<std::int32_t>(x));
    }
  }
  return all;
}

std::vector<std::int32_t> decoded(const std::string& frame) {
  bool whole = false;
  const io::XtcHeader header = io::XtcHeader::parse(frame, whole);
  REQUIRE(whole);
  REQUIRE(header.size == frame.size());
  io::XtcCode code = header.code;
  code.bytes = std::string_view(frame).substr(header.positions, header.code_bytes);
  std::vector<std::int32_t> coordinates;
  code.decode(header.atoms, coordinates);
  return coordinates;
}

/// Returns the positions read by libgromacs; empty if it exits, as on some frames that
/// are coded unlike any writer's.
std::vector<float> read_by_libgromacs(io::gromacs::Decoder& libgromacs,
                                      const std::string& frame) {
  try {
    io::gromacs::DecodedFrame decoded;
    libgromacs.decode("xtc", frame, decoded);
    return decoded.positions;
  } catch (const InputError&) {
    return {};
  }
}

TEST_CASE("XTC: integers of all sizes are decoded exactly, as by libgromacs") {
  Random random(411);
  XtcCoder coder(random);
  io::gromacs::Decoder libgromacs;
  const bool compare = has_libgromacs();
  int atoms = 0;
  int compared = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    const double extent = random.log_uniform(1.0, 0x1p31 - 10.0);
    const Points points = random_walk(random, 10 + random.below(60), extent);
    const bool long_code = random.chance(0.2);  // unsupported by libgromacs 2022
    const std::string frame = coder.frame(points, 1000.0F, long_code);
    INFO("trial " << trial);
    REQUIRE(decoded(frame) == flat(points));
    atoms += static_cast<int>(points.size());
    // libgromacs misreads coordinates of 31 bits.
    if (compare && !long_code && extent < 0x1p30 && trial % 10 == 0) {
      const std::vector<float> theirs = read_by_libgromacs(libgromacs, frame);
      std::vector<float> expected;
      for (const std::int32_t x : flat(points)) {
        constexpr auto inverse = static_cast<float>(1.0 / 1000.0F);
        expected.push_back(static_cast<float>(x) * inverse);
      }
      CHECK((theirs.empty() || theirs == expected));
      compared += theirs.empty() ? 0 : 1;
    }
  }
  CHECK((!compare || compared > 80));
  CHECK(coder.differences() > atoms / 4);
  CHECK(coder.differences() < atoms * 3 / 4);
}

TEST_CASE("XTC: coordinates are the decimals of the file, not floats") {
  Random random(412);
  XtcCoder coder(random);
  Points points;
  for (int k = 0; k < 12; ++k) {
    points.push_back({282 * k, -1 - k, 16'777'217 + 1000 * k});
  }
  for (const float precision : {1000.0F, 100'000.0F, 10.0F, 1e6F, 333.25F}) {
    const TextTrajectory file(coder.frame(points, precision), "a.xtc");
    const WholeTrajectory all = read_all({file.path});
    const std::vector<double>& positions = all.frames.at(0).positions.at(0);
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        CHECK(positions[3 * i + k] ==
              static_cast<double>(points[i][k]) / static_cast<double>(precision));
      }
    }
  }
  const TextTrajectory file(coder.frame(points, 1000.0F), "a.xtc");
  const std::vector<double> positions = read_all({file.path}).frames[0].positions[0];
  CHECK(positions[3] == 0.282);
  CHECK(positions[4] == -0.002);
  CHECK(positions[5] == 16'778.217);
}

TEST_CASE("XTC: floats nearest to short decimals become these decimals") {
  CHECK(io::decimal_of(0.564F) == 0.564);
  CHECK(io::decimal_of(1.86206F) == 1.86206);
  CHECK(io::decimal_of(-0.1F) == -0.1);
  CHECK(io::decimal_of(5.0F) == 5.0);
  CHECK(io::decimal_of(0.0F) == 0.0);
  const float third = 1.0F / 3.0F;  // 0.333333343: nine digits
  CHECK(io::decimal_of(third) == static_cast<double>(third));
  CHECK(static_cast<float>(io::decimal_of(0x1p-149F)) == 0x1p-149F);
  CHECK(std::isinf(io::decimal_of(std::numeric_limits<float>::infinity())));
  CHECK(std::isnan(io::decimal_of(std::numeric_limits<float>::quiet_NaN())));
  Random random(413);
  for (int k = 0; k < 10'000; ++k) {
    const auto value = static_cast<float>(random.log_uniform(1e-30, 1e30));
    CHECK(static_cast<float>(io::decimal_of(value)) == value);
  }
}

TEST_CASE("XTC: a truncated or damaged code is refused") {
  Random random(414);
  XtcCoder coder(random);
  int refused = 0;
  constexpr int trials = 3000;
  for (int trial = 0; trial < trials; ++trial) {
    const Points points =
        random_walk(random, 10 + random.below(40), random.log_uniform(50.0, 1e6));
    std::string frame = coder.frame(points, 1000.0F);
    bool whole = false;
    io::XtcHeader header = io::XtcHeader::parse(frame, whole);
    std::vector<std::int32_t> coordinates;
    header.code.bytes =
        std::string_view(frame).substr(header.positions, header.code_bytes);
    if (random.chance(0.5)) {
      header.code.bytes.remove_suffix(1 + random.below(header.code_bytes - 1));
    } else {
      frame[header.positions + random.below(header.code_bytes)] ^=
          static_cast<char>(1 + random.below(255));
    }
    const std::string message =
        error_text<InputError>([&] { header.code.decode(header.atoms, coordinates); });
    const bool named = message.find("its positions are damaged") != std::string::npos;
    refused += named ? 1 : 0;
    CHECK((named || message.empty() || coordinates.size() == 3 * points.size()));
  }
  // A changed byte may give other positions within the bounds; a truncated code cannot.
  CHECK(refused > trials / 2);
}

}  // namespace
}  // namespace starhist::testing
