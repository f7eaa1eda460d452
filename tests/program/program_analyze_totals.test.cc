#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "tests/program/csv_table.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/text_trajectory.hh"

// Total distribution functions, charges, entropies and tables of `starhist analyze`.
// tests/scripts/analyze_numpy_test.py compares their numbers with NumPy.

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;

ProgramRun analyzed(const Words& options) {
  static RdfRunner runner;
  static const ProgramRun run = runner.run(
      {data_file("water.h5"), "--r-max", "1.4", "--bins", "280", "--block", "5"});
  REQUIRE(run.exit_code == 0);
  Words words{"analyze", runner.output()};
  words.insert(words.end(), options.begin(), options.end());
  return run_program(words);
}

std::string analysis_refusal(const Words& options,
                             std::initializer_list<const char*> words) {
  const ProgramRun run = analyzed(options);
  return run.exit_code == 1 && run.out == "" ? missing(run.err, words)
                                             : run.out + run.err;
}

TEST_CASE("a total distribution names its form, weights and termination") {
  const ProgramRun run =
      analyzed({"--quantity", "pdf", "--form", "T", "--weights", "neutron", "--element",
                "H=D,O=O", "--q-max", "200", "--window", "lorch", "--errors"});
  CHECK(missing(run.out, {"form: T: D + 4 pi r rho <f>^2 (T(r) of Keen 2001)",
                          "weights: neutron", "q_max: 200", "window: lorch",
                          "r,T,T standard error"}) == "");
  const auto table = csv_columns(run.out);
  CHECK(table.at("r").front() == 0.001);
  CHECK(table.at("T standard error")[500] > 0.0);
}

TEST_CASE("g of all particles tends to 1") {
  const auto table = csv_columns(analyzed({"--quantity", "pdf"}).out);
  CHECK(table.at("g").back() == Approx(1.0).epsilon(0.02));
}

TEST_CASE("a total distribution ends at half the box, unless --r-cut extends it") {
  const RdfRunner rdf;
  REQUIRE(rdf.run({data_file("water.h5"), "--r-max", "2.4", "--bins", "240", "--last",
                   "3", "--block", "1"})
              .exit_code == 0);
  const Words words{"analyze", rdf.output(), "--quantity", "pdf"};
  const ProgramRun half = run_program(words);
  CHECK(csv_columns(half.out).at("r").back() == 1.495);
  CHECK(missing(half.err, {"pdf ends at r = 1.5 nm, half the box", "--r-cut 2.4",
                           "repeat the cell"}) == "");
  CHECK(half.out.find("isotropic_caveat") == std::string::npos);
  Words further = words;
  further.insert(further.end(), {"--r-cut", "2"});
  const ProgramRun run = run_program(further);
  CHECK(csv_columns(run.out).at("r").back() == 1.995);
  CHECK(missing(run.out, {"# isotropic_caveat: g(r) beyond r = 1.5 nm"}) == "");
  CHECK(missing(run.err, {"right only for isotropic systems"}) == "");
  CHECK(analyzed({"--quantity", "pdf"}).err == "");
}

TEST_CASE("a --q-max that does not resolve the highest peak is reported") {
  CHECK(missing(analyzed({"--quantity", "pdf", "--q-max", "3"}).err,
                {"--q-max 3 1/nm resolves distances from pi/q_max = 1.0472 nm on",
                 "highest peak of g(r) is at 0.0"}) == "");
  CHECK(analyzed({"--quantity", "pdf", "--q-max", "200"}).err == "");
}

TEST_CASE("a net charge is reported") {
  CHECK(analyzed({"--quantity", "charge", "--charges", "H=0.5,O=-1"})
            .err.find("net charge") == std::string::npos);
  CHECK(missing(analyzed({"--quantity", "charge", "--charges", "H=0.4,O=-1"}).err,
                {"net charge", "check --charges"}) == "");
}

