// Distances in a plane through the program: counts, areas, exports, merges, resumed
// runs, and refusals.
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <numbers>
#include <sstream>

#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/inspection/inspected_file.hh"
#include "io/result/result_layout.hh"
#include "tests/program/csv_table.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/brute_force.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"
#include "tests/support/text_trajectory.hh"
#include "tests/support/xyz_text.hh"

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;
using Edges = std::array<Vec3, 3>;

/// A box and its projection, made without the code under test.
struct Projection {
  std::string plane;
  std::size_t normal = 0;
  Edges edges;
  Edges projected;
  double area = 0.0;
};

std::vector<Projection> projections() {
  const Edges upright{Vec3{3, 0, 0}, {0, 4, 0}, {0, 0, 5}};
  const Edges tilted{Vec3{3, 0, 0}, {1.2, 2.5, 0}, {0, 0, 5}};
  return {{"xy", 2, upright, {Vec3{3, 0, 0}, {0, 4, 0}, {}}, 12.0},
          {"xz", 1, upright, {Vec3{3, 0, 0}, {}, {0, 0, 5}}, 15.0},
          {"yz", 0, upright, {Vec3{}, {0, 4, 0}, {0, 0, 5}}, 20.0},
          {"xy", 2, tilted, {Vec3{3, 0, 0}, {1.2, 2.5, 0}, {}}, 7.5},
          // The edge a leans out of the plane; its images coincide in it.
          {"yz", 0, tilted, {Vec3{}, {0, 2.5, 0}, {0, 0, 5}}, 12.5},
          // The third edge is a sum of the others in the plane.
          {"xy",
           2,
           {tilted[0], tilted[1], Vec3{4.2, 2.5, 5}},
           {Vec3{3, 0, 0}, {1.2, 2.5, 0}, {}},
           7.5}};
}

constexpr int plane_frames = 6;

/// Positions that are up to two boxes away from the first one.
std::vector<Atom> plane_atoms(const Edges& edges, int frame) {
  Random random(static_cast<std::uint64_t>(300 + frame));
  std::vector<Atom> atoms;
  for (int k = 0; k < 120; ++k) {
    Vec3 p{};
    for (const Vec3& edge : edges) {
      p = p + random.uniform(-2.0, 2.0) * edge;
    }
    atoms.push_back({k % 3 == 0 ? "A" : "B", p});
  }
  return atoms;
}

std::string plane_trajectory(const Edges& edges) {
  std::string text;
  for (int frame = 0; frame < plane_frames; ++frame) {
    text += xyz_frame({edges[0], edges[1], edges[2]}, plane_atoms(edges, frame));
  }
  return text;
}

/// Positions of a species, projected.
std::vector<double> in_plane(const std::vector<Atom>& atoms, const std::string& species,
                             std::size_t normal) {
  std::vector<double> positions;
  for (const Atom& atom : atoms) {
    if (atom.species == species) {
      append(positions, atom.position);
      positions[positions.size() - 3 + normal] = 0.0;
    }
  }
  return positions;
}

std::string all_digits(double number) {
  std::ostringstream text;
  text << std::setprecision(17) << number;
  return text.str();
}

const Words plane_settings{"--r-max", "2.4", "--bins", "48", "--block", "2"};
const Edges square{Vec3{3, 0, 0}, {0, 3, 0}, {0, 0, 5}};

TEST_CASE(
    "counts in a plane equal a double loop over all images, in upright and tilted "
    "boxes") {
  for (const Projection& each : projections()) {
    INFO(each.plane << ", area " << each.area);
    const TextTrajectory file(plane_trajectory(each.edges));
    const RdfRunner rdf;
    const ProgramRun run =
        rdf.run(with({file.path, "--plane", each.plane}, plane_settings));
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    const io::ResultFile result = rdf.result();
    CHECK(to_string(result.layout.plane) == each.plane);
    const Box box(each.projected,
                  {each.normal != 0, each.normal != 1, each.normal != 2});
    const BlockCounts sum = total(result.blocks);
    CHECK(sum.volume == Approx(plane_frames * each.area).epsilon(1e-12));
    CHECK(sum.inverse_volume == Approx(plane_frames / each.area).epsilon(1e-12));
    std::vector<std::vector<std::uint64_t>> counts(3, std::vector<std::uint64_t>(49));
    for (int frame = 0; frame < plane_frames; ++frame) {
      const std::vector<Atom> atoms = plane_atoms(each.edges, frame);
      const auto a = in_plane(atoms, "A", each.normal);
      const auto b = in_plane(atoms, "B", each.normal);
      std::size_t pair = 0;
      for (const auto& own : {brute_force_counts(box, 2.4, 48, a, {}),
                              brute_force_counts(box, 2.4, 48, a, b),
                              brute_force_counts(box, 2.4, 48, b, {})}) {
        REQUIRE(own.near_edge == 0);
        for (std::size_t k = 0; k < own.counts.size(); ++k) {
          counts[pair][k] += own.counts[k];
        }
        ++pair;
      }
    }
    for (std::size_t p = 0; p < 3; ++p) {
      CHECK(sum.out_of_range[p] == counts[p].back());
      counts[p].pop_back();
      CHECK(sum.counts[p] == counts[p]);
    }
  }
}

