// Counts by distance and second axis through the program: counts, norms, exports,
// moments, merges, resumed runs, and refusals.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

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

const Edges upright_cell{Vec3{3, 0, 0}, {0, 4, 0}, {0, 0, 5}};
const Edges tilted_cell{Vec3{3, 0, 0}, {1.2, 2.9, 0}, {-0.7, 0.9, 3.5}};
constexpr int axis_frames = 6;
constexpr std::size_t radial_bins = 24;
constexpr double axis_r_max = 1.2;
const Words axis_settings{"--r-max", "1.2", "--bins", "24", "--block", "2"};

/// Positions that are up to two boxes away from the first one; three consecutive atoms
/// are close to each other.
std::vector<Atom> molecule_atoms(const Edges& edges, int frame) {
  Random random(static_cast<std::uint64_t>(900 + frame));
  std::vector<Atom> atoms;
  for (int k = 0; k < 60; ++k) {
    Vec3 p = k % 3 == 0 ? Vec3{} : atoms.back().position + random.vector(0.5);
    for (const Vec3& edge : edges) {
      p = p + (k % 3 == 0 ? random.uniform(-2.0, 2.0) : 0.0) * edge;
    }
    atoms.push_back({k % 3 == 0 ? "A" : "B", p});
  }
  return atoms;
}

std::string molecules_in(const Edges& edges) {
  std::string text;
  for (int frame = 0; frame < axis_frames; ++frame) {
    text += xyz_frame({edges[0], edges[1], edges[2]}, molecule_atoms(edges, frame));
  }
  return text;
}

struct Axis {
  std::string text;
  std::size_t count;
  bool cosine;
  double Vec3::*along;
};
const std::vector<Axis> all_axes{{"cos(z)", 7, true, &Vec3::z},
                                 {"cos(x)", 20, true, &Vec3::x},
                                 {"dz", 9, false, &Vec3::z},
                                 {"dy", 50, false, &Vec3::y}};
Words options_of(const Axis& axis) {
  return with(axis_settings,
              {"--axis2", axis.text, "--axis2-bins", std::to_string(axis.count)});
}

/// Counts of one ordered pair of particles by a loop over all images, without code
/// under test. Throws unless all quantities are far from edges.
void count_images(const Edges& edges, const Axis& axis, Vec3 from, Vec3 to,
                  std::vector<std::uint64_t>& counts) {
  Vec3 nearest{1e9, 1e9, 1e9};
  const auto squared = [](Vec3 v) { return v.x * v.x + v.y * v.y + v.z * v.z; };
  for (int i = -5; i <= 5; ++i) {
    for (int j = -5; j <= 5; ++j) {
      for (int k = -5; k <= 5; ++k) {
        const Vec3 d = to - from + double(i) * edges[0] + double(j) * edges[1] +
                       double(k) * edges[2];
        nearest = squared(d) < squared(nearest) ? d : nearest;
      }
    }
  }
  const double r = std::sqrt(squared(nearest));
  const double row = r / axis_r_max * radial_bins;
  const double along = nearest.*axis.along;
  const double column = axis.cosine ? (along / r + 1.0) / 2.0 * double(axis.count)
                                    : std::abs(along) / axis_r_max * double(axis.count);
  for (const double position : {row, column}) {
    REQUIRE(std::abs(position - std::round(position)) > 1e-9);
  }
  if (row < radial_bins) {
    ++counts[static_cast<std::size_t>(row) * axis.count +
             static_cast<std::size_t>(column)];
  }
}

