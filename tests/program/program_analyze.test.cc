#include <cmath>
#include <fstream>
#include <numbers>

#include "codelets/core/base/vec3.hh"
#include "tests/program/csv_table.hh"
#include "tests/program/json_value.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/water_molecules.hh"

// `starhist analyze` of results of the water sample and of a cluster of five atoms.

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;
using Table = std::map<std::string, std::vector<double>>;

/// A result that tests share.
class Counted {
 public:
  explicit Counted(const Words& arguments) {
    const ProgramRun run = rdf_.run(arguments);
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
  }
  std::string path() const { return rdf_.output(); }
  ProgramRun analyze(const Words& options) const {
    Words words{"analyze", path()};
    words.insert(words.end(), options.begin(), options.end());
    return run_program(words);
  }
  Table table(const Words& options) const {
    const ProgramRun run = analyze(options);
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    return csv_columns(run.out);
  }
  /// "" if it is refused with all these words, and standard output is empty.
  std::string refusal(const Words& options,
                      std::initializer_list<const char*> words) const {
    const ProgramRun run = analyze(options);
    if (run.exit_code != 1 || run.out != "") {
      return "exit code " + std::to_string(run.exit_code) + ": " + run.out + run.err;
    }
    return missing(run.err, words);
  }

 private:
  RdfRunner rdf_;
};

const Counted& water() {
  static const Counted result(
      {data_file("water.h5"), "--r-max", "1.5", "--bins", "1500", "--block", "3"});
  return result;
}

/// Five atoms in the open, in nm, and the result of counting them in bins of 1e-5 nm.
struct Cluster {
  const std::vector<std::pair<std::string, Vec3>> atoms{{"C", {0.0, 0.0, 0.0}},
                                                        {"O", {0.123, 0.0, 0.0}},
                                                        {"H", {-0.05, 0.09, 0.01}},
                                                        {"H", {-0.06, -0.07, 0.05}},
                                                        {"O", {0.2, 0.31, -0.17}}};
  RdfRunner files;

  std::string write() const {
    std::string text = "5\nProperties=species:S:1:pos:R:3\n";
    for (const auto& [name, r] : atoms) {
      text += name + " " + std::to_string(r.x) + " " + std::to_string(r.y) + " " +
              std::to_string(r.z) + "\n";
    }
    const std::string path = files.file("cluster.xyz");
    std::ofstream(path) << text;
    return path;
  }
};

const Cluster& cluster_atoms() {
  static const Cluster cluster;
  return cluster;
}

const Counted& cluster() {
  static const Counted result({cluster_atoms().write(), "--box", "none", "--unit", "nm",
                               "--r-max", "0.6", "--bins", "60000"});
  return result;
}

TEST_CASE("S(q) of water: the first peak of O-O, 1 at large q, and errors") {
  const Table table =
      water().table({"--window", "lorch", "--errors", "--q-max", "150"});
  CHECK(table.size() == 1 + 2 * 4);  // q, three pairs and the total, with errors
  const auto& q = table.at("q");
  const auto& s = table.at("O-O");
  std::size_t peak = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (q[i] > 12.0 && q[i] < 40.0 && s[i] > s[peak]) {
      peak = i;
    }
    if (q[i] > 120.0) {
      CHECK(std::abs(s[i] - 1.0) < 0.1);
    }
    CHECK(table.at("O-O standard error")[i] > 0.0);
    CHECK(table.at("O-O standard error")[i] < 0.2);
  }
  // The double peak of water is at 20 and 30 / nm.
  CHECK(q[peak] > 18.0);
  CHECK(q[peak] < 31.0);
  CHECK(s[peak] > 1.1);
}

