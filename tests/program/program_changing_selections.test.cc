// Species that are selected in each frame, through the program: counts, norms, merges,
// resumed runs, and refusals.
#include <algorithm>

#include "tests/program/rdf_runner.hh"
#include "tests/support/brute_force.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"
#include "tests/support/text_trajectory.hh"
#include "tests/support/xyz_text.hh"
#include "tests/tasks/trajectories.hh"

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;

constexpr double edge = 6.0;
constexpr int frames = 12;
const std::vector<Vec3> edges{{edge, 0, 0}, {0, edge, 0}, {0, 0, edge}};
const Box box({edges[0], edges[1], edges[2]}, {true, true, true});

std::vector<Atom> atoms_of(int frame) {
  Random random(static_cast<std::uint64_t>(100 + frame));
  std::vector<Atom> atoms;
  for (int k = 0; k < 200; ++k) {
    atoms.push_back({k % 40 == 0 ? "I" : "W", edge * random.vector(1.0)});
  }
  if (frame == 4 || frame == 9) {  // all W are far from the ions
    for (Atom& atom : atoms) {
      atom.position =
          atom.species == "I" ? Vec3{0, 0, 0} : Vec3{3, 3, 3} + 0.1 * atom.position;
    }
  }
  return atoms;
}

std::string trajectory() {
  std::string text;
  for (int frame = 0; frame < frames; ++frame) {
    text += xyz_frame(edges, atoms_of(frame));
  }
  return text;
}

const std::string near_rule = "name W and within 0.9 of name I";
const Words settings{"--species", "near=" + near_rule + "; W=name W",
                     "--r-max",   "3",
                     "--bins",    "30",
                     "--block",   "3"};

/// Positions of the W, and of those near an I, in a frame.
std::array<std::vector<double>, 2> expected_species(int frame) {
  const BruteForce brute_force(box);
  const std::vector<Atom> atoms = atoms_of(frame);
  std::array<std::vector<double>, 2> species;
  for (const Atom& atom : atoms) {
    if (atom.species == "I") {
      continue;
    }
    append(species[0], atom.position);
    if (std::any_of(atoms.begin(), atoms.end(), [&](const Atom& ion) {
          return ion.species == "I" &&
                 brute_force.distance(atom.position, ion.position) <= 0.9;
        })) {
      append(species[1], atom.position);
    }
  }
  return species;
}

TEST_CASE("rdf of a selection that changes has the counts and norms of each frame") {
  const TextTrajectory file(trajectory());
  const RdfRunner rdf;
  const ProgramRun run = rdf.run(with({file.path}, settings));
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK(missing(run.err, {"the selection near is empty in 2 of 12 frames"}) == "");
  const io::ResultFile result = rdf.result();
  CHECK(result.layout.species == Words{"W", "near"});
  CHECK(result.layout.selections == Words{"", near_rule});
  std::vector<std::vector<std::uint64_t>> counts(3, std::vector<std::uint64_t>(31));
  std::vector<std::uint64_t> particles(2);
  std::vector<std::uint64_t> pairs(3);
  double near_over_volume = 0.0;
  for (int frame = 0; frame < frames; ++frame) {
    const auto [all, near] = expected_species(frame);
    const std::uint64_t n[] = {all.size() / 3, near.size() / 3};
    const auto add = [&](std::size_t pair, const std::vector<double>& a,
                         const std::vector<double>& b) {
      const BruteForceCounts own = brute_force_counts(box, 3.0, 30, a, b);
      REQUIRE(own.near_edge == 0);
      for (std::size_t k = 0; k < own.counts.size(); ++k) {
        counts[pair][k] += own.counts[k];
      }
    };
    add(0, all, {});
    if (n[1] > 0) {
      add(1, all, near);
      add(2, near, {});
      counts[1][0] -= n[1];  // a particle with itself
    }
    particles[0] += n[0];
    particles[1] += n[1];
    pairs[0] += n[0] * (n[0] - 1) / 2;
    pairs[1] += n[0] * n[1] - n[1];
    pairs[2] += n[1] == 0 ? 0 : n[1] * (n[1] - 1) / 2;
    near_over_volume += static_cast<double>(n[0] * n[1] - n[1]) * (1.0 / box.volume());
  }
  const BlockCounts sum = total(result.blocks);
  CHECK(particles[1] > 20);
  CHECK(sum.particle_number == particles);
  CHECK(sum.empty_frames == std::vector<std::uint64_t>{0, 2});
  CHECK(sum.pairs == pairs);
  CHECK(relative_error(sum.pairs_over_volume[1], near_over_volume) < 1e-14);
  for (std::size_t p = 0; p < 3; ++p) {
    CHECK(sum.out_of_range[p] == counts[p].back());
    counts[p].pop_back();
    CHECK(sum.counts[p] == counts[p]);
  }
  const ProgramRun info = run_program({"info", rdf.output()});
  CHECK(missing(info.out, {"near = name W and within 0.9 of name I", "empty in 2"}) ==
        "");
}