TEST_CASE("counts by distance and second axis equal a double loop over all images") {
  for (const Edges& edges : {upright_cell, tilted_cell}) {
    const TextTrajectory file(molecules_in(edges));
    for (const Axis& axis : all_axes) {
      INFO(axis.text);
      const RdfRunner rdf;
      const ProgramRun run = rdf.run(with({file.path}, options_of(axis)));
      INFO(run.err);
      REQUIRE(run.exit_code == 0);
      const io::ResultFile result = rdf.result();
      REQUIRE(result.layout.second);
      CHECK(to_string(*result.layout.second) == axis.text);
      std::vector<std::vector<std::uint64_t>> counts(
          3, std::vector<std::uint64_t>(radial_bins * axis.count));
      for (int frame = 0; frame < axis_frames; ++frame) {
        const std::vector<Atom> atoms = molecule_atoms(edges, frame);
        for (std::size_t i = 0; i < atoms.size(); ++i) {
          for (std::size_t j = 0; j < atoms.size(); ++j) {
            const bool like = atoms[i].species == atoms[j].species;
            const std::size_t pair = !like ? 1 : atoms[i].species == "A" ? 0 : 2;
            if (like ? (axis.cosine ? i != j : i < j) : atoms[i].species == "A") {
              count_images(edges, axis, atoms[i].position, atoms[j].position,
                           counts[pair]);
            }
          }
        }
      }
      const BlockCounts sum = total(result.blocks);
      CHECK(sum.second == counts);
      const RdfRunner plain;
      REQUIRE(plain.run(with({file.path}, axis_settings)).exit_code == 0);
      CHECK(sum.counts == summed_counts(plain.result()));
      const auto table = csv_columns(
          run_program({"export", rdf.output(), "--quantity", "axis2-counts"}).out);
      REQUIRE(table.at("A-B").size() == radial_bins * axis.count);
      CHECK(std::equal(counts[1].begin(), counts[1].end(), table.at("A-B").begin()));
    }
  }
}

TEST_CASE("by second axis, pairs of the same molecule and of different ones are all") {
  Random random(61);
  std::string text;
  std::vector<std::string> lines;
  for (int k = 0; k < 60; ++k) {
    lines.push_back(std::to_string(k + 1) + (k % 3 == 0 ? " 1 " : " 2 ") +
                    std::to_string(k / 3 + 1));
  }
  for (int frame = 0; frame < axis_frames; ++frame) {
    text += "ITEM: TIMESTEP\n" + std::to_string(frame) +
            "\nITEM: NUMBER OF ATOMS\n60\nITEM: BOX BOUNDS pp pp pp\n0 3\n0 4\n0 5\n"
            "ITEM: ATOMS id type mol x y z\n";
    for (const std::string& line : lines) {
      text += line;
      for (const double edge : {3.0, 4.0, 5.0}) {
        text += " " + std::to_string(random.uniform(0.0, edge));
      }
      text += "\n";
    }
  }
  const TextTrajectory file(text, "a.dump");
  for (const Axis& axis : all_axes) {
    INFO(axis.text);
    const auto counts = [&](const Words& more) {
      const RdfRunner rdf;
      const ProgramRun run =
          rdf.run(with(with({file.path, "--unit", "nm"}, options_of(axis)), more));
      INFO(run.err);
      REQUIRE(run.exit_code == 0);
      return total(rdf.result().blocks).second;
    };
    const auto all = counts({});
    const auto different = counts({"--exclude-same", "molecule"});
    auto sum = counts({"--only-same", "molecule"});
    CHECK(different != all);
    for (std::size_t p = 0; p < sum.size(); ++p) {
      for (std::size_t k = 0; k < sum[p].size(); ++k) {
        sum[p][k] += different[p][k];
      }
    }
    CHECK(sum == all);
  }
}