TEST_CASE("the inversion for two components is refused for three species") {
  const RdfRunner rdf;
  REQUIRE(rdf.run({data_file("water.h5"), "--r-max", "1.4", "--bins", "70", "--last",
                   "3", "--block", "1", "--species",
                   "A=index 1-50; B=index 51-100; W=not index 1-100"})
              .exit_code == 0);
  const ProgramRun run =
      run_program({"analyze", rdf.output(), "--quantity", "kirkwood-buff", "--table",
                   "--pairs", "A-A,A-B,B-B"});
  REQUIRE(run.exit_code == 0);
  CHECK(run.out.find("excess number") != std::string::npos);
  CHECK(run.out.find("partial molecular volume") == std::string::npos);
  CHECK(run.out.find("thermodynamic factor") == std::string::npos);
  CHECK(missing(run.err, {"also contains W", "S=Na Cl; W=O"}) == "");
}

TEST_CASE("a measured curve over q is refused for a curve over r, and vice versa") {
  const auto refused = [&](const std::string& header, const std::string& quantity) {
    std::string text = header + "\n";
    for (int k = 1; k < 20; ++k) {
      text += std::to_string(k) + ".5 1.0\n";
    }
    const TextTrajectory file(text, "curve.dat");
    const ProgramRun run =
        analyzed({"--quantity", quantity, "--experiment", file.path});
    return run.err.find("by its header") != std::string::npos && run.exit_code != 0;
  };
  CHECK(refused("# Q [1/A], S(Q)", "pdf"));
  CHECK(refused("#L r(A) G(A^-2)", "sq"));
  CHECK_FALSE(refused("# Q [1/A], S(Q)", "sq"));
  CHECK_FALSE(refused("# R-factor 0.2", "sq"));
}

TEST_CASE("the table of Kirkwood-Buff integrals as JSON") {
  const ProgramRun run =
      analyzed({"--quantity", "kirkwood-buff", "--table", "--format", "json"});
  CHECK(missing(run.out, {"\"quantity\": \"thermodynamic factor\"", "\"of\": \"H + O\"",
                          "\"method\": \"sub-volumes\"", "\"unit\": \"cm^3/mol\"",
                          "\"standard_error\": 0."}) == "");
  const ProgramRun one = analyzed(
      {"--quantity", "kirkwood-buff", "--table", "--pairs", "O-O", "--r-cut", "1"});
  CHECK(missing(one.out, {"r_cut: 1", "excess number,O around O,shifted tail,"}) == "");
  CHECK(one.out.find("thermodynamic") == std::string::npos);
}

/// A curve with 30 points in A, of which two lie beyond the result, and its R_w against
/// linear interpolation of `table`.
struct Measured {
  std::string text = "#L r($\\AA$) g(r) error\n";
  double r_w = 0.0;

  explicit Measured(const std::map<std::string, std::vector<double>>& table,
                    double scale = 1.0) {
    const std::vector<double>&r = table.at("r"), &g = table.at("g");
    double residuals = 0.0;
    double squares = 0.0;
    for (int k = 0; k < 30; ++k) {
      const double x = 2.011 + 0.42 * k;
      const double error = 0.1 + 0.01 * (k % 3);
      const double y = 1.0 + 0.3 * (k % 4);
      std::ostringstream line;
      line << x << "; " << y << "; " << error << "\n";
      text += line.str();
      std::size_t i = 1;
      while (i < r.size() && r[i] < 0.1 * x) {
        ++i;
      }
      if (i == r.size()) {
        continue;
      }
      const double part = (0.1 * x - r[i - 1]) / (r[i] - r[i - 1]);
      const double difference = y - scale * (g[i - 1] + part * (g[i] - g[i - 1]));
      residuals += difference * difference / (error * error);
      squares += y * y / (error * error);
    }
    r_w = std::sqrt(residuals / squares);
  }
};

double fact(const std::string& table, const std::string& name) {
  const std::size_t begin = table.find("# " + name + ": ");
  return begin == std::string::npos ? std::nan("")
                                    : std::stod(table.substr(begin + name.size() + 4));
}

