#include <cmath>

#include "tests/program/csv_table.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/file_bytes.hh"
#include "tests/support/random.hh"
#include "tests/support/text_trajectory.hh"
#include "tests/support/xyz_text.hh"

// `starhist export` with merged bins, blocks, other quantities and other programs'
// tables, of the water sample.

namespace starhist::testing {
namespace {

using namespace std::string_literals;

using Words = RdfRunner::Words;

/// The water sample, counted in centred bins of 0.01 nm.
const RdfRunner& exported_water() {
  static RdfRunner runner;
  static const ProgramRun run =
      runner.run({data_file("water.h5"), "--r-max", "1.4", "--bin-width", "0.01",
                  "--centred", "--block", "20"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  return runner;
}

ProgramRun export_run(const Words& options) {
  Words words{"export", exported_water().output()};
  words.insert(words.end(), options.begin(), options.end());
  return run_program(words);
}

auto table(const Words& options) {
  const ProgramRun run = export_run(options);
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  return csv_columns(run.out);
}

std::string export_refusal(const Words& options,
                           std::initializer_list<const char*> words) {
  const ProgramRun run = export_run(options);
  return run.exit_code == 1 && run.out == "" ? missing(run.err, words)
                                             : run.out + run.err;
}

TEST_CASE("centred bins are half as wide, and r is printed as a decimal") {
  const auto counts = table({"--quantity", "counts"});
  CHECK(counts.at("r").size() == 280);
  const std::string text = export_run({"--quantity", "counts"}).out;
  CHECK(text.find("0.0075,0.005,0.01,") != std::string::npos);
  CHECK(text.find("99999") == std::string::npos);
}

TEST_CASE("pairs outside merged bins are counted as underflow and out of range") {
  const auto facts_of = [](const Words& rebin) {
    Words words{"--quantity", "counts", "--pairs", "O-O"};
    words.insert(words.end(), rebin.begin(), rebin.end());
    return export_run(words).out;
  };
  const auto fact = [](const std::string& text, const std::string& name) {
    const std::size_t at = text.find("# O-O " + name + ": ");
    return at == std::string::npos ? 0 : std::stoull(text.substr(at + 8 + name.size()));
  };
  const std::string fine = facts_of({});
  const auto all = fact(fine, "pairs");
  for (const Words& rebin : {Words{}, {"--rebin", "0.3,0.5,0.9"}, {"--rebin", "27"}}) {
    Words words{"--quantity", "counts", "--pairs", "O-O"};
    words.insert(words.end(), rebin.begin(), rebin.end());
    double sum = 0.0;
    const auto columns = table(words);
    for (const double count : columns.at("O-O")) {
      sum += count;
    }
    const std::string text = facts_of(rebin);
    CHECK(fact(text, "pairs") == all);
    CHECK(sum + static_cast<double>(fact(text, "underflow") +
                                    fact(text, "out_of_range")) ==
          static_cast<double>(all));
  }
  CHECK(fact(facts_of({"--rebin", "0.3,0.5,0.9"}), "underflow") > 0);
}

TEST_CASE("merged counts are sums, and g(r) follows from them") {
  const auto fine = table({"--quantity", "counts", "--pairs", "O-O"});
  const auto coarse =
      table({"--quantity", "counts", "--pairs", "O-O", "--rebin", "0,0.3,1.4"});
  double near = 0.0;
  for (std::size_t k = 0; k < 60; ++k) {
    near += fine.at("O-O")[k];
  }
  CHECK(coarse.at("O-O")[0] == near);
  CHECK(coarse.at("r_upper") == std::vector<double>{0.3, 1.4});
  const auto g = table({"--pairs", "O-O", "--rebin", "280", "--errors"});
  CHECK(g.at("O-O").size() == 1);
  CHECK(std::abs(g.at("O-O")[0] - 1.0) < 0.02);
  CHECK(g.at("O-O standard error")[0] < 0.01);
}

TEST_CASE("a column per block averages to the whole") {
  const auto all = table({"--quantity", "coordination", "--pairs", "O-O"});
  const auto each =
      table({"--quantity", "coordination", "--pairs", "O-O", "--per-block"});
  CHECK(each.size() == 4);  // r and three blocks of 20, 20 and 11 frames
  const double mean = (20 * each.at("O around O block 0")[100] +
                       20 * each.at("O around O block 1")[100] +
                       11 * each.at("O around O block 2")[100]) /
                      51;
  CHECK(mean == Approx(all.at("O around O")[100]));
}

TEST_CASE("in reduced units a temperature gives energies in units of epsilon") {
  Random random(6);
  std::vector<Atom> atoms;
  for (int k = 0; k < 400; ++k) {
    atoms.push_back({"A",
                     {random.uniform(0.0, 6.0), random.uniform(0.0, 6.0),
                      random.uniform(0.0, 6.0)}});
  }
  const TextTrajectory file(
      xyz_frame({Vec3{6, 0, 0}, Vec3{0, 6, 0}, Vec3{0, 0, 6}}, atoms));
  const RdfRunner rdf;
  REQUIRE(
      rdf.run({file.path, "--unit", "lj", "--r-max", "2", "--bins", "20"}).exit_code ==
      0);
  const auto pmf = [&](const Words& more) {
    const ProgramRun run =
        run_program(with({"export", rdf.output(), "--quantity", "pmf"}, more));
    REQUIRE(run.exit_code == 0);
    CHECK(run.err.find("kelvins") == std::string::npos);
    return run.out;
  };
  const std::string plain = pmf({});
  const std::string energy = pmf({"--temperature", "0.5"});
  CHECK(missing(plain, {"# values: w(r) (kT)"}) == "");
  CHECK(missing(energy, {"# values: w(r) (epsilon)"}) == "");
  CHECK(csv_columns(energy).at("A-A")[15] ==
        Approx(0.5 * csv_columns(plain).at("A-A")[15]));
}

TEST_CASE("density and potential of mean force follow from g(r)") {
  const auto g = table({"--pairs", "H-O", "--rebin", "4"});
  const auto pmf = table({"--quantity", "pmf", "--pairs", "H-O", "--rebin", "4"});
  const auto joules = table(
      {"--quantity", "pmf", "--temperature", "300", "--pairs", "H-O", "--rebin", "4"});
  const auto density =
      table({"--quantity", "density", "--pairs", "H-O", "--rebin", "4"});
  const double value = g.at("H-O")[30];
  CHECK(pmf.at("H-O")[30] == Approx(-std::log(value)));
  CHECK(joules.at("H-O")[30] == Approx(-0.00831446261815324 * 300 * std::log(value)));
  // Box edges are 3 nm, with 884 O; V differs by less than 1e-3.
  CHECK(density.at("O around H")[30] == Approx(884 / 27.0 * value).epsilon(2e-3));
  CHECK(density.at("H around O")[30] ==
        Approx(2 * density.at("O around H")[30]).epsilon(1e-12));
}

TEST_CASE("smoothing keeps the position of the peak and lowers the noise") {
  const auto raw = table({"--pairs", "O-O", "--errors"});
  const auto smooth = table({"--pairs", "O-O", "--errors", "--smooth", "0.025"});
  CHECK(smooth.at("r") == raw.at("r"));
  double raw_errors = 0.0;
  double smooth_errors = 0.0;
  for (std::size_t k = 100; k < 250; ++k) {
    raw_errors += raw.at("O-O standard error")[k];
    smooth_errors += smooth.at("O-O standard error")[k];
  }
  CHECK(smooth_errors < 0.8 * raw_errors);
  CHECK(std::abs(smooth.at("O-O")[200] - 1.0) < 0.05);
}

TEST_CASE("gmx has centred bins, and one value of r per bin width") {
  const ProgramRun run = export_run({"--like", "gmx", "--pairs", "O-O,H-O"});
  CHECK(run.exit_code == 0);
  CHECK(missing(run.out, {"-bin 0.01 nm", "@ s0 legend \"O-O\"", "\n0.28  "}) == "");
  CHECK(run.out.find("\n0.285") == std::string::npos);
}

TEST_CASE("a table of one pair names its centre first") {
  const ProgramRun run = export_run({"--like", "vmd", "--pairs", "O-H"});
  CHECK(missing(run.out, {"# r g(r) n(r)  O-H", "\n0.025 0 0\n"}) == "");
}

TEST_CASE("both directions of a pair are exported in the order of --pairs") {
  const ProgramRun gmx =
      export_run({"--like", "gmx", "--quantity", "coordination", "--pairs", "O-H,H-O"});
  CHECK(missing(gmx.out, {"s0 legend \"O-H\"", "s1 legend \"H-O\""}) == "");
  const auto header = [](const std::string& pairs) {
    const std::string text =
        export_run({"--quantity", "coordination", "--pairs", pairs}).out;
    const std::size_t begin = text.find("\nr,") + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  CHECK(header("O-H,H-O") == "r,H around O,O around H");
  CHECK(header("H-O,O-H") == "r,O around H,H around O");
  CHECK(header("O-O,O-H") == "r,O around O,H around O,O around H");
}

TEST_CASE("text replaces only empty files and text of starhist") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("a.dat");
  const auto write = [&](const std::string& option, const std::string& before) {
    write_bytes(path, before);
    if (option == "-o") {
      return export_run({"-o", path});
    }
    RdfRunner runner;
    return runner.run(
        {data_file("water.h5"), "--r-max", "1", "--bins", "2", option, path});
  };
  for (const char* option : {"-o", "--json", "--trace"}) {
    INFO(option);
    for (const std::string& other :
         {"[ System ]\n1 2 3\n"s, "integrator = md\n"s, "{\n  \"a\": 1\n}\n"s,
          "\x89HDF\r\n\x1a\n"s, "\x89starhist"s}) {
      CHECK(missing(write(option, other).err,
                    {"a.dat' would replace a file that is not text"}) == "");
      CHECK(read_bytes(path) == other);
    }
    CHECK(write(option, "").exit_code == 0);
    const std::string text = read_bytes(path);
    CHECK(!text.empty());
    CHECK(write(option, text).exit_code == 0);
  }
  for (const Words& kind :
       {Words{"--format", "json"}, Words{"--format", "xvg"}, Words{"--like", "gmx"},
        Words{"--like", "lammps", "--pairs", "O-O"},
        Words{"--like", "vmd", "--pairs", "O-O"},
        Words{"--like", "cpptraj", "--pairs", "O-O"},
        Words{"--like", "freud", "--pairs", "O-O"},
        Words{"--like", "mdanalysis", "--pairs", "O-O"}}) {
    INFO(kind.back() << " " << kind[1]);
    Words options = kind;
    options.insert(options.end(), {"-o", path});
    CHECK(export_run(options).exit_code == 0);
    CHECK(export_run(options).exit_code == 0);
  }
}

TEST_CASE("options that do not fit together are refused") {
  CHECK(export_refusal({"--rebin", "0,0.333"},
                       {"0.333 is not a bin edge", "0.33 and 0.335"}) == "");
  CHECK(export_refusal({"--rebin", "abc"}, {"'abc'", "log:N", "edges"}) == "");
  CHECK(export_refusal({"--smooth", "0.001"}, {"at least two bins"}) == "");
  CHECK(export_refusal({"--smooth", "0.1", "--rebin", "2"}, {"exclude each other"}) ==
        "");
  CHECK(export_refusal({"--quantity", "counts", "--smooth", "0.1"}, {"no meaning"}) ==
        "");
  CHECK(export_refusal({"--per-block", "--errors"},
                       {"one block has no standard error"}) == "");
  CHECK(export_refusal({"--temperature", "300"}, {"it sets the unit of pmf"}) == "");
  CHECK(export_refusal({"--quantity", "pmf", "--temperature", "-1"}, {"kelvins"}) ==
        "");
  CHECK(export_refusal({"--quantity", "counts", "--normalization", "mean-volume"},
                       {"--normalization does not apply", "g and pmf"}) == "");
  CHECK(
      missing(
          run_program({"info", exported_water().output(), "--structure", "x.gro"}).err,
          {"--structure describes a trajectory", "this is a result"}) == "");
  CHECK(export_refusal({"--like", "freud"}, {"one pair", "H-H, H-O, O-O", "--pairs"}) ==
        "");
  CHECK(export_refusal({"--like", "vmd", "--errors", "--quantity", "pmf"},
                       {"--errors has no meaning", "--quantity pmf has no meaning"}) ==
        "");
  RdfRunner runner;
  CHECK(missing(runner.run({data_file("water.h5"), "--centred"}).err,
                {"--centred needs the bin width"}) == "");
  CHECK(missing(runner
                    .run({data_file("water.h5"), "--centred", "--bins", "10",
                          "--bin-width", "0.1"})
                    .err,
                {"--bins and --bin-width exclude each other"}) == "");
  CHECK(missing(runner
                    .run({data_file("water.h5"), "--centred", "--bins", "10", "--r-min",
                          "0.1"})
                    .err,
                {"--centred and --r-min exclude each other"}) == "");
}

}  // namespace
}  // namespace starhist::testing
