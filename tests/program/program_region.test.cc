// Open axes, given volumes, slabs and cylinders through the program: counts, g(r),
// merges, resumed runs, and refusals.
#include <array>
#include <cmath>
#include <iomanip>
#include <numbers>
#include <sstream>

#include "tests/program/csv_table.hh"
#include "tests/program/json_value.hh"
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

constexpr double pi = std::numbers::pi;
const Edges upright{Vec3{3, 0, 0}, {0, 4, 0}, {0, 0, 5}};
const Edges tilted{Vec3{3, 0, 0}, {1.2, 2.5, 0}, {0.4, -0.3, 5}};
const Words region_settings{"--r-max", "1.4", "--bins", "28", "--block", "2"};

/// Positions up to two boxes away from the first one.
std::vector<Atom> region_atoms(const Edges& edges, int frame) {
  Random random(static_cast<std::uint64_t>(900 + frame));
  std::vector<Atom> atoms;
  for (int k = 0; k < 120; ++k) {
    Vec3 p{};
    for (const Vec3& edge : edges) {
      p = p + random.uniform(-2.0, 2.0) * edge;
    }
    atoms.push_back({"A", p});
  }
  return atoms;
}

constexpr int region_frames = 4;

std::string region_trajectory(const Edges& edges) {
  std::string text;
  for (int frame = 0; frame < region_frames; ++frame) {
    text += xyz_frame({edges[0], edges[1], edges[2]}, region_atoms(edges, frame));
  }
  return text;
}

TEST_CASE("counts with open axes equal a double loop over the remaining images") {
  const std::pair<const char*, std::array<bool, 3>> choices[] = {
      {"z", {true, true, false}},
      {"x,z", {false, true, false}},
      {"y", {true, false, true}},
      {"x,y,z", {false, false, false}}};
  for (const Edges& edges : {upright, tilted}) {
    const TextTrajectory file(region_trajectory(edges));
    for (const auto& [axes, periodic] : choices) {
      INFO("--open " << axes);
      const RdfRunner rdf;
      const ProgramRun run =
          rdf.run(with({file.path, "--open", axes}, region_settings));
      INFO(run.err);
      REQUIRE(run.exit_code == 0);
      std::vector<std::uint64_t> counts(29);
      for (int frame = 0; frame < region_frames; ++frame) {
        std::vector<double> positions;
        for (const Atom& atom : region_atoms(edges, frame)) {
          append(positions, atom.position);
        }
        const auto own =
            brute_force_counts(Box(edges, periodic), 1.4, 28, positions, {});
        REQUIRE(own.near_edge == 0);
        for (std::size_t k = 0; k < counts.size(); ++k) {
          counts[k] += own.counts[k];
        }
      }
      const BlockCounts sum = total(rdf.result().blocks);
      CHECK(sum.out_of_range[0] == counts.back());
      counts.pop_back();
      CHECK(sum.counts[0] == counts);
      CHECK(sum.volume == 0.0);
      const ProgramRun g = run_program({"export", rdf.output()});
      CHECK(g.exit_code == 1);
      CHECK(missing(g.err, {"needs a volume", "--volume"}) == "");
      const ProgramRun verify = run_program({"verify", rdf.output()});
      INFO(verify.out << verify.err);
      CHECK(verify.exit_code == 0);
    }
  }
}

TEST_CASE("an extent far from the one that particles fill is reported") {
  Random random(5);
  std::vector<Atom> atoms;
  std::vector<Atom> split;  // the same slab, across the boundary
  for (int k = 0; k < 300; ++k) {
    const Vec3 p{random.uniform(0.0, 3.0), random.uniform(0.0, 4.0),
                 random.uniform(1.5, 3.5)};
    atoms.push_back({"A", p});
    split.push_back({"A", {p.x, p.y, p.z < 2.5 ? p.z - 1.5 : p.z + 1.5}});
  }
  const auto messages = [&](const std::vector<Atom>& own, const std::string& extent) {
    const TextTrajectory file(xyz_frame({upright[0], upright[1], upright[2]}, own));
    const ProgramRun run = RdfRunner().run(with(
        {file.path, "--open", "z", "--geometry", "slab", "--extent", extent, "--quiet"},
        {"--r-max", "1.4", "--bins", "28"}));
    REQUIRE(run.exit_code == 0);
    return run.err;
  };
  CHECK(messages(atoms, "2") == "");
  CHECK(messages(atoms, "2.5") == "");
  CHECK(missing(messages(atoms, "20"),
                {"--extent 20 differs from the thickness", "length unit"}) == "");
  CHECK(missing(messages(split, "2"),
                {"--extent 2 differs", "both sides of a boundary", "centre"}) == "");
}