TEST_CASE("standard errors that leave out the effect of the cut are reported") {
  const Words words{"--errors", "--q-max", "60", "--format", "json"};
  const auto with = [&](const char* cut) {
    Words all = words;
    all.insert(all.end(), {"--r-cut", cut});
    return water().analyze(all);
  };
  const ProgramRun whole = with("1.4");
  CHECK(whole.err.find("effect of the cut") == std::string::npos);
  CHECK(missing(whole.out, {"\"r_cut_effect\""}) == "");
  const ProgramRun cut = with("0.5");
  CHECK(missing(cut.err, {"leave out the effect of the cut",
                          "r_cut = 0.45 instead of "
                          "0.5",
                          "standard errors on average", "--window lorch"}) == "");
  CHECK(missing(cut.out, {"\"r_cut_caveat\""}) == "");
  // At small q, where the cut matters, not on average over all q.
  CHECK(missing(cut.err, {"the curves between q = 13 and "}) == "");
}

TEST_CASE("S(q) that the cut makes negative is reported") {
  const RdfRunner files;
  std::string lattice = "64\nLattice=\"8 0 0 0 8 0 0 0 8\"\n";
  for (int k = 0; k < 64; ++k) {
    lattice += "A " + std::to_string(2 * (k % 4)) + " " +
               std::to_string(2 * (k / 4 % 4)) + " " + std::to_string(2 * (k / 16)) +
               "\n";
  }
  std::ofstream(files.file("a.xyz")) << lattice;
  const Counted crystal({files.file("a.xyz"), "--r-max", "4", "--bins", "400"});
  const ProgramRun run = crystal.analyze({"--q-max", "10"});
  CHECK(missing(run.err, {"A-A is -", "but it cannot be negative",
                          "larger --r-max in a larger box"}) == "");
  CHECK(missing(run.out, {"# negative_caveat: A-A is -"}) == "");
  CHECK(water().analyze({"--r-cut", "1.4"}).err.find("cannot be negative") ==
        std::string::npos);
}

TEST_CASE("an impossible density is noted with X-ray form factors") {
  const RdfRunner files;
  std::ofstream(files.file("a.xyz"))
      << "2\nLattice=\"3 0 0 0 3 0 0 0 3\"\nAr 0 0 0\nAr 1.5 1.5 1.5\n";
  const auto notes = [&](const char* unit) {
    const Counted result(
        {files.file("a.xyz"), "--unit", unit, "--r-max", "1.5", "--bins", "30"});
    return result.analyze({"--quantity", "xray", "--element", "Ar=Ar"}).err;
  };
  CHECK(missing(notes("nm"), {"atoms per nm^3, as a gas", "really in nm?"}) == "");
  CHECK(notes("A").find("per nm^3") == std::string::npos);  // 74 per nm^3
}

TEST_CASE("a negative thermodynamic factor is noted, as is the assumed mixture") {
  // The ions of a salt: two sublattices that attract each other.
  const RdfRunner files;
  std::string lattice = "216\nLattice=\"6 0 0 0 6 0 0 0 6\"\n";
  for (int k = 0; k < 216; ++k) {
    const int x = k % 6;
    const int y = k / 6 % 6;
    const int z = k / 36;
    lattice += std::string((x + y + z) % 2 == 0 ? "A " : "B ") + std::to_string(x) +
               " " + std::to_string(y) + " " + std::to_string(z) + "\n";
  }
  std::ofstream(files.file("salt.xyz")) << lattice;
  const Counted salt(
      {files.file("salt.xyz"), "--unit", "A", "--r-max", "3", "--bins", "30"});
  const ProgramRun run = salt.analyze({"--quantity", "kirkwood-buff", "--table"});
  CHECK(missing(run.out, {"# mixture: A + B (thermodynamic factor, ",
                          "valid only if these are independent"}) == "");
  CHECK(missing(run.err, {"thermodynamic factor of A + B is -",
                          "count these as one species"}) == "");
}

