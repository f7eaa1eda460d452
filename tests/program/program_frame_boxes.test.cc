#include <algorithm>
#include <fstream>

#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"

// Option --box with nine numbers, and with a file that has a box for each frame.

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;
using FrameCounts = std::vector<std::vector<std::uint64_t>>;

/// Atoms of each frame [A]; edge vectors of each.
constexpr double atoms[3][3] = {{0.5, 0.5, 0.5}, {9.3, 0.4, 0.6}, {5.0, 9.8, 4.0}};
constexpr double cells[3][9] = {{10, 0, 0, 0, 10, 0, 0, 0, 10},
                                {10, 0, 0, 1, 11, 0, 0.5, 2, 12},
                                {9.5, 0, 0, -2, 10.5, 0, 1, -1, 11}};
const std::string cell_heading =
    "#   Step   Time [fs]       Ax [Angstrom]       Ay [Angstrom]       Az [Angstrom]  "
    "  "
    "   Bx [Angstrom]       By [Angstrom]       Bz [Angstrom]       Cx [Angstrom]      "
    " "
    "Cy [Angstrom]       Cz [Angstrom]      Volume [Angstrom^3]\n";

std::string as_numbers(const double* values, std::size_t count) {
  std::string text;
  for (std::size_t k = 0; k < count; ++k) {
    text += (k == 0 ? "" : " ") + std::to_string(values[k]);
  }
  return text;
}

/// Volume from edge vectors that form a lower triangle.
double volume(const double (&v)[9]) {
  return v[0] * v[4] * v[8];
}

/// Extended XYZ; `with_cells`: with the cells.
std::string boxless_trajectory(bool with_cells,
                               const std::vector<int>& frames = {0, 1, 2}) {
  std::string text;
  for (const int f : frames) {
    text += "3\nStep=" + std::to_string(10 * f) + " Time=" + std::to_string(5.0 * f) +
            " Properties=species:S:1:pos:R:3";
    if (with_cells) {
      text += " Lattice=\"" + as_numbers(cells[f], 9) + "\"";
    }
    text += "\n";
    for (const auto& r : atoms) {
      text += "A " + as_numbers(r, 3) + "\n";
    }
  }
  return text;
}

std::string cell_file(const std::vector<int>& frames = {0, 1, 2},
                      const std::string& heading = cell_heading) {
  std::string text = heading;
  for (const int f : frames) {
    text += std::to_string(10 * f) + " " + std::to_string(5.0 * f) + " " +
            as_numbers(cells[f], 9) + " " + std::to_string(volume(cells[f])) + "\n";
  }
  return text;
}

class Files {
 public:
  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = rdf_.file(name);
    std::ofstream(path) << text;
    return path;
  }
  ProgramRun run(const Words& inputs, const Words& options) const {
    Words words = inputs;
    words.insert(words.end(),
                 {"--r-max", "5", "--bins", "50", "--unit", "A", "--force"});
    words.insert(words.end(), options.begin(), options.end());
    return rdf_.run(words);
  }
  FrameCounts counts(const Words& inputs, const Words& options) const {
    const ProgramRun done = run(inputs, options);
    INFO(done.err);
    REQUIRE(done.exit_code == 0);
    return summed_counts(rdf_.result());
  }
  std::string refusal(const Words& inputs, const Words& options,
                      std::initializer_list<const char*> words) const {
    const ProgramRun done = run(inputs, options);
    return done.exit_code == 1 ? missing(done.err, words)
                               : "exit code " + std::to_string(done.exit_code);
  }
  const RdfRunner& rdf() const { return rdf_; }

 private:
  RdfRunner rdf_;
};

