#include <cstdio>

#include "tests/program/csv_table.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/text_trajectory.hh"
#include "tests/support/xyz_text.hh"

// Options --unit and --out-unit and the units of formats, in every command that prints
// lengths.

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;

const std::vector<Atom> water_atoms{
    {"O", {1.0, 2.0, 3.0}},      {"H", {1.757, 2.586, 3.0}},
    {"H", {0.243, 2.586, 3.0}},  {"O", {9.125, 9.5, 3.25}},
    {"H", {9.882, 0.086, 3.25}}, {"H", {8.368, 0.086, 3.25}}};

/// Two frames of the atoms in a cube of 10.
std::string water_as_xyz() {
  const std::string frame =
      xyz_frame({{10, 0, 0}, {0, 10, 0}, {0, 0, 10}}, water_atoms);
  return frame + frame;
}

std::string as_pdb() {
  std::string text =
      "CRYST1   10.000   10.000   10.000  90.00  90.00  90.00 P 1           1\n";
  for (int model = 1; model <= 2; ++model) {
    text += "MODEL        " + std::to_string(model) + "\n";
    int serial = 0;
    for (const Atom& atom : water_atoms) {
      char line[100];
      std::snprintf(line, sizeof line,
                    "ATOM  %5d  %-3s SOL A   1    %8.3f%8.3f%8.3f  1.00  0.00"
                    "          %2s\n",
                    ++serial, atom.species.c_str(), atom.position.x, atom.position.y,
                    atom.position.z, atom.species.c_str());
      text += line;
    }
    text += "ENDMDL\n";
  }
  return text;
}

/// Output of a command; its error message if it fails.
std::string answer(const Words& words) {
  const ProgramRun run = run_program(words);
  return run.exit_code == 0 ? run.out : run.err;
}

/// The text without the line that names the file.
std::string without_source(std::string text) {
  const std::size_t begin = text.find("# source: ");
  return begin == std::string::npos
             ? text
             : text.erase(begin, text.find('\n', begin) + 1 - begin);
}

/// A result of the XYZ file.
struct UnitCounts {
  RdfRunner rdf;
  TextTrajectory xyz{water_as_xyz(), "a.xyz"};

