// Counts by distance in a plane and separation along its normal through the program:
// counts, norms, merges, interrupted runs, and refusals.
#include <algorithm>
#include <array>
#include <cmath>

#include "tests/program/csv_table.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"
#include "tests/support/text_trajectory.hh"
#include "tests/support/xyz_text.hh"

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;
using Edges = std::array<Vec3, 3>;

constexpr int layer_frames = 6;
constexpr std::size_t layer_rows = 24;
constexpr std::size_t layer_columns = 10;
constexpr double layer_r_max = 1.8;
const Edges upright_layer{Vec3{3, 0, 0}, {0, 4, 0}, {0, 0, 5}};
const Edges tilted_layer{Vec3{3, 0, 0}, {1.2, 2.5, 0}, {0, 0, 5}};
// The third edge is a sum of the others in the plane.
const Edges leaning_layer{tilted_layer[0], tilted_layer[1], Vec3{4.2, 2.5, 5}};

struct Layer {
  std::string plane;
  std::string axis;
  double Vec3::*along;
  std::array<double Vec3::*, 2> across;
  Edges edges;
  double period;
};
const std::vector<Layer> layers{
    {"xy", "dz", &Vec3::z, {&Vec3::x, &Vec3::y}, upright_layer, 5.0},
    {"xz", "dy", &Vec3::y, {&Vec3::x, &Vec3::z}, upright_layer, 4.0},
    {"yz", "dx", &Vec3::x, {&Vec3::y, &Vec3::z}, upright_layer, 3.0},
    {"xy", "dz", &Vec3::z, {&Vec3::x, &Vec3::y}, tilted_layer, 5.0},
    {"xy", "dz", &Vec3::z, {&Vec3::x, &Vec3::y}, leaning_layer, 5.0}};

Words layer_settings(const Layer& layer) {
  return {"--plane", layer.plane, "--r-max", "1.8", "--bins", "24", "--block", "2"};
}
Words layer_options(const Layer& layer) {
  return with(layer_settings(layer), {"--axis2", layer.axis, "--axis2-bins", "10"});
}

/// Positions that are up to two boxes away from the first one.
std::vector<Atom> layer_atoms(const Edges& edges, int frame) {
  Random random(static_cast<std::uint64_t>(500 + frame));
  std::vector<Atom> atoms;
  for (int k = 0; k < 90; ++k) {
    Vec3 p{};
    for (const Vec3& edge : edges) {
      p = p + random.uniform(-2.0, 2.0) * edge;
    }
    atoms.push_back({k % 3 == 0 ? "A" : "B", p});
  }
  return atoms;
}

std::string layer_trajectory(const Edges& edges) {
  std::string text;
  for (int frame = 0; frame < layer_frames; ++frame) {
    text += xyz_frame({edges[0], edges[1], edges[2]}, layer_atoms(edges, frame));
  }
  return text;
}

/// Counts of the pairs A-A, A-B and B-B by a loop over all images, without code under
/// test. Each histogram has a column for separations beyond `limit`. Requires that all
/// quantities are far from edges.
std::vector<std::vector<std::uint64_t>> layer_counts(const Layer& layer, double limit) {
  std::vector<std::vector<std::uint64_t>> counts(
      3, std::vector<std::uint64_t>(layer_rows * (layer_columns + 1)));
  for (int frame = 0; frame < layer_frames; ++frame) {
    const std::vector<Atom> atoms = layer_atoms(layer.edges, frame);
    for (std::size_t i = 0; i < atoms.size(); ++i) {
      for (std::size_t j = i + 1; j < atoms.size(); ++j) {
        double r2 = 1e9;
        double height = 1e9;
        for (int k = 0; k < 11 * 11 * 11; ++k) {
          const Vec3 d = atoms[j].position - atoms[i].position +
                         double(k % 11 - 5) * layer.edges[0] +
                         double(k / 11 % 11 - 5) * layer.edges[1] +
                         double(k / 121 - 5) * layer.edges[2];
          const double x = d.*layer.across[0];
          const double y = d.*layer.across[1];
          r2 = std::min(r2, x * x + y * y);
          height = std::min(height, std::abs(d.*layer.along));
        }
        const double row = std::sqrt(r2) / layer_r_max * layer_rows;
        const double column = height / limit * layer_columns;
        REQUIRE(std::abs(row - std::round(row)) > 1e-9);
        REQUIRE(std::abs(column - std::round(column)) > 1e-9);
        const bool first = atoms[i].species == "A";
        const bool second = atoms[j].species == "A";
        if (row < layer_rows) {
          ++counts[first && second   ? 0
                   : first || second ? 1
                                     : 2]
                  [static_cast<std::size_t>(row) * (layer_columns + 1) +
                   static_cast<std::size_t>(std::min(column, double(layer_columns)))];
        }
      }
    }
  }
  return counts;
}