TEST_CASE("a given volume defines g(r) of an open box by whole shells") {
  const TextTrajectory file(region_trajectory(upright));
  const RdfRunner rdf;
  const ProgramRun run = rdf.run(with(
      {file.path, "--open", "z", "--volume", "60", "--unit", "nm"}, region_settings));
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  const BlockCounts sum = total(rdf.result().blocks);
  CHECK(sum.volume == 60.0 * region_frames);
  const ProgramRun table = run_program({"export", rdf.output()});
  CHECK(missing(table.out, {"# volume: 60"}) == "");
  const auto g = csv_columns(table.out)["A-A"];
  const auto other =
      csv_columns(run_program({"export", rdf.output(), "--out-unit", "A"}).out)["A-A"];
  REQUIRE(g.size() == 28);
  const double density = static_cast<double>(sum.pairs[0]) / 60.0;
  for (std::size_t k = 4; k < 28; ++k) {
    const double a = 0.05 * static_cast<double>(k);
    const double b = a + 0.05;
    const double shell = 4.0 / 3.0 * pi * (b * b * b - a * a * a);
    CHECK(
        g[k] ==
        Approx(static_cast<double>(sum.counts[0][k]) / density / shell).epsilon(1e-12));
    CHECK(other[k] == Approx(g[k]).epsilon(1e-12));
  }
  CHECK(run_program({"verify", rdf.output()}).exit_code == 0);
}

std::string exact(double number) {
  std::ostringstream text;
  text << std::setprecision(17) << number;
  return text.str();
}

/// Frames of an ideal gas in a slab of thickness 1.3 or a cylinder of radius 1.1, in a
/// box that is larger along the open axes.
/// `growth`: relative increase of the extent from frame to frame.
std::string ideal_gas(bool is_slab, double growth = 0.0) {
  Random random(is_slab ? 71 : 72);
  const Edges edges{Vec3{4, 0, 0}, {0, 4.5, 0}, {0, 0, 5}};
  std::string text;
  for (int frame = 0; frame < 12; ++frame) {
    std::vector<Atom> atoms;
    for (int k = 0; k < 700; ++k) {
      Vec3 p{random.uniform(0.0, 4.0), random.uniform(0.0, 4.5),
             2.0 + (1.0 + growth * frame) * random.uniform(0.0, 1.3)};
      if (!is_slab) {
        const double s = 1.1 * (1.0 + growth * frame) * std::sqrt(random.uniform());
        const double phi = 2.0 * pi * random.uniform();
        p = {2.0 + s * std::cos(phi), 2.2 + s * std::sin(phi),
             random.uniform(0.0, 5.0)};
      }
      atoms.push_back({"A", p});
    }
    text += xyz_frame({edges[0], edges[1], edges[2]}, atoms);
  }
  return text;
}

TEST_CASE("an ideal gas in a slab or cylinder has g = 1 within 5 sigma") {
  for (const bool is_slab : {true, false}) {
    const TextTrajectory file(ideal_gas(is_slab));
    const RdfRunner rdf;
    const double volume = is_slab ? 4 * 4.5 * 1.3 : pi * 1.1 * 1.1 * 5;
    const double reach = is_slab ? 2.0 : 2.5;
    const ProgramRun run =
        rdf.run({file.path, "--open", is_slab ? "z" : "x,y", "--geometry",
                 is_slab ? "slab" : "cylinder", "--extent", is_slab ? "1.3" : "1.1",
                 "--r-max", exact(reach + 0.5), "--bin-width", "0.05"});
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    const BlockCounts sum = total(rdf.result().blocks);
    CHECK(sum.volume == Approx(12 * volume).epsilon(1e-12));
    const ProgramRun table = run_program({"export", rdf.output()});
    CHECK(missing(table.out, {is_slab ? "# geometry: slab" : "# geometry: cylinder",
                              "# extent: 1."}) == "");
    const auto curve = csv_columns(table.out)["A-A"];
    const auto within = static_cast<std::size_t>(std::lround(reach / 0.05));
    REQUIRE(curve.size() >= within);
    for (std::size_t k = 0; k < curve.size(); ++k) {
      if (k >= within) {
        CHECK(std::isnan(curve[k]));
        continue;
      }
      const auto counted = static_cast<double>(sum.counts[0][k]);
      INFO("bin " << k << ": " << counted << " pairs, g = " << curve[k]);
      REQUIRE(curve[k] > 0.0);
      const double expected = counted / curve[k];
      CHECK(std::abs(counted - expected) <= 5.0 * std::sqrt(expected) + 1.0);
    }
  }
}