TEST_CASE("boxes: nine numbers are the edge vectors") {
  const Files files;
  const std::string path = files.write("t.xyz", boxless_trajectory(false, {1}));
  const std::string own = files.write("own.xyz", boxless_trajectory(true, {1}));
  CHECK(files.counts({path}, {"--box", "10,0,0,1,11,0,0.5,2,12"}) ==
        files.counts({own}, {}));
  CHECK(files.refusal({path}, {"--box", "1,0,0,2,0,0,0,0,1"},
                      {"--box 1,0,0,2,0,0,0,0,1: ", "flat"}) == "");
  CHECK(files.refusal({path}, {"--box", "1,0,0,0,nan,0,0,0,1"},
                      {"--box 1,0,0", "nan"}) == "");
  CHECK(files.refusal({path}, {"--box", "1,2,3,4"},
                      {"--box '1,2,3,4'", "ax,ay,az", ".cell"}) == "");
  CHECK(files.refusal({path}, {"--box", "nowhere.cell"},
                      {"nowhere.cell", "nor a file"}) == "");
}

TEST_CASE("boxes: a file with a box per frame, in every form") {
  const Files files;
  const std::string path = files.write("t.xyz", boxless_trajectory(false));
  const std::string own = files.write("own.xyz", boxless_trajectory(true));
  const FrameCounts expected = files.counts({own}, {});
  const auto counts = [&](const std::string& name, const std::string& text) {
    return files.counts({path}, {"--box", files.write(name, text)});
  };
  CHECK(counts("a.cell", cell_file()) == expected);
  CHECK(counts("b.cell", cell_file({0, 1, 2}, "")) == expected);  // from the volume
  std::string columns = "# a comment\n";
  std::string tilts = "# time XX YY ZZ YX ZX ZY\n";
  std::string xst =
      "# NAMD extended system trajectory file\n#$LABELS step a_x a_y a_z b_x b_y b_z "
      "c_x "
      "c_y c_z o_x o_y o_z\n";
  std::string energy =
      "@    title \"GROMACS Energies\"\n@    xaxis  label \"Time (ps)\"\n@    yaxis  "
      "label "
      "\"(nm), (kJ/mol)\"\n@TYPE xy\n@ s0 legend \"Potential\"\n@ s1 legend "
      "\"Box-XX\"\n@ s2 legend \"Box-YY\"\n@ s3 legend \"Box-ZZ\"\n@ s4 legend "
      "\"Box-YX\"\n@ s5 legend \"Box-ZX\"\n@ s6 legend \"Box-ZY\"\n";
  for (int f = 0; f < 3; ++f) {
    const double* v = cells[f];
    const double lower[6] = {v[0], v[4], v[8], v[3], v[6], v[7]};
    double nm[6];
    std::transform(lower, lower + 6, nm, [](double x) { return x / 10.0; });
    const std::string time = std::to_string(5.0 * f);
    columns += time + " " + as_numbers(v, 9) + "\n";
    tilts += time + " " + as_numbers(lower, 6) + "\n";
    xst += std::to_string(10 * f) + " " + as_numbers(v, 9) + " 0 0 0\n";
    energy += time + " -1234.5 " + as_numbers(nm, 6) + "\n";
  }
  CHECK(counts("c.dat", columns) == expected);
  CHECK(counts("d.dat", tilts) == expected);
  CHECK(counts("e.xst", xst) == expected);
  CHECK(counts("f.xvg", energy) == expected);
}