TEST_CASE(
    "R_w against a measured curve equals its definition, with and without scale") {
  const auto table = csv_columns(analyzed({"--quantity", "pdf"}).out);
  const TextTrajectory file(Measured(table).text, "g.dat");
  const ProgramRun run = analyzed({"--quantity", "pdf", "--experiment", file.path});
  CHECK(fact(run.out, "r_w") == Approx(Measured(table).r_w).epsilon(1e-12));
  const auto compared = csv_columns(run.out);
  CHECK(fact(run.out, "experiment_points") ==
        static_cast<double>(compared.at("r").size()));
  CHECK(compared.at("r").front() == Approx(0.2011).epsilon(1e-14));
  CHECK(compared.at("residual")[3] ==
        compared.at("experiment")[3] - compared.at("g")[3]);
  CHECK(missing(run.err, {"R_w = ", "of 30 points are outside"}) == "");

  const ProgramRun scaled =
      analyzed({"--quantity", "pdf", "--experiment", file.path, "--fit-scale"});
  const double scale = fact(scaled.out, "scale");
  CHECK(fact(scaled.out, "r_w") == Approx(Measured(table, scale).r_w).epsilon(1e-12));
  for (const double other : {0.999 * scale, 1.001 * scale}) {
    CHECK(Measured(table, other).r_w > fact(scaled.out, "r_w"));
  }
}

TEST_CASE("the range of a measured curve, in the result's unit, is compared") {
  const auto table = csv_columns(analyzed({"--quantity", "pdf"}).out);
  const TextTrajectory file(Measured(table).text, "g.dat");
  const ProgramRun run = analyzed({"--quantity", "pdf", "--experiment", file.path,
                                   "--experiment-range", "0.4,1.0"});
  const auto all =
      csv_columns(analyzed({"--quantity", "pdf", "--experiment", file.path}).out);
  const auto compared = csv_columns(run.out);
  const std::vector<double>& x = all.at("r");
  const auto first = std::lower_bound(x.begin(), x.end(), 0.4);
  const auto end = std::upper_bound(x.begin(), x.end(), 1.0);
  CHECK(compared.at("r") == std::vector<double>(first, end));
  CHECK(compared.at("residual").front() ==
        all.at("residual")[static_cast<std::size_t>(first - x.begin())]);
  CHECK(fact(run.out, "experiment_points") == static_cast<double>(end - first));
  CHECK(run.err.find("outside") == std::string::npos);
  const auto refused = [&](const char* range, std::initializer_list<const char*> text) {
    return analysis_refusal(
        {"--quantity", "pdf", "--experiment", file.path, "--experiment-range", range},
        text);
  };
  CHECK(refused("1,0.4", {"'1,0.4' is not X1,X2 with X1 < X2"}) == "");
  CHECK(refused("1", {"'1' is not X1,X2"}) == "");
  CHECK(refused("0.4,x", {"--experiment-range", "x"}) == "");
  CHECK(refused("8,9", {"8,9 contains 0 points of", "0.2011 to 1.419"}) == "");
}

TEST_CASE("the option --q-damp multiplies the oscillations by a Gaussian of r") {
  for (const char* form : {"g", "GPDF", "T"}) {
    const auto plain = csv_columns(analyzed({"--quantity", "pdf", "--form", form}).out);
    const ProgramRun run =
        analyzed({"--quantity", "pdf", "--form", form, "--q-damp", "0.8"});
    CHECK(fact(run.out, "q_damp") == 0.8);
    const auto damped = csv_columns(run.out);
    // Not of oscillations: 1 of g, 4 pi rho r of T.
    const double atoms_per_volume = 2652.0 / 27.0;
    for (const std::size_t k : {60U, 100U, 270U}) {
      const double r = plain.at("r")[k];
      const double uniform = form[0] == 'g' ? 1.0
                             : form[0] == 'T'
                                 ? 4.0 * std::numbers::pi * atoms_per_volume * r
                                 : 0.0;
      CHECK(damped.at(form)[k] - uniform ==
            Approx((plain.at(form)[k] - uniform) * std::exp(-0.32 * r * r))
                .epsilon(1e-6));
    }
  }
  CHECK(analysis_refusal({"--quantity", "xray", "--q-damp", "1"},
                         {"q-damp has no meaning"}) == "");
  CHECK(analysis_refusal({"--quantity", "pdf", "--q-damp", "-1"}, {"--q-damp -1"}) ==
        "");
}