TEST_CASE("the extent is measured in the first frame and recorded") {
  for (const bool is_slab : {true, false}) {
    const TextTrajectory file(ideal_gas(is_slab));
    const RdfRunner rdf;
    const Words run{file.path,
                    "--open",
                    is_slab ? "z" : "x,y",
                    "--geometry",
                    is_slab ? "slab" : "cylinder",
                    "--r-max",
                    "1.5",
                    "--bins",
                    "30"};
    const ProgramRun measured = rdf.run(run);
    CHECK(missing(measured.err,
                  {"geometry: a ", "measured in the first frame", "--extent"}) == "");
    REQUIRE(measured.exit_code == 0);
    const double size = rdf.result().layout.region.size;
    CHECK(std::abs(size / (is_slab ? 1.3 : 1.1) - 1.0) < 0.05);
    CHECK(missing(run_program({"info", rdf.output()}).out,
                  {is_slab ? "a slab of thickness" : "a cylinder of radius"}) == "");
    // The second half of the frames has the same extent.
    const RdfRunner half;
    REQUIRE(half.run(with(run, {"--part", "2/2"})).exit_code == 0);
    CHECK(half.result().layout.region.size == size);
    CHECK(run_program({"verify", rdf.output()}).exit_code == 0);
    const ProgramRun other = rdf.run(with(run, {"--extent", "1.25", "--resume"}));
    CHECK(other.exit_code == 1);
    CHECK(missing(other.err, {"this run has a ", "1.25"}) == "");
  }
}

TEST_CASE("an extent that changes after the first frame is reported") {
  for (const bool is_slab : {true, false}) {
    const RdfRunner rdf;
    const auto run = [&](double growth, const Words& more) {
      const TextTrajectory file(ideal_gas(is_slab, growth));
      const ProgramRun made = rdf.run(with(
          {file.path, "--open", is_slab ? "z" : "x,y", "--geometry",
           is_slab ? "slab" : "cylinder", "--r-max", "1.5", "--bins", "30", "--force"},
          more));
      INFO(made.err);
      REQUIRE(made.exit_code == 0);
      return made.err;
    };
    const std::string same = run(0.0, {});
    CHECK(same.find("particles fill changes") == std::string::npos);
    // The mean over 12 frames is 1 + 5.5 growth times the first one.
    const std::string grown = run(0.03, {});
    CHECK(missing(grown, {is_slab ? "the thickness that" : "the radius that",
                          "in the first frame, which g(r) assumes",
                          "wrong by a factor of 0.8", "count with --extent 1."}) == "");
    const std::string given = run(0.03, {"--extent", is_slab ? "1.5" : "1.3"});
    CHECK(given.find("particles fill changes") == std::string::npos);
  }
}

TEST_CASE("a volume far from the one that particles fill is reported") {
  const TextTrajectory file(ideal_gas(true));
  const auto messages = [&](const std::string& volume, const std::string& open) {
    const ProgramRun run =
        RdfRunner().run({file.path, "--open", open, "--volume", volume, "--r-max",
                         "1.5", "--bins", "30", "--unit", "nm", "-q"});
    REQUIRE(run.exit_code == 0);
    return run.err;
  };
  using Case = std::array<const char*, 3>;
  for (const auto& [open, volume, factor] :
       {Case{"z", "fill, 23.5", "a factor of 99."},
        Case{"x,y,z", "fill, 22.3", "a factor of 104."}}) {
    CHECK(messages("23.4", open) == "");
    CHECK(missing(messages("2340", open),
                  {"--volume 2340 differs from the volume that the particles", volume,
                   " nm^3 in frame 0", "wrong by", factor,
                   "in the length unit of the positions"}) == "");
    CHECK(missing(messages("0.234", open), {"--volume 0.234 differs"}) == "");
  }
}