TEST_CASE("sites without an atom are left out of X-ray and neutron functions") {
  // Two molecules of a water model with a charge site.
  const RdfRunner files;
  std::string with;
  std::string without;
  for (int frame = 0; frame < 2; ++frame) {
    with += "6\nLattice=\"9 0 0 0 9 0 0 0 9\" Properties=species:S:1:pos:R:3\n";
    without += "4\nLattice=\"9 0 0 0 9 0 0 0 9\" Properties=species:S:1:pos:R:3\n";
    for (int k = 0; k < 2; ++k) {
      const std::string at =
          std::to_string(1 + 3 * k + frame) + " 2 " + std::to_string(4 + k) + ".";
      with += "O " + at + "0\nH " + at + "9\nMW " + at + "1\n";
      without += "O " + at + "0\nH " + at + "9\n";
    }
  }
  const auto counted = [&](const std::string& name, const std::string& text) {
    std::ofstream(files.file(name)) << text;
    return Counted(
        {files.file(name), "--unit", "A", "--r-max", "4.5", "--bins", "450"});
  };
  const Counted sites = counted("sites.xyz", with);
  const Counted atoms = counted("atoms.xyz", without);
  for (const Words& quantity :
       {Words{"--quantity", "xray"}, Words{"--quantity", "neutron"},
        Words{"--quantity", "pdf", "--weights", "neutron", "--form", "RDF"}}) {
    INFO(quantity[1]);
    Words of_sites = quantity;
    of_sites.insert(of_sites.end(), {"--element", "O=O,H=H,MW=none"});
    Words of_atoms = quantity;
    of_atoms.insert(of_atoms.end(), {"--element", "O=O,H=H"});
    CHECK(sites.table(of_sites) == atoms.table(of_atoms));
    CHECK(missing(sites.analyze(of_sites).err,
                  {"left out as sites without an atom: MW"}) == "");
  }
  CHECK(sites.refusal({"--quantity", "xray", "--element", "O=none,H=none,MW=none"},
                      {"no species has an element"}) == "");
}

TEST_CASE("the X-ray intensity of water peaks at 20 / nm and tends to <f^2>") {
  const Table table = water().table(
      {"--quantity", "xray", "--element", "O=O,H=H", "--window", "lorch"});
  const auto& q = table.at("q");
  const auto& intensity = table.at("I(q)/N");
  std::size_t peak = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (q[i] > 10.0 && intensity[i] > intensity[peak]) {
      peak = i;
    }
  }
  CHECK(q[peak] == Approx(20.0).margin(2.5));
  CHECK(table.at("S(q)").back() == Approx(1.0).margin(0.05));
}

TEST_CASE("the partials of both definitions are equivalent") {
  const Words grid{"--q-max", "40"};
  const Table fz = water().table(grid);
  const Table al = water().table({"--q-max", "40", "--partials", "ashcroft-langreth"});
  CHECK(fz.at("total") == al.at("total"));
  for (std::size_t i = 0; i < fz.at("q").size(); ++i) {
    CHECK(al.at("H-O")[i] == Approx(std::sqrt(2.0) / 3.0 * (fz.at("H-O")[i] - 1.0)));
    CHECK(al.at("O-O")[i] - 1.0 == Approx((fz.at("O-O")[i] - 1.0) / 3.0));
  }
}

TEST_CASE("named deuterium has its neutron length, and numbers are factors") {
  const Words q{"--q-max", "30"};
  const auto of = [&](const char* elements) {
    return water().table(
        {"--quantity", "neutron", "--q-max", "30", "--element", elements});
  };
  const Table heavy = of("H=D,O=O");
  const Table numbers = of("H=6.674,O=5.805");
  CHECK(heavy.at("S(q)").size() > 10);
  for (std::size_t i = 0; i < heavy.at("q").size(); ++i) {
    CHECK(numbers.at("I(q)/N")[i] == Approx(heavy.at("I(q)/N")[i]).epsilon(1e-9));
  }
  const Table ones = of("H=1,O=1");
  const Table plain = water().table(q);
  for (std::size_t i = 0; i < ones.at("q").size(); ++i) {
    CHECK(ones.at("S(q)")[i] == Approx(plain.at("total")[i]));
  }
}