TEST_CASE(
    "an ideal gas has g = 1 within 5 sigma up to the corner of the plane's cell") {
  constexpr std::size_t bins = 40;
  Random random(58);
  for (const Projection& each : projections()) {
    INFO(each.plane << ", area " << each.area);
    std::string text;
    for (int frame = 0; frame < 8; ++frame) {
      std::vector<Atom> atoms;
      for (int k = 0; k < 600; ++k) {
        atoms.push_back({"A", random.uniform() * each.edges[0] +
                                  random.uniform() * each.edges[1] +
                                  random.uniform() * each.edges[2]});
      }
      text += xyz_frame({each.edges[0], each.edges[1], each.edges[2]}, atoms);
    }
    const TextTrajectory file(text);
    const RdfRunner rdf;
    const double corner =
        Box::in_plane(each.edges, parse_plane(each.plane)).covering_radius();
    const ProgramRun run =
        rdf.run({file.path, "--plane", each.plane, "--r-max",
                 all_digits(corner * (1.0 + 1e-12)), "--bins", std::to_string(bins)});
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    const BlockCounts sum = total(rdf.result().blocks);
    CHECK(sum.out_of_range[0] == 0);
    const auto curve = csv_columns(run_program({"export", rdf.output()}).out)["A-A"];
    REQUIRE(curve.size() == bins);
    for (std::size_t k = 0; k < bins; ++k) {
      const auto counted = static_cast<double>(sum.counts[0][k]);
      const double g = curve[k];
      INFO("bin " << k << ": " << counted << " pairs, g = " << g);
      REQUIRE(g > 0.0);
      const double expected = counted / g;
      CHECK(std::abs(counted - expected) <= 5.0 * std::sqrt(expected) + 1.0);
    }
  }
}

TEST_CASE("exports of a plane have its name, and densities per area") {
  const TextTrajectory file(plane_trajectory(square));
  const RdfRunner rdf;
  REQUIRE(rdf.run(with({file.path, "--plane", "yx", "--unit", "nm"}, plane_settings))
              .exit_code == 0);
  const ProgramRun g = run_program({"export", rdf.output()});
  CHECK(missing(g.out, {"# plane: xy"}) == "");
  const ProgramRun density =
      run_program({"export", rdf.output(), "--quantity", "density", "--format", "xvg"});
  CHECK(missing(density.out, {"1/nm^2"}) == "");
  const auto column = [&](const std::string& name, const Words& more) {
    return csv_columns(run_program(with({"export", rdf.output()}, more)).out)[name];
  };
  const auto in_nm = column("A around A", {"--quantity", "density"});
  const auto in_a = column("A around A", {"--quantity", "density", "--out-unit", "A"});
  const auto g_nm = column("A-A", {});
  const auto g_a = column("A-A", {"--out-unit", "A"});
  REQUIRE(in_nm.size() == 48);
  const BlockCounts sum = total(rdf.result().blocks);
  for (const std::size_t k : {5U, 20U, 29U}) {
    const double annulus =
        std::numbers::pi * 0.05 * 0.05 * static_cast<double>(2 * k + 1);
    const double expected = static_cast<double>(2 * sum.counts[0][k]) /
                            static_cast<double>(sum.particle_number[0]) / annulus;
    CHECK(in_nm[k] == Approx(expected).epsilon(1e-12));
    CHECK(in_a[k] == Approx(expected / 100.0).epsilon(1e-12));
    CHECK(g_nm[k] == Approx(static_cast<double>(sum.counts[0][k]) /
                            (static_cast<double>(sum.pairs[0]) / 9.0 * annulus))
                         .epsilon(1e-12));
    CHECK(g_a[k] == Approx(g_nm[k]).epsilon(1e-12));
  }
  const ProgramRun info = run_program({"info", rdf.output()});
  CHECK(missing(info.out, {"plane        xy"}) == "");
  const ProgramRun verify = run_program({"verify", rdf.output()});
  INFO(verify.out << verify.err);
  CHECK(verify.exit_code == 0);
}