TEST_CASE("a box so small that images overlay particles is reported") {
  std::vector<Atom> atoms;
  Random random(9);
  for (int k = 0; k < 512; ++k) {
    atoms.push_back(
        {"A",
         {k % 8 + random.uniform(0.0, 0.3), k / 8 % 8 + random.uniform(0.0, 0.3),
          k / 64 + random.uniform(0.0, 0.3)}});
  }
  const std::string text =
      xyz_frame({Vec3{8, 0, 0}, Vec3{0, 8, 0}, Vec3{0, 0, 8}}, atoms);
  std::string without_box = text;
  without_box.replace(4, text.find('\n', 4) - 4, "no lattice");
  const auto messages = [&](const std::string& content, const char* command,
                            const Words& more) {
    const TextTrajectory file(content, "a.xyz");
    const RdfRunner rdf;
    const ProgramRun run =
        run_program(with({command, file.path, "-o", rdf.output(), "-q"}, more));
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    return run.err;
  };
  const Words bins{"--r-max", "1.5", "--bins", "30"};
  const Words small{"--box", "4.3,4.3,4.3"};
  CHECK(messages(text, "rdf", bins) == "");
  CHECK(messages(text, "rdf", with(bins, {"--box", "8,8,8"})) == "");
  CHECK(missing(messages(text, "rdf", with(bins, small)),
                {"--box is too small: its edge along", "is 4.3, but the particles of",
                 "the file's box is 8", "distances may be wrong", "omit --box"}) == "");
  CHECK(missing(messages(text, "coordination", with({"--cutoff", "A-A=1.5"}, small)),
                {"--box is too small"}) == "");
  CHECK(messages(without_box, "rdf", with(bins, {"--box", "8,8,8"})) == "");
  CHECK(missing(messages(without_box, "rdf", with(bins, small)),
                {"a tenth of them have a neighbour within", "length unit"}) == "");
}

TEST_CASE("a warning about g(r) is printed with -q, recorded and repeated") {
  const TextTrajectory file(ideal_gas(true, 0.06));
  const RdfRunner rdf;
  const Words slab{"--open",  "z",   "--geometry", "slab",
                   "--r-max", "1.5", "--bins",     "30"};
  const std::string json = rdf.file("summary.json");
  const ProgramRun run = rdf.run(with(with({file.path}, slab), {"-q", "--json", json}));
  REQUIRE(run.exit_code == 0);
  const char* const text = "the thickness that the particles fill changes";
  CHECK(run.err.find(text) == 10);  // after "starhist: "
  CHECK(missing(json_value(json, "d['warnings'][0]"), {text}) == "");
  CHECK(json_value(json, "len(d['warnings'])") == "1");
  const std::string line = std::string("warning 1: ") + text;
  CHECK(missing(run_program({"info", rdf.output()}).out, {line.c_str()}) == "");
  const std::string fact = std::string("# warning: ") + text;
  for (const char* quantity : {"g", "coordination", "density"}) {
    CHECK(missing(run_program({"export", rdf.output(), "--quantity", quantity}).out,
                  {fact.c_str()}) == "");
  }
  // Parts with different means: the first warning, and the number of others.
  Words merge{"merge"};
  for (const std::string part : {"1", "2"}) {
    merge.push_back(rdf.file("part" + part + ".h5"));
    REQUIRE(
        run_program(
            with({"rdf", file.path, "-o", merge.back(), "--part", part + "/2"}, slab))
            .exit_code == 0);
  }
  const std::string merged = rdf.file("merged.h5");
  REQUIRE(run_program(with(merge, {"-o", merged})).exit_code == 0);
  CHECK(missing(run_program({"export", merged}).out,
                {fact.c_str(), "; and 1 more (starhist info lists all)"}) == "");
}

TEST_CASE("parts in a slab merge to the whole run, and other volumes are refused") {
  const TextTrajectory file(ideal_gas(true));
  const RdfRunner whole;
  const Words slab{"--open", "z",       "--geometry", "slab",   "--extent",
                   "1.3",    "--r-max", "1.5",        "--bins", "30"};
  REQUIRE(whole.run(with({file.path}, slab)).exit_code == 0);
  Words merge{"merge"};
  for (const std::string part : {"1", "2"}) {
    merge.push_back(whole.file("part" + part + ".h5"));
    REQUIRE(
        run_program(
            with({"rdf", file.path, "-o", merge.back(), "--part", part + "/2"}, slab))
            .exit_code == 0);
  }
  const std::string merged = whole.file("merged.h5");
  REQUIRE(run_program(with(merge, {"-o", merged})).exit_code == 0);
  const auto curve = [](const std::string& result) {
    return csv_columns(run_program({"export", result}).out)["A-A"];
  };
  CHECK(curve(merged) == curve(whole.output()));
  const RdfRunner open;
  REQUIRE(open.run({file.path, "--open", "z", "--volume", "23.4", "--r-max", "1.5",
                    "--bins", "30"})
              .exit_code == 0);
  const ProgramRun refused =
      run_program({"merge", whole.output(), open.output(), "-o", open.file("m.h5")});
  CHECK(refused.exit_code == 1);
  CHECK(missing(refused.err, {"volumes", "a slab of thickness 1.3"}) == "");
}