TEST_CASE("boxes: selected frames, parts and several files keep their boxes") {
  const Files files;
  const std::string path = files.write("t.xyz", boxless_trajectory(false));
  const std::string own = files.write("own.xyz", boxless_trajectory(true));
  const Words box{"--box", files.write("a.cell", cell_file())};
  const auto same = [&](Words options) {
    const FrameCounts expected = files.counts({own}, options);
    options.insert(options.end(), box.begin(), box.end());
    return files.counts({path}, options) == expected;
  };
  CHECK(same({"--first", "1"}));
  CHECK(same({"--last", "1"}));
  CHECK(same({"--step", "2"}));
  CHECK(same({"--part", "2/3", "--block", "1"}));
  const std::string begin = files.write("begin.xyz", boxless_trajectory(false, {0}));
  const std::string end = files.write("end.xyz", boxless_trajectory(false, {1, 2}));
  CHECK(files.counts({begin, end}, box) == files.counts({own}, {}));
  // An unreadable frame does not shift the boxes of later ones.
  std::string bad = boxless_trajectory(false);
  bad.replace(bad.find("9.3"), 3, "9.x");
  std::string own_bad = boxless_trajectory(true);
  own_bad.replace(own_bad.find("9.3"), 3, "9.x");
  Words skip = box;
  skip.emplace_back("--skip-bad-frames");
  files.run({files.write("own-bad.xyz", own_bad)}, {"--skip-bad-frames"});
  const FrameCounts expected = summed_counts(files.rdf().result());
  files.run({files.write("bad.xyz", bad)}, skip);
  CHECK(summed_counts(files.rdf().result()) == expected);
}

TEST_CASE("boxes: a file with another number of frames is refused") {
  const Files files;
  const Words path{files.write("t.xyz", boxless_trajectory(false))};
  const auto refused = [&](const std::string& text,
                           std::initializer_list<const char*> words) {
    return files.refusal(path, {"--box", files.write("a.cell", text)}, words);
  };
  CHECK(refused(cell_file({0, 1}), {"a.cell: has 2 boxes", "t.xyz has 3 frames"}) ==
        "");
  CHECK(refused(cell_file({1, 0, 2}),
                {"a.cell, line 2: has the box of step 10", "is of step 0"}) == "");
  std::string wrong = cell_file({0, 2, 1});
  CHECK(refused(wrong, {"a.cell, line 4", "step 10", "step 20"}) == "");
  CHECK(refused(cell_heading, {"has no boxes"}) == "");
  std::string cut = cell_file();
  cut.erase(cut.rfind(' '));
  CHECK(refused(cut, {"a.cell, line 4", "has 11 columns, not 12"}) == "");
  std::string volumes = cell_file();
  volumes.replace(volumes.find("1000.0"), 6, "1001.0");
  CHECK(refused(volumes, {"a.cell, line 2", "has the volume 1001", "1000"}) == "");
  std::string letters = cell_file();
  letters.replace(letters.find("11.0"), 4, "11,0");
  CHECK(refused(letters, {"a.cell, line 3", "'11,0"}) == "");
  CHECK(refused("0 1 2 3 4 5 6\n5 1 2 3 4 5 6\n10 1 2 3 4 5 6\n",
                {"a.cell, line 1", "7 columns", "CP2K .cell", "# time a b c"}) == "");
  CHECK(refused("# time XX YY ZZ YX ZX\n0 1 2 3 4 5\n", {"a.cell, line 2", "not zy"}) ==
        "");
  CHECK(refused("# time XX YY ZZ\n0 1 2 3\n",
                {"a.cell, line 2", "but not yx, zx, zy"}) == "");
}

TEST_CASE("boxes: the file is recorded, and a resumed run notices that it changed") {
  const Files files;
  const std::string path = files.write("t.xyz", boxless_trajectory(false));
  const std::string cell = files.write("a.cell", cell_file());
  const ProgramRun done = files.run({path}, {"--box", cell});
  CHECK(missing(done.out + done.err, {"box: from --box ", "a.cell"}) == "");
  const io::ResultFile result = files.rdf().result();
  CHECK(io::value_of(result.record, "option --box") == cell);
  bool recorded = false;
  for (const auto& [name, value] : result.record) {
    recorded = recorded || name.ends_with("--box bytes");
  }
  CHECK(recorded);
  CHECK(missing(run_program({"info", path, "--unit", "A", "--box", cell}).out,
                {"triclinic in 2 frames", "box: from --box ", "a.cell"}) == "");
}

}  // namespace
}  // namespace starhist::testing
