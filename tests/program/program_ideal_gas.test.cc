// Random points through the built program: g(r) = 1 wherever it is defined, up to the
// farthest corner of the box.
#include <cmath>
#include <sstream>

#include "tests/program/rdf_runner.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"
#include "tests/support/text_trajectory.hh"
#include "tests/support/xyz_text.hh"

namespace starhist::testing {
namespace {

/// Lengths 1, 1.2, 1.5 and three angles of 60 degrees.
Box skew_of_60_degrees() {
  return periodic_box({1.0, 0, 0}, {0.6, 1.2 * std::sqrt(0.75), 0},
                      {0.75, 0.75 / std::sqrt(3.0), 1.5 * std::sqrt(2.0 / 3.0)});
}

std::vector<NamedBox> boxes() {
  return {{"cubic", cubic_box(1.0)},
          {"1:2:5", periodic_box({1.0, 0, 0}, {0, 2.0, 0}, {0, 0, 5.0})},
          {"truncated octahedron", truncated_octahedron()},
          {"rhombic dodecahedron", rhombic_dodecahedron()},
          {"hexagonal", hexagonal_box(1.6)},
          {"60 degrees", skew_of_60_degrees()}};
}

std::string random_frames(const Box& box, int frames) {
  Random random(57);
  std::string text;
  for (int f = 0; f < frames; ++f) {
    std::vector<Atom> atoms;
    const std::vector<double> xyz = random_positions(random, box, 500);
    for (std::size_t i = 0; i < xyz.size(); i += 3) {
      atoms.push_back({i % 9 == 0 ? "A" : "B", {xyz[i], xyz[i + 1], xyz[i + 2]}});
    }
    const auto& edges = box.edges();
    text += xyz_frame({edges[0], edges[1], edges[2]}, atoms);
  }
  return text;
}

/// The curves of `starhist export` of g, in the order of the pairs; NaN: not defined.
std::vector<std::vector<double>> exported_g(const std::string& result,
                                            std::size_t pairs) {
  const ProgramRun run = run_program({"export", result});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  std::vector<std::vector<double>> curves(pairs);
  std::istringstream lines(run.out);
  bool names = true;
  for (std::string line; std::getline(lines, line);) {
    if (line[0] == '#' || names) {
      names = line[0] == '#';
      continue;
    }
    std::istringstream fields(line);
    std::string field;
    std::getline(fields, field, ',');
    for (auto& curve : curves) {
      field.clear();
      std::getline(fields, field, ',');
      curve.push_back(field.empty() ? std::nan("") : std::stod(field));
    }
  }
  return curves;
}

TEST_CASE(
    "an ideal gas has g = 1 within 5 sigma up to the corner, in six kinds of box") {
  constexpr std::size_t bins = 40;
  for (const auto& [name, box] : boxes()) {
    INFO(name);
    const TextTrajectory file(random_frames(box, 4));
    std::ostringstream corner;
    corner << std::setprecision(17) << box.covering_radius() * (1.0 + 1e-12);
    const RdfRunner rdf;
    const ProgramRun run =
        rdf.run({file.path, "--r-max", corner.str(), "--bins", std::to_string(bins)});
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    const BlockCounts sum = total(rdf.result().blocks);
    const auto curves = exported_g(rdf.output(), sum.counts.size());
    REQUIRE(curves.size() == 3);
    for (std::size_t p = 0; p < curves.size(); ++p) {
      CHECK(sum.out_of_range[p] == 0);
      REQUIRE(curves[p].size() == bins);
      for (std::size_t k = 0; k < bins; ++k) {
        const double counted = static_cast<double>(sum.counts[p][k]);
        const double g = curves[p][k];
        INFO("pair " << p << ", bin " << k << ": " << counted << " pairs, g = " << g);
        REQUIRE_FALSE(std::isnan(g));
        // A shell in the last corner may have hardly a pair: take sigma from the
        // expected number, which is estimated if none was found.
        const double expected = g > 0.0 ? counted / g : 0.0;
        CHECK(std::abs(counted - expected) <= 5.0 * std::sqrt(expected) + 1.0);
        // An empty bin does not show the expected number; it cannot be a large one.
        CHECK((counted > 0.0 || k < 2 || k + 2 >= bins));
      }
    }
  }
}

}  // namespace
}  // namespace starhist::testing