TEST_CASE("particles in a plane that are counted in space are reported") {
  std::vector<Atom> atoms;
  for (int k = 0; k < 9; ++k) {
    atoms.push_back({"A", {0.3 + k / 3, 0.4 + k % 3, 0.0}});
  }
  const TextTrajectory flat(xyz_frame({Vec3{3, 0, 0}, {0, 3, 0}, {0, 0, 1}}, atoms));
  const RdfRunner rdf;
  const ProgramRun run =
      rdf.run({flat.path, "--unit", "nm", "--r-max", "1.4", "--bins", "14"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK(missing(run.err, {"warning", "plane xy", "--plane xy"}) == "");
  for (const std::string program : {"lammps", "freud"}) {
    const ProgramRun like = run_program({"export", rdf.output(), "--like", program});
    CHECK(like.exit_code == 1);
    CHECK(missing(like.err, {"plane xy", "count with --plane xy"}) == "");
  }
  const RdfRunner planar;
  const ProgramRun told = planar.run(
      {flat.path, "--unit", "nm", "--r-max", "1.4", "--bins", "14", "--plane", "xy"});
  CHECK(told.err.find("warning") == std::string::npos);
  CHECK(run_program({"export", planar.output(), "--like", "lammps"}).exit_code == 0);
  const ProgramRun neighbours = run_program(
      {"coordination", flat.path, "--cutoff", "1.2", "-o", rdf.file("cn.h5")});
  CHECK(missing(neighbours.err, {"--open z"}) == "");
}

TEST_CASE("quantities of space are refused for a plane") {
  const TextTrajectory file(plane_trajectory(square));
  const RdfRunner rdf;
  REQUIRE(rdf.run(with({file.path, "--plane", "xy", "--unit", "nm"}, plane_settings))
              .exit_code == 0);
  for (const std::string quantity :
       {"sq", "xray", "neutron", "pdf", "s2", "kirkwood-buff"}) {
    const ProgramRun run =
        run_program({"analyze", rdf.output(), "--quantity", quantity});
    INFO(quantity << ": " << run.err);
    CHECK(run.exit_code == 1);
    CHECK(missing(run.err, {"plane xy", quantity.c_str(), "without --plane"}) == "");
  }
  const ProgramRun like =
      run_program({"export", rdf.output(), "--like", "gmx", "--pairs", "A-A"});
  CHECK(like.exit_code == 1);
  CHECK(missing(like.err, {"plane xy"}) == "");
  CHECK(run_program({"export", rdf.output(), "--like", "lammps"}).exit_code == 0);
  const ProgramRun cadishi =
      run_program({"export", rdf.output(), "--cadishi", "-o", rdf.file("cadishi.h5")});
  CHECK(cadishi.exit_code == 1);
  CHECK(missing(cadishi.err, {"plane xy"}) == "");
}

TEST_CASE("parts of a plane merge to the whole run, and other planes are refused") {
  const TextTrajectory file(plane_trajectory(square));
  const RdfRunner whole;
  REQUIRE(whole.run(with({file.path, "--plane", "xy"}, plane_settings)).exit_code == 0);
  Words merge{"merge"};
  for (const std::string part : {"1", "2"}) {
    merge.push_back(whole.file("part" + part + ".h5"));
    REQUIRE(run_program(with({"rdf", file.path, "--plane", "xy", "-o", merge.back(),
                              "--part", part + "/2"},
                             plane_settings))
                .exit_code == 0);
  }
  const std::string merged = whole.file("merged.h5");
  const ProgramRun run = run_program(with(merge, {"-o", merged}));
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK(io::read_result(merged).layout.plane == Plane::xy);
  CHECK(summed_counts(io::read_result(merged)) == summed_counts(whole.result()));
  const auto curve = [](const std::string& result) {
    auto g = csv_columns(run_program({"export", result}).out)["A-B"];
    g.resize(42);  // beyond the corner g is undefined
    return g;
  };
  CHECK(curve(merged) == curve(whole.output()));
  for (const std::string other : {"", "xz"}) {
    const RdfRunner rdf;
    REQUIRE(rdf.run(with(other.empty() ? Words{file.path}
                                       : Words{file.path, "--plane", other},
                         plane_settings))
                .exit_code == 0);
    const ProgramRun refused =
        run_program({"merge", whole.output(), rdf.output(), "-o", rdf.file("m.h5")});
    CHECK(refused.exit_code == 1);
    CHECK(missing(refused.err, {"different planes", "plane xy"}) == "");
  }
}

TEST_CASE("a run in a plane is resumed only in that plane") {
  const TextTrajectory file(plane_trajectory(square));
  const RdfRunner rdf;
  const auto run = [&](const std::string& plane) {
    return rdf.run(with({file.path, "--plane", plane, "--resume"}, plane_settings));
  };
  REQUIRE(run("xy").exit_code == 0);
  const ProgramRun other = run("yz");
  CHECK(other.exit_code == 1);
  CHECK(missing(other.err, {"plane xy", "plane yz"}) == "");
}

TEST_CASE("boxes that give a plane no cell are refused") {
  const auto refusal = [](const Edges& edges, const Words& more,
                          std::initializer_list<const char*> words) {
    const TextTrajectory file(plane_trajectory(edges));
    const RdfRunner rdf;
    const ProgramRun run = rdf.run(with(with({file.path}, more), plane_settings));
    return refusal_problem(rdf, run, words);
  };
  CHECK(refusal(square, {"--plane", "1,1,0"},
                {"--plane", "does not lie along an axis", "rotate"}) == "");
  CHECK(refusal(square, {"--plane", "x"}, {"--plane", "give xy, xz, yz or"}) == "");
  CHECK(missing(run_program({"vanhove", "a.h5", "-o", "b.h5", "--plane", "xy"}).err,
                {"--plane", "distances in space"}) == "");
  CHECK(refusal({Vec3{3, 0, 0}, {0, 3, 0}, {1.5, 1.5, 4}}, {"--plane", "xy"},
                {"frame 0", "third box edge", "leans", "(1.5, 1.5, 0)", "--box"}) ==
        "");
}

TEST_CASE("a plane needs periodicity along both axes unless --box opens the box") {
  std::string text = "4\nno box\n";
  for (int k = 0; k < 4; ++k) {
    text += "A " + std::to_string(k) + " 0 " + std::to_string(7 * k) + "\n";
  }
  const TextTrajectory file(text);
  const RdfRunner rdf;
  const ProgramRun refused =
      rdf.run({file.path, "--plane", "xy", "--r-max", "4", "--bins", "4"});
  CHECK(refusal_problem(rdf, refused,
                        {"not periodic along both axes of the plane", "--box none"}) ==
        "");
  const ProgramRun open = rdf.run(
      {file.path, "--plane", "xy", "--box", "none", "--r-max", "4", "--bins", "4"});
  INFO(open.err);
  REQUIRE(open.exit_code == 0);
  CHECK(summed_counts(rdf.result())[0] == std::vector<std::uint64_t>{0, 3, 2, 1});
  const ProgramRun g = run_program({"export", rdf.output()});
  CHECK(g.exit_code == 1);
  CHECK(missing(g.err, {"needs an area", "both axes of the plane"}) == "");
  CHECK(run_program({"export", rdf.output(), "--quantity", "coordination"}).exit_code ==
        0);
}

TEST_CASE("the layout of a plane has another version") {
  const TextTrajectory file(plane_trajectory(square));
  const auto version = [&](const Words& more) {
    const RdfRunner rdf;
    REQUIRE(rdf.run(with(with({file.path}, more), plane_settings)).exit_code == 0);
    const io::Hdf5Object result =
        io::open_inspected_hdf5_file(rdf.output(), io::ExternalFiles::refused);
    const io::Hdf5Object module =
        io::open_hdf5_group(result.get(), io::result_layout::module);
    return io::read_hdf5_numbers<std::int32_t>(module.get(), "version");
  };
  CHECK(version({}) == std::vector<std::int32_t>{0, 2});
  CHECK(version({"--plane", "xy"}) == std::vector<std::int32_t>{1, 0});
}

}  // namespace
}  // namespace starhist::testing