TEST_CASE("quantities of periodic boxes are refused for a region") {
  const TextTrajectory file(ideal_gas(true));
  const RdfRunner rdf;
  REQUIRE(rdf.run({file.path, "--open", "z", "--geometry", "slab", "--extent", "1.3",
                   "--r-max", "1.5", "--bins", "30", "--unit", "nm"})
              .exit_code == 0);
  for (const std::string quantity :
       {"sq", "xray", "neutron", "pdf", "s2", "kirkwood-buff"}) {
    const ProgramRun run =
        run_program({"analyze", rdf.output(), "--quantity", quantity});
    INFO(quantity << ": " << run.err);
    CHECK(run.exit_code == 1);
    CHECK(missing(run.err, {"a slab of thickness", quantity.c_str(), "without"}) == "");
  }
  CHECK(run_program({"export", rdf.output(), "--like", "gmx", "--pairs", "A-A"})
            .exit_code == 1);
}

TEST_CASE("the summary names axes along which a large part of the box is empty") {
  const auto summary = [](const std::array<double, 3>& filled, const Words& more) {
    Random random(11);
    std::vector<Atom> atoms;
    for (int k = 0; k < 400; ++k) {
      Vec3 p{};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        p = p + random.uniform(0.0, filled[axis]) * upright[axis];
      }
      atoms.push_back({"A", p});
    }
    const TextTrajectory file(xyz_frame({upright[0], upright[1], upright[2]}, atoms));
    const RdfRunner rdf;
    const ProgramRun run =
        rdf.run(with({file.path, "--r-max", "1.4", "--bins", "28"}, more));
    CHECK(run.exit_code == 0);
    return run.err;
  };
  CHECK(missing(summary({1.0, 1.0, 0.4}, {}),
                {"% of the box empty along z: g(r) is relative", "in the whole box",
                 "--open z --geometry slab"}) == "");
  CHECK(missing(summary({0.4, 0.4, 1.0}, {}),
                {"empty along x, y:", "--open x,y --geometry cylinder"}) == "");
  CHECK(missing(summary({0.4, 0.4, 0.4}, {}),
                {"empty along x, y, z:", "--volume V", "--box needs the unit"}) == "");
  CHECK(summary({1.0, 1.0, 1.0}, {}).find("empty") == std::string::npos);
  CHECK(summary({1.0, 1.0, 0.4}, {"--open", "z", "--geometry", "slab"}).find("empty") ==
        std::string::npos);
}

TEST_CASE("wrong options of open axes, volumes and geometries are refused") {
  const TextTrajectory file(region_trajectory(upright));
  const auto refusal = [&](const Words& more,
                           std::initializer_list<const char*> words) {
    const RdfRunner rdf;
    const ProgramRun run = rdf.run(with(with({file.path}, more), region_settings));
    return refusal_problem(rdf, run, words);
  };
  CHECK(refusal({"--open", "w"}, {"--open w", "give x, y or z"}) == "");
  CHECK(refusal({"--open", ","}, {"--open ,", "give x, y or z"}) == "");
  CHECK(refusal({"--open", "xz"}, {"--open xz", "such as x,z"}) == "");
  CHECK(refusal({"--open", "z", "--box", "none"}, {"--box none", "no axis"}) == "");
  CHECK(refusal({"--open", "z", "--plane", "xy"}, {"--plane", "--open", "exclude"}) ==
        "");
  CHECK(refusal({"--volume", "60"}, {"--volume", "defines a volume", "omit"}) == "");
  CHECK(refusal({"--volume", "-1", "--open", "z"}, {"--volume"}) == "");
  CHECK(refusal({"--volume", "60", "--geometry", "slab", "--open", "z"},
                {"--volume", "--geometry", "exclude"}) == "");
  CHECK(refusal({"--geometry", "slab"}, {"--geometry slab", "--open z"}) == "");
  CHECK(refusal({"--geometry", "slab", "--open", "x,z"},
                {"--geometry slab", "2 open axes", "two axes"}) == "");
  CHECK(refusal({"--geometry", "cylinder", "--open", "z"},
                {"--geometry cylinder", "1 open axis", "--open x,y"}) == "");
  CHECK(refusal({"--geometry", "sphere", "--open", "z"}, {"sphere", "slab"}) == "");
  CHECK(refusal({"--extent", "3", "--open", "z"}, {"--extent", "--geometry slab"}) ==
        "");
  // Positions up to two boxes away along the open axis.
  CHECK(refusal({"--geometry", "slab", "--open", "z"},
                {"--extent is missing", "exceeds the box", "centre"}) == "");
  CHECK(missing(
            run_program({"vanhove", file.path, "-o", "b.h5", "--geometry", "slab"}).err,
            {"--geometry"}) == "");
}

}  // namespace
}  // namespace starhist::testing