TEST_CASE("distances in a plane and separations equal a double loop over all images") {
  for (const Layer& layer : layers) {
    const TextTrajectory file(layer_trajectory(layer.edges));
    const RdfRunner plain;
    REQUIRE(plain.run(with({file.path}, layer_settings(layer))).exit_code == 0);
    for (const double limit : {0.5 * layer.period, 1.1}) {
      INFO(layer.plane << " up to " << limit);
      const Words range = limit == 1.1 ? Words{"--axis2-max", "1.1"} : Words{};
      const RdfRunner rdf;
      const ProgramRun run =
          rdf.run(with(with({file.path}, layer_options(layer)), range));
      INFO(run.err);
      REQUIRE(run.exit_code == 0);
      const io::ResultFile result = rdf.result();
      REQUIRE(result.layout.second);
      CHECK(result.layout.second->limit == limit);
      const BlockCounts sum = total(result.blocks);
      const auto counts = layer_counts(layer, limit);
      CHECK(sum.second == counts);
      CHECK(sum.counts == summed_counts(plain.result()));
      CHECK(sum.half_period == 0.5 * layer.period);
      std::uint64_t beyond = 0;
      for (std::size_t k = layer_columns; k < counts[1].size();
           k += layer_columns + 1) {
        beyond += counts[1][k];
      }
      CHECK((beyond == 0) == (limit > 1.1));
      const ProgramRun table = run_program(
          {"export", rdf.output(), "--quantity", "axis2-counts", "--pairs", "A-B"});
      CHECK(
          missing(table.out,
                  {("# beyond_axis2_max: " + std::to_string(beyond) + "\n").c_str()}) ==
          "");
      const auto exported = csv_columns(table.out).at("A-B");
      REQUIRE(exported.size() == layer_rows * layer_columns);
      for (std::size_t k = 0; k < exported.size(); ++k) {
        CHECK(exported[k] == double(counts[1][k / layer_columns * (layer_columns + 1) +
                                              k % layer_columns]));
      }
    }
  }
}

/// Frames of an ideal gas; the period along z is 5 + `growth` times the frame number.
std::string layered_gas(double growth) {
  Random random(71);
  std::string text;
  for (int frame = 0; frame < 10; ++frame) {
    Edges edges = tilted_layer;
    edges[2].z += growth * frame;
    std::vector<Atom> atoms;
    for (int k = 0; k < 700; ++k) {
      atoms.push_back({k % 2 == 0 ? "A" : "B", random.uniform() * edges[0] +
                                                   random.uniform() * edges[1] +
                                                   random.uniform() * edges[2]});
    }
    text += xyz_frame({edges[0], edges[1], edges[2]}, atoms);
  }
  return text;
}

