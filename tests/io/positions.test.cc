// Large frames, which are converted by several threads.
#include "io/reader/positions.hh"

#include <cmath>

#include "tests/support/catch.hh"

namespace starhist {
namespace {

constexpr std::size_t particles = 600'003;
constexpr std::size_t reader_threads = 4;

std::vector<float> some_positions() {
  std::vector<float> raw(3 * particles);
  for (std::size_t k = 0; k < raw.size(); ++k) {
    raw[k] = 1.0F + static_cast<float>(k % 9973);
  }
  return raw;
}

io::PositionSummary gather(const std::vector<float>& raw, std::vector<double>& out) {
  io::PositionSummary summary;
  io::gather_positions(raw, io::all_particles(particles), {}, out, summary,
                       reader_threads);
  return summary;
}

TEST_CASE("positions of a large frame are complete, however it is divided") {
  const std::vector<float> raw = some_positions();
  std::vector<double> out;
  CHECK_FALSE(gather(raw, out).ambiguous());
  CHECK(out == std::vector<double>(raw.begin(), raw.end()));
}

TEST_CASE("positions of a large frame: a non-finite one is found in any part") {
  for (const std::size_t particle : {std::size_t{0}, particles / 2, particles - 1}) {
    std::vector<float> raw = some_positions();
    raw[3 * particle + 1] = NAN;
    std::vector<double> out;
    const io::PositionSummary summary = gather(raw, out);
    CHECK(summary.ambiguous());
    CHECK(summary.coordinate_bound() == std::numeric_limits<double>::infinity());
  }
}

TEST_CASE("positions of a large frame: unwritten ones are summed over the parts") {
  std::vector<float> raw = some_positions();
  for (const std::size_t particle : {std::size_t{7}, particles / 2, particles - 1}) {
    std::fill_n(&raw[3 * particle], 3, 0.0F);
  }
  std::vector<double> out;
  CHECK(gather(raw, out).unwritten >= 3);
}

TEST_CASE("positions of a large frame: the bound holds in every part") {
  for (const std::size_t particle : {std::size_t{0}, particles / 2, particles - 1}) {
    std::vector<float> raw = some_positions();
    raw[3 * particle + 2] = -0x1p40F;
    std::vector<double> out;
    const double bound = gather(raw, out).coordinate_bound();
    CHECK(bound >= 0x1p40);
    CHECK(bound < 1.001 * 0x1p40);
  }
}

}  // namespace
}  // namespace starhist