TEST_CASE("a measured G(r) is converted with the unit of its values") {
  const auto own = csv_columns(analyzed({"--quantity", "pdf", "--form", "GPDF"}).out);
  const auto in_a = csv_columns(
      analyzed({"--quantity", "pdf", "--form", "GPDF", "--out-unit", "A"}).out);
  std::ostringstream text;
  text.precision(17);
  for (std::size_t k = 0; k < in_a.at("r").size(); ++k) {
    text << in_a.at("r")[k] << " " << in_a.at("GPDF")[k] << "\n";
  }
  const TextTrajectory file(text.str(), "g.dat");
  const ProgramRun run =
      analyzed({"--quantity", "pdf", "--form", "GPDF", "--experiment", file.path,
                "--experiment-unit", "A"});
  CHECK(fact(run.out, "r_w") < 1e-12);
  CHECK(csv_columns(run.out).at("experiment").size() == own.at("r").size());
}

TEST_CASE("errors of y are the last of four columns, zeros are ignored") {
  const auto weights = [](const std::string& errors_of_x, const std::string& errors) {
    std::string text;
    for (int k = 1; k < 10; ++k) {
      text += "0." + std::to_string(k) + " 1" + errors_of_x + errors + "\n";
    }
    const TextTrajectory file(text, "m.dat");
    return analyzed({"--quantity", "pdf", "--experiment", file.path}).out;
  };
  CHECK(missing(weights("", " 0.5"), {"experiment_weights: 1/error^2"}) == "");
  const std::string four = weights(" 0", " 0.5");
  CHECK(missing(four, {"experiment_weights: 1/error^2"}) == "");
  CHECK(csv_columns(four).at("experiment standard error").front() == 0.5);
  CHECK(missing(weights(" 1", " 0"), {"experiment_weights: equal"}) == "");
}

TEST_CASE("gaps, coarse steps and a missing unit of a measured curve are reported") {
  std::string text;
  for (const char* r : {".1", ".101", ".102", ".103", ".104", ".105", ".106", ".2"}) {
    text += std::string(r) + " 1\n";
  }
  const TextTrajectory file(text, "m.dat");
  const ProgramRun run = analyzed({"--quantity", "pdf", "--experiment", file.path});
  CHECK(missing(run.err, {"r is taken as nm", "no points between 0.106 and 0.2",
                          "steps of 0.005, wider than the experiment's 0.001",
                          "count with narrower bins"}) == "");
}

TEST_CASE("measured curves that cannot be compared are refused") {
  const auto refused = [](const std::string& text, const Words& more,
                          std::initializer_list<const char*> words) {
    const TextTrajectory file(text, "m.dat");
    Words options{"--quantity", "pdf", "--experiment", file.path};
    options.insert(options.end(), more.begin(), more.end());
    return analysis_refusal(options, words);
  };
  const std::string rows = "# r (nm)\n.1 1\n.2 1\n.3 1\n.4 1\n.5 1\n.6 1\n.7 1\n";
  CHECK(refused(rows, {}, {"has 7 rows of numbers (needs 8)"}) == "");
  CHECK(refused(rows + ".7 2\n", {}, {"line 9", "x must increase"}) == "");
  CHECK(refused(rows + "end\n", {}, {"line 9", "not a row of finite numbers"}) == "");
  CHECK(refused(rows + ".8 nan\n", {}, {"line 9"}) == "");
  for (const char* commas : {"1,5 -0,3\n", "1 -0,3\n", "1;0,3\n"}) {
    INFO(commas);
    CHECK(refused(commas, {}, {"line 1 has decimal commas"}) == "");
  }
  CHECK(refused(rows + ".8 2 3\n", {}, {"has 3 columns"}) == "");
  CHECK(refused(rows + ".8 2\n", {"--experiment-unit", "A"}, {"differs", "(nm)"}) ==
        "");
  CHECK(refused(rows + ".8 2\n", {"--experiment-unit", "sigma"}, {"sigma"}) == "");
  CHECK(refused(rows + ".8 2\n", {"--experiment-curve", "G"}, {"not one of g"}) == "");
  CHECK(refused("1 1 .1\n2 1 .1\n3 1 0\n4 1 1\n5 1 1\n6 1 1\n7 1 1\n8 1 1\n", {},
                {"the error 0 at x = 3"}) == "");
  CHECK(refused("10 1\n20 1\n30 1\n40 1\n50 1\n60 1\n70 1\n80 1\n", {},
                {"0 of its points lie in the range", "--experiment-unit"}) == "");
  CHECK(analysis_refusal({"--quantity", "pdf", "--experiment", data_file("water.h5")},
                         {"is a binary file"}) == "");
  CHECK(analysis_refusal({"--quantity", "pdf", "--experiment", "/nonexistent"},
                         {"cannot be read"}) == "");
  CHECK(analysis_refusal({"--quantity", "s2", "--experiment", "a"},
                         {"has no meaning"}) == "");
  CHECK(analysis_refusal({"--fit-scale"}, {"no meaning without --experiment"}) == "");
}