TEST_CASE("an ideal gas has g = 1 within 5 sigma by separation along the normal") {
  for (const double growth : {0.0, 0.1, -0.1}) {
    INFO("growth " << growth);
    const TextTrajectory file(layered_gas(growth));
    const RdfRunner rdf;
    // Up to the corner of the plane's cell.
    const ProgramRun run =
        rdf.run({file.path, "--plane", "xy", "--r-max", "1.7", "--bins", "12",
                 "--axis2", "dz", "--axis2-bins", "6", "--block", "1"});
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    const auto table = [&](const Words& more) {
      return csv_columns(
          run_program(with({"export", rdf.output(), "--quantity"}, more)).out);
    };
    auto g = table({"axis2", "--errors"});
    auto counts = table({"axis2-counts"});
    const auto units = table({"axis2", "--unit", "nm", "--out-unit", "A"});
    REQUIRE(counts["A-B"].size() == 72);
    REQUIRE(units.at("A-B").size() == 72);
    REQUIRE(g["A-B"].size() == 72);
    std::size_t defined = 0;
    for (const std::string pair : {"A-A", "A-B", "B-B"}) {
      for (std::size_t k = 0; k < 72; ++k) {
        const double counted = counts[pair][k];
        INFO(pair << " cell " << k << ": " << counted << ", g = " << g[pair][k]);
        if (std::isnan(g[pair][k])) {
          continue;
        }
        ++defined;
        REQUIRE(g[pair][k] > 0.0);
        const double expected = counted / g[pair][k];
        CHECK(std::abs(counted - expected) <= 5.0 * std::sqrt(expected) + 2.0);
        CHECK(g[pair + " standard error"][k] > 0.0);
      }
    }
    // The range is half the height of the first frame. The smallest box, of height 4.1,
    // holds four of its bins.
    CHECK(defined == (growth < 0.0 ? 3 * 12 * 4 : 3 * 12 * 6));
    for (std::size_t k = 0; k < 72; ++k) {
      CHECK(units.at("dz")[k] == Approx(10.0 * g["dz"][k]));
      CHECK((std::isnan(g["A-B"][k]) ? std::isnan(units.at("A-B")[k])
                                     : units.at("A-B")[k] == Approx(g["A-B"][k])));
    }
  }
}

TEST_CASE("the mean of g over separations is g in the plane") {
  const TextTrajectory file(layer_trajectory(tilted_layer));
  const RdfRunner rdf;
  REQUIRE(rdf.run(with({file.path}, layer_options(layers[3]))).exit_code == 0);
  const auto plane = csv_columns(run_program({"export", rdf.output()}).out).at("A-B");
  const auto both =
      csv_columns(run_program({"export", rdf.output(), "--quantity", "axis2"}).out)
          .at("A-B");
  std::size_t defined = 0;
  for (std::size_t k = 0; k < layer_rows; ++k) {
    double mean = 0.0;
    for (std::size_t c = 0; c < layer_columns; ++c) {
      mean += both[k * layer_columns + c] / layer_columns;
    }
    CHECK((std::isnan(plane[k]) ? std::isnan(mean)
                                : mean == Approx(plane[k]).epsilon(1e-12)));
    defined += std::isnan(mean) ? 0 : 1;
  }
  CHECK(defined > 16);
}