TEST_CASE("merged parts, and a resumed run, equal a run with selections that change") {
  const TextTrajectory file(trajectory());
  const RdfRunner whole;
  REQUIRE(whole.run(with({file.path}, settings)).exit_code == 0);
  Words merge{"merge"};
  for (const std::string part : {"1", "2", "3"}) {
    merge.push_back(whole.file("part" + part + ".h5"));
    const ProgramRun run = run_program(
        with({"rdf", file.path, "-o", merge.back(), "--part", part + "/3"}, settings));
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
  }
  const std::string merged = whole.file("merged.h5");
  const ProgramRun run = run_program(with(merge, {"-o", merged}));
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK(missing(run.err, {"the selection near is empty in 2 of 12 frames"}) == "");
  const io::ResultFile all = io::read_result(merged);
  CHECK(all.layout.selections == whole.result().layout.selections);
  CHECK(difference(all.blocks, whole.result().blocks) == "");
  CHECK(total(all.blocks).empty_frames == std::vector<std::uint64_t>{0, 2});

  const RdfRunner resumed;  // two of four blocks are counted
  const Words first{"--last", "5"};
  REQUIRE(run_program(
              with(with({"rdf", file.path, "-o", resumed.file("begin.h5")}, settings),
                   first))
              .exit_code == 0);
  std::filesystem::rename(resumed.file("begin.h5"), resumed.partial());
  const ProgramRun rest = resumed.run(with(with({file.path}, settings), {"--resume"}));
  INFO(rest.err);
  REQUIRE(rest.exit_code == 0);
  CHECK(missing(rest.err, {"the selection near is empty in 2 of 12 frames"}) == "");
  CHECK(difference(resumed.result().blocks, whole.result().blocks) == "");
}

TEST_CASE("merge refuses results whose selections differ") {
  const TextTrajectory file(trajectory());
  const TextTrajectory other(xyz_frame(edges, atoms_of(50)));
  const RdfRunner rdf;
  const auto count = [&](const std::string& name, const std::string& rule) {
    REQUIRE(run_program({"rdf", name == "b.h5" ? other.path : file.path, "--species",
                         "near=" + rule, "--r-max", "3", "--bins", "30", "-o",
                         rdf.file(name), "-q"})
                .exit_code == 0);
    return rdf.file(name);
  };
  const std::string a = count("a.h5", near_rule);
  for (const std::string rule : {"name W and within 0.8 of name I", "name W"}) {
    const std::string b = count("b.h5", rule);
    const ProgramRun run = run_program({"merge", a, b, "-o", rdf.output()});
    CHECK(refusal_problem(rdf, run,
                          {"different selections", "near = '", "within 0.9",
                           "same --species"}) == "");
    std::filesystem::remove(b);
  }
}

TEST_CASE(
    "rdf refuses selections that are empty in every frame, and keeps the counts") {
  const TextTrajectory file(trajectory());
  const RdfRunner rdf;
  const Words arguments{file.path, "--species", "far=name W and z > 100; W=name W",
                        "--r-max", "3",         "--bins",
                        "30"};
  const ProgramRun run = rdf.run(arguments);
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {"--species: far: 'name W and z > 100'",
                          "no particle in any of the 12 frames", "out.h5.partial"}) ==
        "");
  CHECK(!rdf.has_output());
  CHECK(rdf.has_partial());
  const RdfRunner part;
  CHECK(part.run(with(arguments, {"--block", "6", "--part", "1/2"})).exit_code == 0);
  REQUIRE(run_program(with({"rdf"}, with(arguments, {"--block", "6", "--part", "2/2",
                                                     "-o", part.file("second.h5")})))
              .exit_code == 0);
  const ProgramRun merged = run_program(
      {"merge", part.output(), part.file("second.h5"), "-o", part.file("all.h5")});
  CHECK(merged.exit_code == 1);
  CHECK(missing(merged.err, {"far", "no particle in any of the 12 frames"}) == "");
}

TEST_CASE("distances in selections have no images along axes of --open") {
  const TextTrajectory file(
      "4\nLattice=\"9 0 0 0 9 0 0 0 9\"\nI 1 1 0.5\nW 1 1 8.5\nW 1 8.5 0.5\n"
      "W 1 1 1.5\n");
  const auto near = [&](const Words& open) {
    const RdfRunner rdf;
    const Words rules{"--species", "near=name W and within 2.5 of name I; W=name W",
                      "--r-max",   "2",
                      "--bins",    "4"};
    REQUIRE(rdf.run(with(with({file.path}, rules), open)).exit_code == 0);
    return total(rdf.result().blocks).particle_number.at(1);
  };
  CHECK(near({}) == 3);
  CHECK(near({"--open", "z"}) == 2);
  CHECK(near({"--open", "y,z"}) == 1);
}

TEST_CASE("options that need the same particles refuse selections that change") {
  const TextTrajectory file(
      "2\nLattice=\"9 0 0 0 9 0 0 0 9\" "
      "Properties=species:S:1:pos:R:3:molid:I:1\nO 1 1 1 1\nH 2 2 2 1\n");
  const RdfRunner rdf;
  const ProgramRun run = rdf.run({file.path, "--species", "A=z < 5", "--exclude-same",
                                  "molecule", "--r-max", "2", "--bins", "4"});
  CHECK(refusal_problem(rdf, run,
                        {"--exclude-same molecule needs the same particles",
                         "A = 'z < 5'", "select without within"}) == "");
  const ProgramRun vanhove =
      run_program({"vanhove", file.path, "--species", "A=z < 5", "--lags", "0",
                   "--r-max", "2", "--bins", "4", "-o", rdf.output()});
  CHECK(refusal_problem(rdf, vanhove, {"A = 'z < 5'", "counts between frames"}) == "");
  const ProgramRun convert =
      run_program({"convert", file.path, "--species", "A=z < 5", "-o", rdf.output()});
  CHECK(refusal_problem(rdf, convert, {"A = 'z < 5'", "same ones in all frames"}) ==
        "");
}

TEST_CASE("a keyword that names an index group is refused") {
  const TextTrajectory index("[ ion ]\n1\n", "groups.ndx");
  const TextTrajectory file(trajectory());
  const RdfRunner rdf;
  const ProgramRun run = rdf.run({file.path, "--index", index.path, "--species",
                                  "A=ion", "--r-max", "2", "--bins", "4"});
  CHECK(refusal_problem(rdf, run, {"'ion' is a keyword and a group", "group ion"}) ==
        "");
}

}  // namespace
}  // namespace starhist::testing