TEST_CASE("requests that the result cannot meet are refused") {
  CHECK(analysis_refusal({"--quantity", "pdf", "--q-max", "700"},
                         {"exceeds pi/w", "--q-max"}) == "");
  CHECK(analysis_refusal({"--quantity", "pdf", "--q-max", "-1"}, {"--q-max -1"}) == "");
  CHECK(analysis_refusal({"--quantity", "pdf", "--window", "lorch"}, {"--q-max"}) ==
        "");
  CHECK(analysis_refusal({"--quantity", "pdf", "--form", "F"},
                         {"form 'F' of pdf", "g, G, GPDF, D, T, RDF"}) == "");
  CHECK(analysis_refusal(
            {"--quantity", "pdf", "--weights", "xray", "--element", "H=Qq,O=O"},
            {"no X-ray form factor", "H=Qq"}) == "");
  CHECK(analysis_refusal({"--quantity", "pdf", "--pairs", "O-O"},
                         {"--pairs has no meaning for --quantity pdf",
                          "for sq, kirkwood-buff, blocks, legendre, fqt and"}) == "");
  CHECK(analysis_refusal({"--quantity", "pdf", "--element", "H=D"},
                         {"--element has no meaning without --weights"}) == "");
  CHECK(analysis_refusal({"--quantity", "legendre", "--r-cut", "1"},
                         {"for all quantities except blocks and legendre"}) == "");
  CHECK(analysis_refusal({"--quantity", "sq", "--form", "F"},
                         {"--form has no meaning"}) == "");
  CHECK(analysis_refusal({"--quantity", "charge", "--charges", "H=0.5"}, {"O=..."}) ==
        "");
  CHECK(analysis_refusal({"--quantity", "charge", "--charges", "H=0.5,O=-1,X=2"},
                         {"unknown species X"}) == "");
  CHECK(analysis_refusal({"--quantity", "charge", "--charges", "h=0.5,O=-1"},
                         {"unknown species h", "did you mean H?"}) == "");
  CHECK(analysis_refusal(
            {"--quantity", "kirkwood-buff", "--table", "--sub-volumes", "1,2"},
            {"--sub-volumes 2 nm is beyond 1.4 nm"}) == "");
  CHECK(analysis_refusal(
            {"--quantity", "kirkwood-buff", "--table", "--sub-volumes", "1,1.005"},
            {"at least three bin edges"}) == "");
  CHECK(analysis_refusal({"--quantity", "kirkwood-buff", "--table", "--tail", "1.4"},
                         {"--tail 1.4 nm is beyond 1.395 nm"}) == "");
  CHECK(analysis_refusal({"--quantity", "kirkwood-buff", "--tail", "1"}, {"--table"}) ==
        "");
  CHECK(analysis_refusal({"--quantity", "kirkwood-buff", "--table", "--format", "xvg"},
                         {"csv or json"}) == "");
}

}  // namespace
}  // namespace starhist::testing