TEST_CASE("parts of a run with separations merge to the whole, other ranges do not") {
  const TextTrajectory file(layered_gas(-0.1));
  const RdfRunner whole;
  const Words options = layer_options(layers[0]);
  REQUIRE(whole.run(with({file.path}, options)).exit_code == 0);
  Words merge{"merge"};
  for (const std::string part : {"1", "2"}) {
    merge.push_back(whole.file("part" + part + ".h5"));
    const ProgramRun run = run_program(
        with({"rdf", file.path, "-o", merge.back(), "--part", part + "/2"}, options));
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
  }
  const std::string merged = whole.file("merged.h5");
  const ProgramRun run = run_program(with(merge, {"-o", merged}));
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  const auto table = [](const std::string& path) {
    const std::string out =
        run_program({"export", path, "--quantity", "axis2", "--errors"}).out;
    return out.substr(out.find("\nr,"));
  };
  CHECK(table(merged) == table(whole.output()));
  CHECK(missing(run_program({"info", merged}).out,
                {"second axis  dz in 10 bins up to 2.5"}) == "");
  const ProgramRun verify = run_program({"verify", merged});
  INFO(verify.out << verify.err);
  CHECK(verify.exit_code == 0);
  const RdfRunner other;
  REQUIRE(other.run(with(with({file.path}, options), {"--axis2-max", "2"})).exit_code ==
          0);
  const ProgramRun refused =
      run_program({"merge", whole.output(), other.output(), "-o", other.file("m.h5")});
  CHECK(refused.exit_code == 1);
  CHECK(missing(refused.err, {"second axes", "up to 2.5", "--axis2-max"}) == "");
  const ProgramRun resumed =
      other.run(with(with({file.path}, options), {"--axis2-max", "3", "--resume"}));
  CHECK(resumed.exit_code == 1);
  CHECK(missing(resumed.err, {"dz in 10 bins up to 2,", "up to 3"}) == "");
}

TEST_CASE("separations respect excluded pairs, r_min, edges and shared particles") {
  std::string text;
  Random random(61);
  for (int frame = 0; frame < layer_frames; ++frame) {
    text += "ITEM: TIMESTEP\n" + std::to_string(frame) +
            "\nITEM: NUMBER OF ATOMS\n60\nITEM: BOX BOUNDS pp pp pp\n0 3\n0 4\n0 5\n"
            "ITEM: ATOMS id type mol x y z\n";
    for (int k = 0; k < 60; ++k) {
      text += std::to_string(k + 1) + (k % 3 == 0 ? " 1 " : " 2 ") +
              std::to_string(k / 3 + 1);
      for (const double edge : {3.0, 4.0, 5.0}) {
        text += " " + std::to_string(random.uniform(0.0, edge));
      }
      text += "\n";
    }
  }
  const TextTrajectory file(text, "a.dump");
  const Words common{file.path, "--unit", "nm", "--plane", "xy", "--block", "2"};
  const auto counted = [&](const Words& bins, const Words& more) {
    const RdfRunner rdf;
    const ProgramRun run = rdf.run(with(with(common, bins), more));
    INFO(run.err);  // the run compares all sums
    REQUIRE(run.exit_code == 0);
    return total(rdf.result().blocks);
  };
  const Words uniform{"--r-max", "1.2", "--bins", "24"};
  for (const Words& bins :
       {uniform, Words{"--r-max", "1.2", "--r-min", "0.3", "--bins", "18"},
        Words{"--edges", "0.1,0.2,0.5,1.1"}}) {
    CHECK(counted(bins, {"--axis2", "dz"}).counts == counted(bins, {}).counts);
  }
  const Words shared{"--species", "A=species 1; all=species 1 2"};
  CHECK(counted(uniform, with(shared, {"--axis2", "dz"})).counts ==
        counted(uniform, shared).counts);
  const auto all = counted(uniform, {"--axis2", "dz"}).second;
  const auto different =
      counted(uniform, {"--axis2", "dz", "--exclude-same", "molecule"}).second;
  auto sum = counted(uniform, {"--axis2", "dz", "--only-same", "molecule"}).second;
  CHECK(different != all);
  for (std::size_t p = 0; p < sum.size(); ++p) {
    for (std::size_t k = 0; k < sum[p].size(); ++k) {
      sum[p][k] += different[p][k];
    }
  }
  CHECK(sum == all);
}