TEST_CASE("the Debye sum of a cluster is the double sum over its atoms") {
  const Table table =
      cluster().table({"--quantity", "xray", "--debye", "--element",
                       "C=3.5,O=-2,H=0.25", "--q-max", "100", "--q-step", "10"});
  std::map<std::string, double> factor{{"C", 3.5}, {"O", -2.0}, {"H", 0.25}};
  REQUIRE(table.at("q").size() == 10);
  for (std::size_t i = 0; i < 10; ++i) {
    double sum = 0.0;
    for (const auto& [a, at_a] : cluster_atoms().atoms) {
      for (const auto& [b, at_b] : cluster_atoms().atoms) {
        const Vec3 d = at_a - at_b;
        const double x = table.at("q")[i] * std::sqrt(dot(d, d));
        sum += factor[a] * factor[b] * (x > 0.0 ? std::sin(x) / x : 1.0);
      }
    }
    CHECK(table.at("I(q)")[i] == Approx(sum).margin(1e-2));
  }
}

TEST_CASE("form factors fall from the number of electrons") {
  const Table table = cluster().table(
      {"--quantity", "xray", "--debye", "--q-min", "0.01", "--q-max", "0.01"});
  const double electrons = 6.0 + 2 * 8.0 + 2 * 1.0;
  CHECK(table.at("I(q)")[0] == Approx(electrons * electrons).epsilon(2e-3));
}

TEST_CASE("Kirkwood-Buff integrals extend to half the box") {
  const Table table =
      water().table({"--quantity", "kirkwood-buff", "--pairs", "O-O", "--errors"});
  CHECK(table.size() == 7);
  CHECK(table.at("R").back() == 1.5);
  const double core = 4.0 / 3.0 * std::numbers::pi * std::pow(0.2, 3);
  CHECK(table.at("O-O")[199] == Approx(-core).epsilon(1e-6));  // empty below 0.2 nm
  CHECK(std::abs(table.at("O-O Krueger-Vlugt 2018").back()) < 0.06);
  CHECK(table.at("O-O standard error").back() > 0.0);
  const ProgramRun run = water().analyze(
      {"--quantity", "kirkwood-buff", "--correction", "ganguly", "--r-cut", "1"});
  CHECK(missing(run.out, {"# correction: ganguly", "# r_cut: 1\n",
                          "at_r_cut_cm3_per_mol: "}) == "");
}

TEST_CASE("the block check writes a table and an interpretation") {
  const ProgramRun run = water().analyze({"--quantity", "blocks"});
  CHECK(run.exit_code == 0);
  const Table table = csv_columns(run.out);
  CHECK(table.at("blocks") == std::vector<double>{17.0, 8.0, 4.0});
  CHECK(table.at("frames per block")[0] == 3.0);
  CHECK(missing(run.err, {"starhist: blocks of 3 frames are "}) == "");
  CHECK(missing(run.out, {"# verdict: blocks of 3 frames are "}) == "");
}

TEST_CASE("json and xvg of S(q)") {
  const RdfRunner files;
  const std::string path = files.file("sq.json");
  CHECK(water()
            .analyze({"--format", "json", "--q-max", "2", "--q-step", "1", "-o", path})
            .exit_code == 0);
  CHECK(json_value(path, "d['q'], d['q_unit'], [c['label'] for c in d['curves']]") ==
        "[1, 2] 1/nm ['H-H', 'H-O', 'O-O', 'total']");
  const ProgramRun xvg = water().analyze({"--format", "xvg", "--q-max", "2"});
  CHECK(missing(xvg.out, {"xaxis  label \"q (1/nm)\"", "yaxis  label \"S(q)\""}) == "");
}

TEST_CASE("q beyond the resolution of the bins causes a warning or an error") {
  const ProgramRun run = water().analyze({"--q-max", "300"});
  CHECK(run.exit_code == 0);
  CHECK(missing(run.err, {"suffices up to q = 200;", "1 % up to q = 2000 ", "rigid"}) ==
        "");
  CHECK(water().analyze({"--q-min", "4.5"}).err == "");
  CHECK(water().refusal({"--q-max", "4000"}, {"4000", "pi/w = 3141.59", "--q-max"}) ==
        "");
}

