// starhist convert keeps the order of the particles, for every format.
#include <cstdio>
#include <filesystem>

#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/gromacs_files.hh"
#include "tests/support/h5md_file.hh"
#include "tests/support/stored_h5md.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

using Words = std::vector<std::string>;
using Numbers = std::vector<double>;
using Ids = std::vector<std::int64_t>;

const Words interleaved{"O", "H", "O", "H"};
/// x, y, z of each: nm, but in PDB Angstrom.
const Numbers points{0.5, 1.25, 2, 0.25, 0.125, 0.75, 1.25, 0.5, 0.25, 2, 0.75, 0.125};

template <class... Values>
std::string line(const char* format, Values... values) {
  char text[200];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

/// A line for each of the four particles, by `text(k, name, x, y, z)`.
template <class Text>
std::string four_lines(Text text) {
  std::string lines;
  for (std::size_t k = 0; k < interleaved.size(); ++k) {
    lines += text(static_cast<int>(k), interleaved[k].c_str(), points[3 * k],
                  points[3 * k + 1], points[3 * k + 2]);
  }
  return lines;
}

std::string xyz_text() {
  return "4\nLattice=\"4 0 0 0 5 0 0 0 6\"\n" +
         four_lines([](int, const char* name, double x, double y, double z) {
           return line("%s %g %g %g\n", name, x, y, z);
         });
}

std::string dump_head(const char* columns, int atoms = 4, int step = 0) {
  return line("ITEM: TIMESTEP\n%d\nITEM: NUMBER OF ATOMS\n%d\n", step, atoms) +
         "ITEM: BOX BOUNDS pp pp pp\n0 4\n0 5\n0 6\nITEM: ATOMS " + columns + "\n";
}

std::string dump_frame() {
  return dump_head("element x y z") +
         four_lines([](int, const char* name, double x, double y, double z) {
           return line("%s %g %g %g\n", name, x, y, z);
         });
}

std::string gro_frame() {
  return "four\n    4\n" +
         four_lines([](int k, const char* name, double x, double y, double z) {
           return line("%5dSOL  %5s%5d%8.3f%8.3f%8.3f\n", k / 2 + 1, name, k + 1, x, y,
                       z);
         }) +
         "   4.00000   5.00000   6.00000\n";
}

std::string pdb_frame() {
  return "CRYST1    4.000    5.000    6.000  90.00  90.00  90.00 P 1           1\n" +
         four_lines([](int k, const char* name, double x, double y, double z) {
           return line(
               "ATOM  %5d  %-3s SOL A%4d    %8.3f%8.3f%8.3f  1.00  0.00"
               "          %2s\n",
               k + 1, name, k / 2 + 1, x, y, z, name);
         }) +
         "END\n";
}

std::string g96_frame() {
  return "TITLE\nfour\nEND\nPOSITION\n" +
         four_lines([](int k, const char* name, double x, double y, double z) {
           return line("%5d %-5s %-5s%7d%15.9f%15.9f%15.9f\n", k / 2 + 1, "SOL", name,
                       k + 1, x, y, z);
         }) +
         "END\nBOX\n    4.000000000    5.000000000    6.000000000\nEND\n";
}

/// Counts of all pairs of the files in `arguments`.
BlockCounts counts_in_order(Words arguments) {
  const RdfRunner rdf;
  arguments.insert(arguments.end(), {"--r-max", "1.9", "--bins", "19"});
  const ProgramRun run = rdf.run(arguments);
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  return total(rdf.result().blocks);
}

/// Stored contents of the converted input; converting again changes nothing, and the
/// counts of both equal those of the input.
StoredH5md converted(const Words& input) {
  const TemporaryDirectory folder;
  const auto convert = [](Words words, const std::string& output) {
    words.insert(words.begin(), "convert");
    words.insert(words.end(), {"-o", output});
    const ProgramRun run = run_program(words);
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    return stored_h5md(output);
  };
  StoredH5md once = convert(input, folder.file("once.h5"));
  CHECK(convert({folder.file("once.h5")}, folder.file("twice.h5")) == once);
  const BlockCounts source = counts_in_order(input);
  const BlockCounts result = counts_in_order({folder.file("once.h5")});
  CHECK(source.frames == result.frames);
  CHECK(source.counts == result.counts);
  CHECK(source.out_of_range == result.out_of_range);
  return once;
}

TEST_CASE("convert keeps the order of interleaved species: XYZ, dumps, H5MD") {
  for (const std::string& frame : {xyz_text(), dump_frame()}) {
    INFO(frame);
    const StoredH5md stored = converted({TextTrajectory(frame + frame).path});
    CHECK(stored.shape == std::vector<hsize_t>{2, 4, 3});
    Numbers twice = points;
    twice.insert(twice.end(), points.begin(), points.end());
    CHECK(stored.positions == twice);
    CHECK(stored.species == interleaved);
    CHECK(stored.ids.empty());
  }
  SmallTrajectory h5md = small_trajectory(1);
  h5md.species = interleaved;
  h5md.positions = {points};
  const TemporaryDirectory folder;
  write_h5md(folder.file("a.h5"), h5md);
  const StoredH5md stored = converted({folder.file("a.h5")});
  CHECK(stored.positions == points);
  CHECK(stored.species == interleaved);
}

TEST_CASE("convert keeps the order of interleaved species: GROMACS' formats") {
  if (!has_libgromacs()) {
    return;
  }
  const TextTrajectory gro(gro_frame(), "a.gro");
  const TextTrajectory pdb(pdb_frame(), "a.pdb");
  const TextTrajectory g96(g96_frame(), "a.g96");
  const std::vector<float> floats(points.begin(), points.end());
  const TextTrajectory trr(trr_frame(points, 0, 0.0), "a.trr");
  const TextTrajectory xtc(xtc_frame(floats, 0, 0.0F), "a.xtc");
  for (const Words& input : {Words{gro.path}, Words{pdb.path}, Words{g96.path},
                             Words{trr.path, "--structure", gro.path},
                             Words{xtc.path, "--structure", pdb.path}}) {
    INFO(input.front());
    const StoredH5md stored = converted(input);
    CHECK(stored.positions == points);
    CHECK(stored.species == interleaved);
  }
}

TEST_CASE("convert of CADISHI's files: one species after the other, as in the file") {
  const TemporaryDirectory folder;
  const std::string path = folder.file("a.h5");
  {
    HdfFile file(path);
    file.numbers("1/coordinates/O", {1, 3}, {1, 2, 3});
    file.numbers("1/coordinates/H", {2, 3}, {4, 5, 6, 7, 8, 9});
    file.numbers("1/dimensions", {6}, {20, 20, 20, 90, 90, 90});
  }
  const StoredH5md stored = converted({path});
  CHECK(stored.positions == Numbers{4, 5, 6, 7, 8, 9, 1, 2, 3});
  CHECK(stored.species == Words{"H", "H", "O"});
}

TEST_CASE("convert with --species: selected particles keep the file's order") {
  const TextTrajectory xyz(xyz_text() + xyz_text());
  const auto rows = [](const StoredH5md& stored, std::initializer_list<int> particles) {
    Numbers expected;
    for (std::size_t frame = 0; frame < stored.shape[0]; ++frame) {
      for (const int k : particles) {
        expected.insert(expected.end(), &points[3 * k], &points[3 * k] + 3);
      }
    }
    return stored.positions == expected;
  };
  const StoredH5md whole = converted({xyz.path, "--species", "B=O; A=H"});
  CHECK(whole.species == Words{"B", "A", "B", "A"});
  CHECK(rows(whole, {0, 1, 2, 3}));
  const StoredH5md together = converted({xyz.path, "--species", "X=H O"});
  CHECK(together.species == Words{"X", "X", "X", "X"});
  CHECK(rows(together, {0, 1, 2, 3}));
  const StoredH5md subset =
      converted({xyz.path, "--species", "B=index 4; A=index 2 1"});
  CHECK(subset.species == Words{"A", "A", "B"});
  CHECK(rows(subset, {0, 1, 3}));
  const StoredH5md one = converted({xyz.path, "--species", "H=H"});
  CHECK(rows(one, {1, 3}));
}

TEST_CASE(
    "convert of dumps with ids: the order of the first frame in all, and the ids") {
  const char* columns = "id element x y z";
  const TextTrajectory dump(
      dump_head(columns) + "7 O 0.5 0 0\n2 H 1 0 0\n9 O 2 0 0\n1 H 3 0 0\n" +
      dump_head(columns, 4, 1) + "1 H 3 1 0\n9 O 2 1 0\n2 H 1 1 0\n7 O 0.5 1 0\n");
  const Numbers both{0.5, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0,
                     0.5, 1, 0, 1, 1, 0, 2, 1, 0, 3, 1, 0};
  const StoredH5md all = converted({dump.path});
  CHECK(all.positions == both);
  CHECK(all.species == interleaved);
  CHECK(all.steps.empty());
  CHECK(all.ids == Ids{7, 2, 9, 1});
  for (const char* rules : {"A=id 1 2; B=id 7", "A=element H; B=id 7"}) {
    const StoredH5md some = converted({dump.path, "--species", rules});
    CHECK(some.positions ==
          Numbers{0.5, 0, 0, 1, 0, 0, 3, 0, 0, 0.5, 1, 0, 1, 1, 0, 3, 1, 0});
    CHECK(some.species == Words{"B", "A", "A"});
    CHECK(some.ids == Ids{7, 2, 1});
  }
  // The first of the frames that are converted counts.
  const StoredH5md second = converted({dump.path, "--first", "1"});
  CHECK(second.ids == Ids{1, 9, 2, 7});
  CHECK(second.species == Words{"H", "O", "H", "O"});
}

TEST_CASE("convert of species that change with time: those of each frame") {
  const TextTrajectory xyz(
      "2\n\nO 0 0 0\nH 1 0 0\n2\n\nO 0 1 0\nH 1 1 0\n"
      "2\n\nH 0 2 0\nO 1 2 0\n2\n\nH 0 3 0\nH 1 3 0\n");
  const StoredH5md stored = converted({xyz.path});
  CHECK(stored.positions == Numbers{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0,
                                    0, 2, 0, 1, 2, 0, 0, 3, 0, 1, 3, 0});
  CHECK(stored.species == Words{"O", "H", "H", "O", "H", "H"});
  CHECK(stored.steps == Ids{0, 2, 3});
  const TemporaryDirectory folder;
  const ProgramRun run =
      run_program({"convert", xyz.path, "-o", folder.file("out.h5")});
  CHECK(missing(run.err, {"H: 1, O: 1 (species change with time)"}) == "");

  // A dump in which two particles exchange their types, like fix atom/swap.
  const char* columns = "id type x y z";
  const TextTrajectory swap(dump_head(columns, 2) + "2 1 0 0 0\n1 2 1 0 0\n" +
                            dump_head(columns, 2, 5) + "1 1 1 1 0\n2 2 0 1 0\n");
  const StoredH5md swapped = converted({swap.path});
  CHECK(swapped.positions == Numbers{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0});
  CHECK(swapped.species == Words{"1", "2", "2", "1"});
  CHECK(swapped.steps == Ids{0, 5});
  CHECK(swapped.ids == Ids{2, 1});
}

TEST_CASE("convert refuses particles that differ between frames") {
  const TemporaryDirectory folder;
  const auto problem = [&](const std::string& text,
                           std::initializer_list<const char*> words) {
    const TextTrajectory file(text);
    const ProgramRun run =
        run_program({"convert", file.path, "-o", folder.file("out.h5")});
    CHECK(run.exit_code == 1);
    CHECK(std::filesystem::is_empty(folder.file("")));
    return missing(run.err, words);
  };
  const char* columns = "id element x y z";
  const std::string first = dump_head(columns, 2) + "1 O 0 0 0\n2 H 1 0 0\n";
  CHECK(problem(first + dump_head(columns, 1) + "1 O 0 0 0\n",
                {"frame 1 has 0 particles of H, the first frame 1"}) == "");
  CHECK(problem(first + dump_head(columns, 2) + "1 O 0 0 0\n3 H 1 0 0\n",
                {"frame 1 has a particle of id 3, which is not in the first"}) == "");
  CHECK(problem(first + dump_head(columns, 2) + "1 O 0 0 0\n1 H 1 0 0\n",
                {"frame 1", "the id 1 stands twice"}) == "");
  CHECK(problem(first + dump_head("element x y z", 2) + "O 0 0 0\nH 1 0 0\n",
                {"frame 1 has no particle ids"}) == "");
  CHECK(problem(dump_head(columns, 2) + "4 O 0 0 0\n4 H 1 0 0\n",
                {"frame 0", "the id 4 stands twice"}) == "");
}

}  // namespace
}  // namespace starhist::testing