TEST_CASE("a box that is open along the normal has counts of separations, but no g") {
  const TextTrajectory slab(
      "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n4\nITEM: BOX BOUNDS pp pp ff\n0 3\n0 "
      "3\n0 5\nITEM: ATOMS id type x y z\n1 1 0 0 0\n2 1 2.9 0 1.5\n3 1 0 0.3 4.5\n4 1 "
      "0 "
      "0.3 9.5\n",
      "slab.dump");
  const Words common{slab.path, "--unit", "nm", "--plane", "xy", "--r-max",
                     "1",       "--bins", "1",  "--axis2", "dz", "--axis2-bins",
                     "3"};
  for (const Words& box : {Words{}, Words{"--box", "none"}}) {
    const RdfRunner rdf;
    const ProgramRun refused = rdf.run(with(common, box));
    CHECK(refusal_problem(rdf, refused, {"no default range", "give --axis2-max"}) ==
          "");
    const ProgramRun run = rdf.run(with(with(common, box), {"--axis2-max", "6"}));
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    // Separations 1.5, 4.5, 9.5, 3, 8 and 5; without images in the plane, particle 2 is
    // out of range.
    const BlockCounts sum = total(rdf.result().blocks);
    CHECK(sum.second[0] == (box.empty() ? std::vector<std::uint64_t>{1, 1, 2, 2}
                                        : std::vector<std::uint64_t>{0, 0, 2, 1}));
    CHECK(sum.half_period == 0.0);
    const ProgramRun g = run_program({"export", rdf.output(), "--quantity", "axis2"});
    CHECK(g.exit_code == 1);
    CHECK(missing(g.err, {box.empty() ? "open along the normal" : "needs an area",
                          box.empty() ? "axis2-counts" : "plane"}) == "");
  }
}

TEST_CASE("second axes that a plane does not have are refused with a remedy") {
  const TextTrajectory file(layer_trajectory(upright_layer));
  const auto refusal = [&](const Words& more,
                           std::initializer_list<const char*> words) {
    const RdfRunner rdf;
    return refusal_problem(
        rdf, rdf.run(with({file.path, "--r-max", "1", "--bins", "5"}, more)), words);
  };
  CHECK(refusal({"--plane", "xy", "--axis2", "cos(z)"},
                {"--axis2 cos(z) --plane xy", "give --axis2 dz", "omit --plane"}) ==
        "");
  CHECK(refusal({"--plane", "xy", "--axis2", "dx"},
                {"--axis2 dx --plane xy", "lies in the plane", "give --axis2 dz"}) ==
        "");
  CHECK(refusal({"--axis2", "dz", "--axis2-max", "1"},
                {"--axis2 dz", "omit --axis2-max", "--plane"}) == "");
  CHECK(refusal({"--plane", "xy", "--axis2-max", "1"}, {"--axis2-max needs --axis2"}) ==
        "");
  CHECK(refusal({"--plane", "xy", "--axis2", "dz", "--axis2-max", "0"},
                {"--axis2-max 0 is not a length"}) == "");
  // The edge b leans out of the plane xz, and its images with it.
  const TextTrajectory leaning_out(
      layer_trajectory({Vec3{3, 0, 0}, {0, 4, 0}, {0, 1.5, 5}}));
  const RdfRunner rdf;
  CHECK(refusal_problem(
            rdf,
            rdf.run({leaning_out.path, "--r-max", "1", "--bins", "5", "--plane", "xz",
                     "--axis2", "dy"}),
            {"frame 0", "leans out of the plane by 1.5", "along y", "--box"}) == "");
  CHECK(rdf.run({leaning_out.path, "--r-max", "1", "--bins", "5", "--plane", "xz"})
            .exit_code == 0);
  // A height with too few digits.
  std::string far = layer_trajectory(upright_layer);
  const std::size_t line = far.find("B ");
  far.replace(line, far.find('\n', line) - line, "B 1 1 1e13");
  const TextTrajectory too_far(far);
  const ProgramRun run = RdfRunner().run(
      {too_far.path, "--r-max", "1", "--bins", "5", "--plane", "xy", "--axis2", "dz"});
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {"frame 0", "coordinate 1e+13", "--skip-bad-frames"}) == "");
}

}  // namespace
}  // namespace starhist::testing