TEST_CASE("rows below 2 pi over r_cut are kept with one caveat") {
  const auto lines_with = [](const std::string& text, const std::string& word) {
    std::size_t lines = 0;
    for (std::size_t at = text.find(word); at != std::string::npos;
         at = text.find(word, at + 1)) {
      ++lines;
    }
    return lines;
  };
  const ProgramRun determined = water().analyze({"--q-max", "30"});
  CHECK(csv_columns(determined.out).at("q")[0] == 4.5);
  CHECK(determined.err == "");
  const ProgramRun run = water().analyze({"--q-max", "30", "--q-min", "0.5"});
  CHECK(missing(run.err, {"rows up to q = 4 have no meaning", "2 pi/r_cut = 4.18879/nm",
                          "--q-min 4.5", "--r-max"}) == "");
  CHECK(lines_with(run.err, "have no meaning") == 1);
  CHECK(lines_with(run.out, "# q_caveat: rows up to q = 4 have no meaning") == 1);
  CHECK(lines_with(run.out, "# q_limit_lower: 4.18879") == 1);
  const std::vector<double> all = csv_columns(run.out).at("O-O");
  CHECK(water().table({"--q-max", "30", "--q-min", "4.5"}).at("O-O") ==
        std::vector<double>(all.begin() + 8, all.end()));
  const ProgramRun shorter =
      water().analyze({"--q-max", "5", "--q-step", "1", "--r-cut", "1"});
  CHECK(missing(shorter.err, {"rows up to q = 5 have no meaning",
                              "2 pi/r_cut = 6.28319/nm", "a larger --r-cut"}) == "");
  CHECK(shorter.err.find("--q-min") == std::string::npos);
  for (const char* quantity : {"xray", "neutron"}) {
    const ProgramRun intensity = water().analyze(
        {"--quantity", quantity, "--element", "O=O,H=H", "--q-min", "1"});
    CHECK(lines_with(intensity.err, "have no meaning") == 1);
  }
  const ProgramRun debye = cluster().analyze(
      {"--quantity", "neutron", "--debye", "--q-min", "0.01", "--q-max", "0.01"});
  CHECK(debye.exit_code == 0);
  CHECK(debye.err.find("no meaning") == std::string::npos);
}

TEST_CASE("a Debye sum over nearest images has a caveat") {
  const Counted periodic(
      {data_file("water.h5"), "--r-max", "2.6", "--bins", "260", "--last", "0"});
  const ProgramRun run = periodic.analyze({"--debye", "--q-min", "9", "--q-max", "9"});
  CHECK(missing(run.err, {"exceed half the shortest lattice vector", "open box"}) ==
        "");
  CHECK(missing(run.out, {"# debye_caveat: the boxes are periodic"}) == "");
  const Counted small({Cluster().write(), "--box", "3,3,3", "--unit", "nm", "--r-max",
                       "1.5", "--bins", "150"});
  CHECK(small.analyze({"--debye"}).out.find("debye_caveat") == std::string::npos);
}