TEST_CASE("an ideal gas has g = 1 within 5 sigma in all bins of both axes") {
  Random random(59);
  std::string text;
  for (int frame = 0; frame < 10; ++frame) {
    std::vector<Atom> atoms;
    for (int k = 0; k < 700; ++k) {
      atoms.push_back({k % 2 == 0 ? "A" : "B", random.uniform() * tilted_cell[0] +
                                                   random.uniform() * tilted_cell[1] +
                                                   random.uniform() * tilted_cell[2]});
    }
    text += xyz_frame({tilted_cell[0], tilted_cell[1], tilted_cell[2]}, atoms);
  }
  const TextTrajectory file(text);
  for (const Axis& axis : all_axes) {
    const RdfRunner rdf;
    const ProgramRun run = rdf.run({file.path, "--r-max", "1.2", "--bins", "12",
                                    "--axis2", axis.text, "--axis2-bins", "6"});
    INFO(axis.text << run.err);
    REQUIRE(run.exit_code == 0);
    const auto table = [&](const std::string& quantity) {
      return csv_columns(
          run_program({"export", rdf.output(), "--quantity", quantity}).out);
    };
    auto g = table("axis2");
    auto counts = table("axis2-counts");
    REQUIRE(g["A-B"].size() == 72);
    std::size_t defined = 0;
    for (const std::string pair : {"A-A", "A-B", "B-B"}) {
      // A pair that is counted twice has twice the variance.
      const double twice = axis.cosine && pair != "A-B" ? 2.0 : 1.0;
      for (std::size_t k = 0; k < 72; ++k) {
        const double counted = counts[pair][k];
        INFO(pair << " cell " << k << ": " << counted << ", g = " << g[pair][k]);
        if (std::isnan(g[pair][k])) {
          CHECK(!axis.cosine);
          CHECK(counted == 0.0);
          continue;
        }
        ++defined;
        if (counted == 0.0) {
          continue;  // near r = 0 few pairs are expected
        }
        const double expected = counted / g[pair][k];
        CHECK(std::abs(counted - expected) <= 5.0 * std::sqrt(twice * expected) + 2.0);
      }
    }
    CHECK(defined == (axis.cosine ? 216 : 3 * 42));
  }
}

