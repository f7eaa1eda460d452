#include <fstream>

#include "tests/program/csv_table.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"

// Elements of species: recorded by `starhist rdf` if the file defines them as elements,
// and used by `starhist analyze`, which does not interpret labels as elements.

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;

/// Two water molecules in the open [A]: O, H, H each.
constexpr double two_molecules[6][3] = {{0.0, 0.0, 0.0},    {0.96, 0.0, 0.0},
                                        {-0.24, 0.93, 0.0}, {2.9, 0.1, 0.2},
                                        {3.4, 0.9, 0.3},    {3.3, -0.7, 0.5}};

std::string row(std::size_t k) {
  return std::to_string(two_molecules[k][0]) + " " +
         std::to_string(two_molecules[k][1]) + " " +
         std::to_string(two_molecules[k][2]);
}

/// One frame of a dump: `columns`, and the words before the position of O and of H.
std::string dump(const std::string& columns, const std::string& o,
                 const std::string& h) {
  std::string text =
      "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n6\nITEM: BOX BOUNDS ff ff ff\n-9 "
      "9\n-9 "
      "9\n-9 9\nITEM: ATOMS id " +
      columns + " x y z\n";
  for (std::size_t k = 0; k < 6; ++k) {
    text += std::to_string(k + 1) + " " + (k % 3 == 0 ? o : h) + " " + row(k) + "\n";
  }
  return text;
}

std::string xyz(const std::string& o, const std::string& h) {
  std::string text = "6\n\n";
  for (std::size_t k = 0; k < 6; ++k) {
    text += (k % 3 == 0 ? o : h) + " " + row(k) + "\n";
  }
  return text;
}

/// TIP4P: names OW, HW1, HW2 and MW, which coincides with O here; elements in columns
/// 77-78.
std::string tip4p() {
  std::string text;
  const char* names[] = {"OW ", "HW1", "HW2", "MW "};
  const char* elements[] = {" O", " H", " H", "  "};
  for (int k = 0; k < 8; ++k) {
    const auto& r = two_molecules[3 * (k / 4) + (k % 4 == 3 ? 0 : k % 4)];
    char line[100];
    std::snprintf(line, sizeof line,
                  "ATOM  %5d  %s SOL A%4d    %8.3f%8.3f%8.3f  1.00  0.00          %s\n",
                  k + 1, names[k % 4], k / 4 + 1, r[0], r[1], r[2], elements[k % 4]);
    text += line;
  }
  return text + "END\n";
}

/// A result of `text`, and quantities computed from it.
class ElementCounts {
 public:
  ElementCounts(const std::string& name, const std::string& text,
                const Words& options = {}) {
    const std::string path = rdf_.file(name);
    std::ofstream(path) << text;
    Words words{path, "--r-max", "9", "--bins", "9000", "--unit", "A", "--box", "none"};
    if (name.ends_with(".pdb")) {
      words.erase(words.begin() + 5, words.begin() + 7);
    }
    words.insert(words.end(), options.begin(), options.end());
    run_ = rdf_.run(words);
    INFO(run_.err);
    REQUIRE(run_.exit_code == 0);
  }
  ProgramRun analyze(const Words& options = {}, const char* quantity = "xray") const {
    Words words{"analyze", path(), "--quantity", quantity, "--debye", "--q-max", "3"};
    words.insert(words.end(), options.begin(), options.end());
    return run_program(words);
  }
  /// I(q).
  std::vector<double> intensity(const Words& options = {},
                                const char* quantity = "xray") const {
    const ProgramRun run = analyze(options, quantity);
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    return csv_columns(run.out).at("I(q)");
  }
  std::string refusal(const Words& options,
                      std::initializer_list<const char*> words) const {
    const ProgramRun run = analyze(options);
    return run.exit_code != 1 || !run.out.empty() ? "not refused: " + run.out + run.err
                                                  : missing(run.err, words);
  }
  std::string path() const { return rdf_.output(); }
  const RdfRunner& files() const { return rdf_; }
  const ProgramRun& run() const { return run_; }