  explicit UnitCounts(const Words& more) {
    Words words{xyz.path, "--block", "1"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramRun run = rdf.run(words);
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
  }
  std::string ask(const std::string& command, const Words& more) const {
    Words words{command, rdf.output()};
    words.insert(words.end(), more.begin(), more.end());
    return answer(words);
  }
};

TEST_CASE("PDB is read in Angstrom, with the counts of the same numbers") {
  const TextTrajectory pdb(as_pdb(), "a.pdb");
  CHECK(missing(answer({"info", pdb.path}),
                {"length unit  A\n", "volume       1000 A^3\n",
                 "5 A for whole shells"}) == "");
  const RdfRunner rdf;
  const ProgramRun run = rdf.run({pdb.path, "--block", "1"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK(missing(run.err, {"--r-max 4.94 A and --bin-width 0.02 A are defaults"}) == "");
  const UnitCounts xyz({"--unit", "A"});
  CHECK(summed_counts(rdf.result()) == summed_counts(xyz.rdf.result()));
  CHECK(summed_counts(rdf.result()).at(2).at(172) == 0);
  CHECK(rdf.result().layout.length_unit == "A");
}

TEST_CASE("files in Angstrom and in nm cannot form one trajectory") {
  const TextTrajectory pdb(as_pdb(), "a.pdb");
  std::string frame = "six t= 0.0\n    6\n";
  for (int k = 0; k < 6; ++k) {
    frame += "    1SOL     OW    1   0.500   1.250   2.000\n";
  }
  const TextTrajectory gro(frame + "   1.00000   1.00000   1.00000\n", "a.gro");
  const RdfRunner rdf;
  CHECK(refusal_problem(rdf, rdf.run({pdb.path, gro.path}),
                        {"a.gro: has lengths in \"nm\"", "a.pdb in \"A\""}) == "");
  CHECK(refusal_problem(rdf, rdf.run({pdb.path, "--unit", "nm"}),
                        {"a.pdb: has lengths in A, not in nm"}) == "");
}

TEST_CASE("a unit given after counting has the same effect as before") {
  // The default of --bin-width depends on the unit, so it is set.
  const Words bins{"--r-max", "4.9", "--bins", "245"};
  const UnitCounts later(bins);
  Words with_unit = bins;
  with_unit.insert(with_unit.end(), {"--unit", "A"});
  const UnitCounts before(with_unit);
  const std::vector<Words> questions{
      {"export"},
      {"export", "--quantity", "counts", "--format", "json"},
      {"export", "--errors", "--format", "xvg"},
      {"analyze", "--window", "lorch"},
      {"analyze", "--quantity", "xray", "--errors"},
      {"analyze", "--quantity", "kirkwood-buff"},
      {"export", "--out-unit", "nm"},
      {"analyze", "--quantity", "xray", "--out-unit", "bohr"}};
  for (const Words& question : questions) {
    INFO(question.back());
    const Words options(question.begin() + 1, question.end());
    Words and_unit = options;
    and_unit.insert(and_unit.end(), {"--unit", "Angstrom"});
    const std::string expected = without_source(before.ask(question.front(), options));
    const bool json = expected.starts_with("{");
    const std::string found = later.ask(question.front(), and_unit);
    CHECK(missing(expected, {json ? "\"length_unit\": \"" : "length_unit: "}) == "");
    if (json) {
      CHECK(found.substr(found.find("length_unit")) ==
            expected.substr(expected.find("length_unit")));
    } else {
      CHECK(without_source(found) == expected);
    }
  }
  CHECK(missing(later.ask("info", {"--unit", "A"}), {"up to 4.9 A\n"}) == "");
  CHECK(missing(later.ask("info", {}), {"up to 4.9\n"}) == "");
  CHECK(missing(later.ask("analyze", {"--quantity", "xray"}),
                {"has no length unit", "--unit"}) == "");
}

TEST_CASE("lengths of tables in another unit, with their labels") {
  const UnitCounts counted({"--unit", "A"});
  const auto of = [&](const Words& options) {
    return csv_columns(counted.ask("export", options));
  };
  const auto angstroms = of({});
  const auto nm = of({"--out-unit", "nanometers"});
  REQUIRE(nm.at("r").size() == angstroms.at("r").size());
  for (std::size_t k = 0; k < nm.at("r").size(); ++k) {
    CHECK(nm.at("r")[k] == Approx(0.1 * angstroms.at("r")[k]).epsilon(1e-14));
    CHECK(nm.at("H-O")[k] == Approx(angstroms.at("H-O")[k]).epsilon(1e-12));
  }
  CHECK(missing(counted.ask("export", {"--out-unit", "nm", "--format", "xvg"}),
                {"length_unit: nm\n", "r_max: 0.494\n", "xaxis  label \"r (nm)\""}) ==
        "");
  CHECK(missing(counted.ask("export", {"--out-unit", "pm", "--format", "json"}),
                {"\"length_unit\": \"pm\"", "\"r_max\": 494,\n"}) == "");
  CHECK(missing(counted.ask("analyze", {"--out-unit", "nm", "--format", "xvg"}),
                {"q_unit: 1/nm\n", "\"q (1/nm)\""}) == "");
  CHECK(
      missing(counted.ask("analyze", {"--out-unit", "nm", "--quantity", "kirkwood-buff",
                                      "--format", "xvg", "--r-cut", "0.4"}),
              {"\"R (nm)\"", "\"G(R) (nm^3)\""}) == "");
  CHECK(missing(counted.ask("info", {"--out-unit", "nm"}),
                {"bins         247 of 0.002 nm up to 0.494 nm\n"}) == "");
  CHECK(missing(answer({"info", counted.xyz.path, "--unit", "A", "--out-unit", "nm"}),
                {"length unit  A, shown in nm\n", "volume       1 nm^3\n",
                 "0.5 nm for whole shells", "0.866025 nm is the largest"}) == "");
}

TEST_CASE("units for which lengths cannot be converted are refused") {
  const UnitCounts unknown({});
  const UnitCounts reduced({"--unit", "sigma"});
  for (const Words& question : {Words{"export"}, Words{"analyze"}, Words{"info"}}) {
    INFO(question.front());
    CHECK(missing(unknown.ask(question.front(), {"--out-unit", "A"}),
                  {"out.h5: has no length unit", "to A (give the unit with --unit"}) ==
          "");
    CHECK(missing(reduced.ask(question.front(), {"--out-unit", "A"}),
                  {"out.h5: has lengths in sigma", "to A"}) == "");
    CHECK(missing(reduced.ask(question.front(), {"--unit", "A"}),
                  {"out.h5: has lengths in sigma, not in A"}) == "");
    CHECK(missing(reduced.ask(question.front(), {"--out-unit", "parsec"}),
                  {"--out-unit 'parsec'", "choose A, nm,"}) == "");
    CHECK(run_program({question.front(), reduced.rdf.output(), "--out-unit", "A"})
              .exit_code == 1);
  }
  CHECK(missing(answer({"info", unknown.xyz.path, "--out-unit", "A"}),
                {"a.xyz: has no length unit"}) == "");
  CHECK(missing(answer({"info", unknown.xyz.path}),
                {"length unit  not specified in the file (give it with --unit)\n"}) ==
        "");
  CHECK(missing(unknown.ask("export", {"--cadishi", "--out-unit", "A", "-o",
                                       unknown.rdf.file("c.h5")}),
                {"--out-unit has no meaning with --cadishi"}) == "");
}

TEST_CASE("merge accepts the unit for results without one, but not two units") {
  const Words bins{"--r-max", "4.9", "--bins", "245"};
  const auto with = [&](const Words& more) {
    Words words = bins;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const UnitCounts unknown(with({"--first", "0", "--last", "0"}));
  const UnitCounts angstroms(with({"--first", "1", "--unit", "A"}));
  const UnitCounts sigma(with({"--first", "1", "--unit", "sigma"}));
  const std::string merged = unknown.rdf.file("all.h5");
  const auto merge = [&](const std::string& a, const std::string& b,
                         const Words& more) {
    Words words{"merge", a, b, "-o", merged};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  };
  const std::string one = unknown.rdf.output();
  const std::string two = angstroms.rdf.output();
  CHECK(missing(merge(one, two, {}).err,
                {"different units", "no unit", "has A and", "--unit"}) == "");
  CHECK(missing(merge(two, sigma.rdf.output(), {}).err,
                {"different units", "merge does not convert"}) == "");
  CHECK(missing(merge(two, one, {"--unit", "nm"}).err, {"in A, not in nm"}) == "");
  const UnitCounts lj(with({"--first", "0", "--last", "0", "--unit", "lj"}));
  const ProgramRun same = merge(lj.rdf.output(), sigma.rdf.output(), {});
  CHECK(same.exit_code == 0);
  CHECK(io::read_result(merged).layout.length_unit == "sigma");
  std::filesystem::remove(merged);
  const ProgramRun run = merge(one, two, {"--unit", "A"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK(io::read_result(merged).layout.length_unit == "A");
  CHECK(io::read_result(merged).blocks.size() == 2);
}

TEST_CASE("merge accepts the time unit for results without one") {
  const Words words{"--r-max", "4.9", "--bins", "245", "--unit", "A"};
  const auto with = [&](const Words& more) {
    Words all = words;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const UnitCounts unknown(with({"--last", "0"}));
  const UnitCounts picoseconds(with({"--first", "1", "--time-unit", "picoseconds"}));
  const std::string merged = unknown.rdf.file("all.h5");
  const auto merge = [&](const Words& more) {
    Words all{"merge", unknown.rdf.output(), picoseconds.rdf.output(), "-o", merged};
    all.insert(all.end(), more.begin(), more.end());
    return run_program(all);
  };
  CHECK(missing(merge({}).err, {"different units", "A and no unit", "A and ps",
                                "(give the time unit of results"}) == "");
  CHECK(missing(merge({"--time-unit", "fs"}).err, {"has times in ps, not in fs"}) ==
        "");
  const ProgramRun run = merge({"--time-unit", "ps"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK(io::read_result(merged).layout.time_unit == "ps");
}

TEST_CASE("an invalid unit, and --out-unit for files that keep theirs, are refused") {
  const UnitCounts counted({});
  CHECK(missing(counted.ask("export", {"--unit", "nmm"}), {"did you mean nm?"}) == "");
  CHECK(missing(counted.ask("export", {"--out-unit", ""}),
                {"--out-unit needs a value"}) == "");
  const RdfRunner rdf;
  CHECK(missing(rdf.run({counted.rdf.file("a.xyz"), "--unit", "nmm"}).err,
                {"--unit 'nmm'", "did you mean nm?"}) == "");
  CHECK(missing(rdf.run({counted.rdf.file("a.xyz"), "--out-unit", "A"}).err,
                {"unknown option '--out-unit': a result keeps", "export"}) == "");
}

}  // namespace
}  // namespace starhist::testing