TEST_CASE("Legendre moments follow from the counts, and vanish by symmetry") {
  const TextTrajectory file(molecules_in(upright_cell));
  const RdfRunner rdf;
  REQUIRE(rdf.run(with({file.path}, options_of(all_axes[0]))).exit_code == 0);
  const ProgramRun run =
      run_program({"analyze", rdf.output(), "--quantity", "legendre", "--errors"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  auto table = csv_columns(run.out);
  REQUIRE(table["P2 A-B"].size() == radial_bins);
  const BlockCounts sum = total(rdf.result().blocks);
  for (std::size_t k = 0; k < radial_bins; ++k) {
    double first = 0.0;
    double second = 0.0;
    double all = 0.0;
    for (std::size_t c = 0; c < 7; ++c) {
      // Means of x and of (3 x^2 - 1) / 2 over the bin.
      const double low = 2.0 * double(c) / 7.0 - 1.0;
      const double high = 2.0 * double(c + 1) / 7.0 - 1.0;
      const auto count = static_cast<double>(sum.second[1][k * 7 + c]);
      first += count * 0.5 * (low + high);
      second += count * 0.5 * (high * high + high * low + low * low - 1.0);
      all += count;
    }
    if (all > 0.0) {
      CHECK(table["P1 A-B"][k] == Approx(first / all).margin(1e-12));
      CHECK(table["P2 A-B"][k] == Approx(second / all).margin(1e-12));
      CHECK((k < 12 || std::isfinite(table["P2 A-B standard error"][k])));
    } else {
      CHECK(std::isnan(table["P1 A-B"][k]));
    }
    CHECK((std::isnan(table["P1 B-B"][k]) || std::abs(table["P1 B-B"][k]) < 1e-12));
  }
  const RdfRunner heights;
  REQUIRE(heights.run(with({file.path}, options_of(all_axes[2]))).exit_code == 0);
  const ProgramRun refused =
      run_program({"analyze", heights.output(), "--quantity", "legendre"});
  CHECK(refused.exit_code == 1);
  CHECK(missing(refused.err, {"second axis is dz", "--axis2 'cos(z)'"}) == "");
}

TEST_CASE("parts of a run with a second axis merge to the whole, and others do not") {
  const TextTrajectory file(molecules_in(upright_cell));
  const RdfRunner whole;
  const Words options = options_of(all_axes[0]);
  REQUIRE(whole.run(with({file.path}, options)).exit_code == 0);
  Words merge{"merge"};
  for (const std::string part : {"1", "2"}) {
    merge.push_back(whole.file("part" + part + ".h5"));
    REQUIRE(
        run_program(with({"rdf", file.path, "-o", merge.back(), "--part", part + "/2"},
                         options))
            .exit_code == 0);
  }
  const std::string merged = whole.file("merged.h5");
  const ProgramRun run = run_program(with(merge, {"-o", merged}));
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK(total(io::read_result(merged).blocks).second ==
        total(whole.result().blocks).second);
  const ProgramRun info = run_program({"info", merged});
  CHECK(missing(info.out, {"second axis  cos(z) in 7 bins"}) == "");
  const ProgramRun verify = run_program({"verify", merged});
  INFO(verify.out << verify.err);
  CHECK(verify.exit_code == 0);
  for (const Words& other : {axis_settings, options_of(all_axes[1])}) {
    const RdfRunner rdf;
    REQUIRE(rdf.run(with({file.path}, other)).exit_code == 0);
    const ProgramRun refused =
        run_program({"merge", whole.output(), rdf.output(), "-o", rdf.file("m.h5")});
    CHECK(refused.exit_code == 1);
    CHECK(missing(refused.err, {"second axes", "cos(z) in 7 bins", "--axis2"}) == "");
  }
}

TEST_CASE("a stopped run with a second axis is resumed from its finished blocks") {
  const std::string text = molecules_in(upright_cell);
  const RdfRunner whole;
  const Words options = options_of(all_axes[2]);
  const TextTrajectory file(text);
  REQUIRE(whole.run(with({file.path}, options)).exit_code == 0);
  // A frame that cannot be used ends the first run in its third block.
  const RdfRunner rdf;
  const std::string path = rdf.file("changing.xyz");
  std::string damaged = text;
  damaged.replace(damaged.rfind("B "), 2, "B nan ");
  std::ofstream(path) << damaged;
  const ProgramRun failed = rdf.run(with({path}, options));
  INFO(failed.err);
  REQUIRE(failed.exit_code == 1);
  REQUIRE(rdf.has_partial());
  REQUIRE(io::read_result(rdf.partial()).blocks.size() == 2);
  std::ofstream(path) << text;
  const ProgramRun other =
      rdf.run(with(with({path}, options_of(all_axes[0])), {"--resume"}));
  CHECK(other.exit_code == 1);
  CHECK(missing(other.err, {"dz in 9 bins", "cos(z) in 7 bins"}) == "");
  const ProgramRun resumed = rdf.run(with(with({path}, options), {"--resume"}));
  INFO(resumed.err);
  REQUIRE(resumed.exit_code == 0);
  REQUIRE(rdf.result().blocks.size() == whole.result().blocks.size());
  for (std::size_t b = 0; b < whole.result().blocks.size(); ++b) {
    CHECK(rdf.result().blocks[b].second == whole.result().blocks[b].second);
  }
}

TEST_CASE("pairs of a second axis respect excluded pairs, r_min and shared particles") {
  const TextTrajectory file(molecules_in(upright_cell));
  for (const Words& more : {Words{"--r-min", "0.3", "--bins", "18"},
                            Words{"--species", "A=species A; all=species A B"},
                            Words{"--edges", "0.1,0.2,0.5,1.1"}}) {
    for (const std::string axis : {"cos(z)", "dz"}) {
      INFO(axis << " " << more[0]);
      Words options{file.path, "--block", "2"};
      options = with(options, more);
      if (more[0] != "--edges") {
        options = with(options, {"--r-max", "1.2"});
      }
      if (more[0] == "--species") {
        options = with(options, {"--bins", "24"});
      }
      const RdfRunner plain;
      REQUIRE(plain.run(options).exit_code == 0);
      const RdfRunner rdf;
      const ProgramRun run = rdf.run(with(options, {"--axis2", axis}));
      INFO(run.err);  // the run compares all sums
      REQUIRE(run.exit_code == 0);
      CHECK(summed_counts(rdf.result()) == summed_counts(plain.result()));
    }
  }
}

/// Residues of the atoms OW, HW1 and HW2 in a box of edge 2.5 nm, as a GRO file. `left`
/// atom of residue 7 is left out, or occurs twice if it is negative.
std::string waters(std::vector<std::array<Vec3, 3>>& molecules, int left = 0) {
  Random random(77);
  std::string lines;
  int count = 0;
  for (int residue = 0; residue < 40; ++residue) {
    const Vec3 oxygen{random.uniform(0, 2.5), random.uniform(0, 2.5),
                      random.uniform(0, 2.5)};
    std::array<Vec3, 3> molecule{oxygen, oxygen + random.vector(0.1),
                                 oxygen + random.vector(0.1)};
    for (int atom = 0; atom < 3; ++atom) {
      Vec3& p = molecule[static_cast<std::size_t>(atom)];
      char line[100];
      p.x += residue % 2 == 0 ? 0.0 : 2.5;  // another image
      std::snprintf(line, sizeof line, "%5d%-5s%5s%5d%14.9f%14.9f%14.9f\n", residue + 1,
                    "SOL",
                    atom == 0   ? "OW"
                    : atom == 1 ? "HW1"
                                : "HW2",
                    1, p.x, p.y, p.z);
      const int times = residue != 7 || atom != std::abs(left) || left == 0 ? 1
                        : left < 0                                          ? 2
                                                                            : 0;
      for (int k = 0; k < times; ++k, ++count) {
        lines += line;
      }
      p = {std::stod(line + 20), std::stod(line + 34), std::stod(line + 48)};
    }
    molecules.push_back(molecule);
  }
  return "water\n" + std::to_string(count) + "\n" + lines + "2.5 2.5 2.5\n";
}

TEST_CASE("cosines to molecular vectors equal a double loop over all images") {
  std::vector<std::array<Vec3, 3>> molecules;
  const TextTrajectory file(waters(molecules), "waters.gro");
  const RdfRunner rdf;
  const ProgramRun run =
      rdf.run({file.path, "--r-max", "1.2", "--bins", "24", "--axis2",
               "cos(vector OW->HW2)", "--axis2-bins", "7", "--pairs", "A-A,A-B",
               "--species", "A=name OW; B=name HW1"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  const auto nearest = [](Vec3 d) {
    for (double* x : {&d.x, &d.y, &d.z}) {
      *x -= 2.5 * std::round(*x / 2.5);
    }
    return d;
  };
  const auto scalar = [](Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; };
  std::vector<std::vector<std::uint64_t>> counts(2, std::vector<std::uint64_t>(24 * 7));
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    const Vec3 vector = nearest(molecules[i][2] - molecules[i][0]);
    for (std::size_t j = 0; j < molecules.size(); ++j) {
      for (std::size_t pair = 0; pair < 2; ++pair) {
        if (pair == 0 && i == j) {
          continue;
        }
        const Vec3 d = nearest(molecules[j][pair] - molecules[i][0]);
        const double r = std::sqrt(scalar(d, d));
        const double row = 20.0 * r;
        const double column =
            3.5 * (scalar(d, vector) / r / std::sqrt(scalar(vector, vector)) + 1.0);
        REQUIRE(std::abs(row - std::round(row)) > 1e-8);
        REQUIRE(std::abs(column - std::round(column)) > 1e-8);
        if (row < 24.0) {
          ++counts[pair][static_cast<std::size_t>(row) * 7 +
                         static_cast<std::size_t>(column)];
        }
      }
    }
  }
  const io::ResultFile result = rdf.result();
  REQUIRE(result.layout.pairs.size() == 2);
  CHECK(total(result.blocks).second == counts);
  for (const std::string method : {"reference", "cpu"}) {
    const ProgramRun verify = run_program({"verify", rdf.output(), "--with", method});
    INFO(verify.out << verify.err);
    CHECK(verify.exit_code == 0);
  }
}

TEST_CASE("molecular vectors do not depend on how species are chosen") {
  std::vector<std::array<Vec3, 3>> molecules;
  const TextTrajectory file(waters(molecules), "waters.gro");
  const RdfRunner rdf;
  std::vector<std::vector<std::vector<std::uint64_t>>> counts;
  for (const Words& by :
       {Words{}, {"--by", "name"}, {"--species", "OW=name OW; HW1=name HW1"}}) {
    Words words{file.path,
                "--r-max",
                "1.2",
                "--bins",
                "4",
                "--axis2",
                "cos(vector HW1->OW)",
                "--axis2-bins",
                "5",
                "--pairs",
                "OW-OW",
                "--force"};
    words.insert(words.end(), by.begin(), by.end());
    const ProgramRun run = rdf.run(words);
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    counts.push_back(total(rdf.result().blocks).second);
  }
  CHECK(counts[1] == counts[0]);
  CHECK(counts[2] == counts[0]);
  const RdfRunner refused;
  CHECK(refusal_problem(refused,
                        refused.run({file.path, "--r-max", "1.2", "--bins", "4", "--by",
                                     "name", "--axis2", "cos(vector X->OW)"}),
                        {"no particle has name 'X'"}) == "");
}

TEST_CASE("a molecule that crosses an opened boundary is whole for its vector") {
  // The first molecule points up by 0.06 nm across the boundary, the second along x.
  const TextTrajectory file(
      "two\n4\n"
      "    1SOL     OW    1   1.000   1.000   2.980\n"
      "    1SOL    HW1    2   1.000   1.000   0.040\n"
      "    2SOL     OW    3   1.000   1.000   2.500\n"
      "    2SOL    HW1    4   1.100   1.000   2.500\n"
      "   3.00000   3.00000   3.00000\n",
      "two.gro");
  const RdfRunner rdf;
  const ProgramRun run =
      rdf.run({file.path, "--r-max", "1", "--bins", "1", "--pairs", "OW-OW", "--open",
               "z", "--axis2", "cos(vector OW->HW1)", "--axis2-bins", "3"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK(total(rdf.result().blocks).second ==
        std::vector<std::vector<std::uint64_t>>{{1, 1, 0}});  // cosines -1 and 0
}

TEST_CASE("vectors of atoms that a residue does not have once are refused") {
  const auto refusal = [](int left, const std::string& axis,
                          std::initializer_list<const char*> words) {
    std::vector<std::array<Vec3, 3>> molecules;
    const TextTrajectory file(waters(molecules, left), "waters.gro");
    const RdfRunner rdf;
    return refusal_problem(rdf,
                           rdf.run({file.path, "--r-max", "1.2", "--bins", "24",
                                    "--pairs", "OW-OW", "--axis2", axis}),
                           words);
  };
  CHECK(refusal(2, "cos(vector OW->HW2)",
                {"one atom HW2 in each residue", "particle 7 of species OW has 0",
                 "select other particles"}) == "");
  CHECK(refusal(-1, "cos(vector HW1->HW2)", {"one atom HW1", "particle 7", "has 2"}) ==
        "");
  std::vector<std::array<Vec3, 3>> others;
  const TextTrajectory ordered(waters(others), "waters.gro");
  const RdfRunner turned;
  CHECK(refusal_problem(turned,
                        turned.run({ordered.path, "--r-max", "1.2", "--bins", "24",
                                    "--pairs", "OW-HW1", "--axis2", "cos(z)"}),
                        {"cannot count the pair OW-HW1", "--pairs HW1-OW",
                         "--species 'a=species OW; b=species HW1'"}) == "");
  CHECK(refusal(0, "cos(vector OW->MW)",
                {"--axis2 cos(vector OW->MW): its atoms cannot be read: /",
                 "no particle has name 'MW'"}) == "");
  CHECK(refusal(0, "cos(vector OW->OW)", {"from an atom to itself"}) == "");
  CHECK(refusal(0, "cos(vector OW HW1)", {"is not a known quantity", "A->B"}) == "");
  CHECK(refusal(0, "cos(vector ->HW1)", {"does not name two atoms"}) == "");
  const TextTrajectory file(molecules_in(upright_cell));
  const RdfRunner rdf;
  CHECK(refusal_problem(
            rdf,
            rdf.run(with({file.path, "--axis2", "cos(vector A->B)"}, axis_settings)),
            {"cos(vector A->B)", "residues", "--structure"}) == "");
  std::vector<std::array<Vec3, 3>> molecules;
  const TextTrajectory changing(waters(molecules), "waters.gro");
  CHECK(refusal_problem(
            rdf,
            rdf.run({changing.path, "--r-max", "1", "--bins", "5", "--species",
                     "low=name OW and z < 1", "--axis2", "cos(vector OW->HW1)"}),
            {"cos(vector OW->HW1)", "same particles in all frames"}) == "");
}

TEST_CASE("second axes that do not apply are refused with a remedy") {
  const TextTrajectory file(molecules_in(upright_cell));
  const auto refusal = [&](const Words& more,
                           std::initializer_list<const char*> words) {
    const RdfRunner rdf;
    return refusal_problem(rdf, rdf.run(with(with({file.path}, axis_settings), more)),
                           words);
  };
  CHECK(refusal({"--axis2", "phi"}, {"--axis2 'phi'", "cos(z)", "dz"}) == "");
  CHECK(refusal({"--axis2-bins", "5"}, {"--axis2-bins needs --axis2"}) == "");
  CHECK(refusal({"--axis2", "dz", "--explain"}, {"--explain", "--axis2"}) == "");
  CHECK(refusal({"--axis2", "dz", "--cpu-mode", "team"}, {"--axis2", "--cpu-mode"}) ==
        "");
  CHECK(refusal({"--axis2", "dz", "--axis2-bins", "0"}, {"--axis2-bins"}) == "");
  CHECK(refusal({"--axis2", "dz", "--axis2-bins", "1001"}, {"at most 1000"}) == "");
  CHECK(refusal(
            {"--axis2", "cos(z)", "--open", "z", "--geometry", "slab", "--extent", "5"},
            {"--axis2 cos(z)", "slab", "omit --geometry"}) == "");
  const RdfRunner many;
  const ProgramRun too_many =
      many.run({file.path, "--r-max", "1.2", "--bins", "200000", "--axis2", "dz",
                "--axis2-bins", "1000", "--memory", "4"});
  CHECK(refusal_problem(many, too_many,
                        {"the second axis with 3 pairs of species, 200 000 bins", "MB",
                         "--memory"}) == "");
  CHECK(missing(run_program({"vanhove", "a.h5", "-o", "b.h5", "--axis2", "dz"}).err,
                {"--axis2"}) == "");
  CHECK(missing(run_program({"coordination", "a.h5", "-o", "b.h5", "--cutoff", "1",
                             "--axis2", "dz"})
                    .err,
                {"--axis2"}) == "");
  const RdfRunner plain;
  REQUIRE(plain.run(with({file.path}, axis_settings)).exit_code == 0);
  const ProgramRun none =
      run_program({"export", plain.output(), "--quantity", "axis2"});
  CHECK(none.exit_code == 1);
  CHECK(missing(none.err, {"no second axis", "rdf --axis2"}) == "");
  const RdfRunner rdf;
  REQUIRE(rdf.run(with({file.path}, options_of(all_axes[0]))).exit_code == 0);
  for (const Words& option :
       {Words{"--rebin", "2"}, Words{"--smooth", "0.1"}, Words{"--per-block"},
        Words{"--format", "xvg"}, Words{"--normalization", "mean-volume"}}) {
    const ProgramRun run =
        run_program(with({"export", rdf.output(), "--quantity", "axis2"}, option));
    INFO(run.err);
    CHECK(run.exit_code == 1);
    CHECK(missing(run.err, {option[0].c_str(), "axis2"}) == "");
  }
}

}  // namespace
}  // namespace starhist::testing