 private:
  RdfRunner rdf_;
  ProgramRun run_;
};

/// Both species' counts do not depend on their names in the file.
const std::vector<double>& expected() {
  static const std::vector<double> values =
      ElementCounts("w.xyz", xyz("O", "H")).intensity();
  return values;
}

/// Sums over species are in the order of their labels.
void check_expected(const std::vector<double>& values) {
  REQUIRE(values.size() == expected().size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    CHECK(values[k] == Approx(expected()[k]).epsilon(1e-12));
  }
}

TEST_CASE("elements: types of a dump are not elements, --element names them") {
  const ElementCounts types("t.dump", dump("type", "1", "2"));
  CHECK(types.refusal({}, {"the elements of 1, 2 are not recorded",
                           "a label is not an element", "--element 1=...,2=..."}) ==
        "");
  CHECK(types.refusal({"--element", "1=O"},
                      {"the elements of 2 ", "--element 2=..."}) == "");
  const ProgramRun run = types.analyze({"--element", "1=O,2=H"});
  CHECK(missing(run.out,
                {"# element of 1: O (--element)", "# element of 2: H (--element)",
                 "# factor of 1: O (Waasmaier and Kirfel 1995)"}) == "");
  CHECK(missing(run.err, {"elements: 1 = O (--element), 2 = H (--element)"}) == "");
  check_expected(types.intensity({"--element", "1=O,2=H"}));
}

TEST_CASE("elements: the symbols that a format defines as elements are recorded") {
  const ElementCounts by_column("e.dump", dump("element", "O", "H"));
  check_expected(by_column.intensity());
  CHECK(missing(by_column.analyze().out, {"# element of O: O (column element)"}) == "");
  const ElementCounts first_column("w.xyz", xyz("O", "H"));
  CHECK(missing(first_column.analyze().out, {"# element of H: H (the file)"}) == "");
  CHECK(missing(run_program({"info", first_column.path()}).out,
                {"elements     H: H, O: O (the file)"}) == "");
  // Names of atoms that are not symbols are not interpreted as such.
  CHECK(ElementCounts("n.xyz", xyz("OW", "HW")).refusal({}, {"HW, OW", "--element"}) ==
        "");
  CHECK(ElementCounts("n.xyz", xyz("CA", "H")).refusal({}, {"the elements of CA "}) ==
        "");
}

TEST_CASE("elements: the name of a rule is not an element") {
  const ElementCounts result("w.dump", dump("type", "1", "2"),
                             {"--species", "P=type 1; H=type 2"});
  CHECK(result.refusal({}, {"the elements of H, P are not recorded"}) == "");
}

TEST_CASE("elements: rules keep their particles' elements, mixtures are refused") {
  const ElementCounts kept("w.pdb", tip4p(),
                           {"--species", "P=name OW; X=name HW1 HW2"});
  check_expected(kept.intensity());
  CHECK(missing(kept.analyze().out, {"# element of P: O (", "# element of X: H ("}) ==
        "");
  const ElementCounts mixed("w.pdb", tip4p(),
                            {"--species", "W=name OW HW1; H=name HW2"});
  CHECK(mixed.refusal({}, {"species W is a mixture of the elements H, O",
                           "--by element", "--element W=..."}) == "");
  CHECK(mixed.analyze({"--element", "W=3"}).exit_code == 0);
  const ElementCounts partly("w.pdb", tip4p(),
                             {"--species", "W=name OW MW; H=name HW*"});
  CHECK(partly.refusal({}, {"species W is a mixture of the elements ?, O"}) == "");
}