TEST_CASE("invalid requests get one clear message each") {
  CHECK(water().refusal({"--q-min", "0"}, {"smallest q 0"}) == "");
  CHECK(water().refusal({"--q-max", "-3"}, {"largest q -3"}) == "");
  CHECK(water().refusal({"--q-step", "x"}, {"--q-step 'x'"}) == "");
  CHECK(water().refusal({"--q-step", "0"}, {"--q-step must be finite"}) == "");
  CHECK(water().refusal({"--quantity", "sQ"}, {"'sQ'", "sq, xray"}) == "");
  CHECK(water().refusal({"--quantity", "iq"}, {"did you mean xray?"}) == "");
  const ProgramRun other = water().analyze({"--quantity", "iq", "--weights", "xray"});
  CHECK(other.err.find("--weights") == std::string::npos);
  CHECK(water().refusal({"--weights", "xray"},
                        {"no meaning for --quantity sq, the default"}) == "");
  CHECK(water().refusal({"--window", "box"}, {"'box'", "none, lorch, hann"}) == "");
  CHECK(water().refusal({"--r-cut", "2"}, {"--r-cut 2", "1.5"}) == "");
  CHECK(water().refusal({"--r-cut", "0.7001"}, {"not a bin edge", "0.001"}) == "");
  CHECK(water().refusal({"--quantity", "xray", "--element", "O=Xx,H=H"},
                        {"no X-ray form factor", "O=Xx", "--element"}) == "");
  CHECK(water().refusal({"--quantity", "xray", "--element", "W=O"},
                        {"unknown species W", "H, O"}) == "");
  CHECK(water().refusal({"--quantity", "xray", "--element", "O"},
                        {"SPECIES=ELEMENT"}) == "");
  CHECK(water().refusal({"--quantity", "xray", "--pairs", "O-O"},
                        {"--pairs has no meaning for --quantity xray"}) == "");
  CHECK(water().refusal({"--element", "O=O"}, {"for xray, neutron, pdf and fqt"}) ==
        "");
  CHECK(water().refusal({"--partials", "bhatia-thornton", "--pairs", "O-O"},
                        {"sum over all pairs"}) == "");
  CHECK(water().refusal({"--debye"}, {"--debye needs all pairs", "--r-max"}) == "");
  CHECK(water().refusal({"--quantity", "blocks", "--window", "none", "--q-min", "1"},
                        {"2 problems", "--window", "--q-min", "blocks"}) == "");
  CHECK(cluster().refusal({}, {"needs a volume", "--debye"}) == "");
  CHECK(cluster().refusal({"--quantity", "kirkwood-buff"}, {"needs a volume"}) == "");
  CHECK(cluster().refusal({"--debye", "--window", "hann"}, {"--window"}) == "");
  CHECK(cluster().refusal({"--debye", "--errors"}, {"one block"}) == "");
  CHECK(cluster().refusal({"--quantity", "blocks"},
                          {"1 block:", "count more frames"}) == "");
}

TEST_CASE("I(q) needs all pairs of species, and X-rays a unit") {
  const Counted some({data_file("water.h5"), "--r-max", "1.4", "--bins", "70",
                      "--pairs", "O-O", "--last", "0"});
  CHECK(some.refusal({"--quantity", "neutron"}, {"H-H", "was not counted"}) == "");
  const Counted unitless(
      {cluster_atoms().write(), "--box", "none", "--r-max", "0.6", "--bins", "600"});
  CHECK(unitless.refusal({"--quantity", "xray", "--debye"}, {"Angstrom", "--unit"}) ==
        "");
  CHECK(unitless.analyze({"--quantity", "neutron", "--debye"}).exit_code == 0);
}

TEST_CASE("structure factors and integrals need pairs below r_min and excluded ones") {
  const WaterMolecules file;
  const Counted far({file.path(), "--r-max", "1.4", "--r-min", "0.5", "--bin-width",
                     "0.1", "--last", "0"});
  const Counted apart({file.path(), "--r-max", "1.4", "--bins", "14", "--exclude-same",
                       "molecule", "--last", "0"});
  for (const char* quantity : {"sq", "neutron", "kirkwood-buff"}) {
    CHECK(far.refusal({"--quantity", quantity}, {"start at r = 0.5", "--r-min"}) == "");
  }
  CHECK(apart.refusal({}, {"pairs were left out", "--exclude-same"}) == "");
  CHECK(apart.analyze({"--quantity", "kirkwood-buff"}).exit_code == 0);
  const Counted within({file.path(), "--r-max", "1.4", "--bins", "14", "--only-same",
                        "molecule", "--last", "0"});
  CHECK(within.refusal({"--quantity", "kirkwood-buff"}, {"--only-same"}) == "");
  const ProgramRun run = run_program(
      {"export", apart.path(), "--cadishi", "-o", apart.path() + ".cadishi.h5"});
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {"pairs were left out"}) == "");
}

TEST_CASE("species that are not elements are all named in one message") {
  RdfRunner files;
  const std::string path = files.file("names.xyz");
  std::ofstream(path) << "2\n\nOW 0 0 0\nHW 0 0 1\n";
  const Counted named(
      {path, "--box", "none", "--unit", "A", "--r-max", "2", "--bins", "20"});
  CHECK(named.refusal({"--quantity", "xray", "--debye"}, {"HW, OW", "--element"}) ==
        "");
  CHECK(named.analyze({"--quantity", "xray", "--debye", "--element", "OW=O,HW=H"})
            .exit_code == 0);
}

}  // namespace
}  // namespace starhist::testing