TEST_CASE("elements: sites without an atom do not scatter once they are known") {
  const ElementCounts result("w.pdb", tip4p(),
                             {"--species", "O=name OW; H=name HW*; MW=name MW"});
  CHECK(result.refusal({}, {"the elements of MW ", "--element MW=..."}) == "");
  for (const char* none : {"MW=none", "MW=dummy", "MW=DUMMY"}) {
    check_expected(result.intensity({"--element", none}));
  }
  CHECK(missing(result.analyze({"--element", "MW=none"}).out,
                {"# left_out: MW: none (--element)"}) == "");
  // By its mass: the properties of an extended XYZ.
  std::string text = "7\nProperties=species:S:1:pos:R:3:masses:R:1\n";
  for (std::size_t k = 0; k < 6; ++k) {
    text += (k % 3 == 0 ? "O " : "H ") + row(k) + (k % 3 == 0 ? " 16\n" : " 1\n");
  }
  const ElementCounts massless("m.xyz", text + "MW 1.0 1.0 1.0 0\n",
                               {"--species", "O=name O; H=name H; MW=name MW"});
  check_expected(massless.intensity());
  CHECK(missing(massless.analyze().out, {"# left_out: MW: none (mass 0)"}) == "");
}

TEST_CASE("elements: aliases and guesses are recorded with their source") {
  const ElementCounts guessed("n.xyz", xyz("OW", "HW"), {"--guess-elements"});
  check_expected(guessed.intensity());
  CHECK(missing(guessed.analyze().out, {"# element of OW: O (guessed from names)"}) ==
        "");
  CHECK(missing(guessed.run().out + guessed.run().err,
                {"elements: guessed from names (H: HW, O: OW)"}) == "");
  const RdfRunner files;
  const std::string aliases = files.file("names");
  std::ofstream(aliases) << "OW O\nHW D\n";
  const ElementCounts named("n.xyz", xyz("OW", "HW"), {"--aliases", aliases});
  CHECK(missing(named.analyze({}, "neutron").out,
                {"# element of HW: D (--aliases)", "D, b = 6.67"}) == "");
  // Option --element overrides the recorded element.
  CHECK(named.intensity({"--element", "HW=H"}, "neutron") ==
        guessed.intensity({}, "neutron"));
}

TEST_CASE("elements: unknown species and elements of --element") {
  const ElementCounts result("t.dump", dump("type", "1", "2"));
  CHECK(result.refusal({"--element", "3=O"}, {"unknown species 3", "1, 2"}) == "");
  CHECK(result.refusal({"--element", "1=Xx,2=h"},
                       {"no X-ray form factor is known for 1=Xx, 2=h (did you mean H?)",
                        "none for a site without an atom"}) == "");
}

TEST_CASE("elements: results are merged if they have the same") {
  const ElementCounts a("a.xyz", xyz("O", "H"));
  const ElementCounts b("b.xyz", xyz("O", "H"));
  const RdfRunner files;
  const auto merge = [&](const ElementCounts& second) {
    return run_program({"merge", a.path(), second.path(), "-o", files.output(),
                        "--force", "--repeated", "keep"});
  };
  REQUIRE(merge(b).exit_code == 0);
  CHECK(files.result().layout.elements ==
        std::vector<SpeciesElement>{{"H", "the file"}, {"O", "the file"}});
  const std::string aliases = files.file("names");
  std::ofstream(aliases) << "1 O\n2 D\n";
  const Words rules{"--species", "O=type 1; H=type 2"};
  Words with_aliases = rules;
  with_aliases.insert(with_aliases.end(), {"--aliases", aliases});
  const ProgramRun different =
      merge(ElementCounts("d.dump", dump("type", "1", "2"), with_aliases));
  CHECK(different.exit_code == 1);
  CHECK(missing(different.err,
                {"results with different elements", "H of H", "H of D"}) == "");
  const ProgramRun unknown =
      merge(ElementCounts("d.dump", dump("type", "1", "2"), rules));
  CHECK(unknown.exit_code == 0);
  CHECK(missing(unknown.err, {"does not record the element of H", "--element"}) == "");
  CHECK(files.result().layout.elements.empty());
}

}  // namespace
}  // namespace starhist::testing
