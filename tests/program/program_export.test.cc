#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "tests/program/json_value.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/file_bytes.hh"

// `starhist export` and `starhist info` of results of the water sample.

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;

/// A result that the tests of this file share.
class SharedResult {
 public:
  explicit SharedResult(const Words& arguments) {
    const ProgramRun run = rdf_.run(arguments);
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
  }
  std::string path() const { return rdf_.output(); }
  ProgramRun exported(const Words& options) const {
    Words words{"export", path()};
    words.insert(words.end(), options.begin(), options.end());
    return run_program(words);
  }

 private:
  RdfRunner rdf_;
};

const SharedResult& near_water() {
  static const SharedResult result(
      {data_file("water.h5"), "--r-max", "1.4", "--bins", "280", "--block", "20"});
  return result;
}

/// Bins beyond half the box of 3 nm, and beyond the largest possible distance.
const SharedResult& far_water() {
  static const SharedResult result(
      {data_file("water.h5"), "--r-max", "3", "--bins", "100", "--step", "10"});
  return result;
}

const SharedResult& open_water() {
  static const SharedResult result({data_file("water.h5"), "--r-max", "2", "--bins",
                                    "100", "--box", "none", "--step", "10"});
  return result;
}

Words split(const std::string& line, char separator) {
  Words words;
  std::istringstream stream(line);
  for (std::string word; std::getline(stream, word, separator);) {
    words.push_back(word);
  }
  if (!line.empty() && line.back() == separator) {
    words.emplace_back();
  }
  return words;
}

/// Columns of a csv export by name; empty fields are NaN.
std::map<std::string, std::vector<double>> parse_csv(const std::string& text) {
  std::map<std::string, std::vector<double>> columns;
  Words names;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind('#', 0) == 0) {
      continue;
    }
    const Words fields = split(line, ',');
    if (names.empty()) {
      names = fields;
      continue;
    }
    REQUIRE(fields.size() == names.size());
    for (std::size_t c = 0; c < names.size(); ++c) {
      columns[names[c]].push_back(fields[c].empty() ? std::nan("")
                                                    : std::stod(fields[c]));
    }
  }
  return columns;
}

double sum(const std::vector<double>& values) {
  double result = 0.0;
  for (const double value : values) {
    result += value;
  }
  return result;
}

std::map<std::string, std::vector<double>> csv(const SharedResult& result,
                                               const Words& options) {
  const ProgramRun run = result.exported(options);
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  // Results beyond half the box have one message.
  CHECK((run.err.empty() || (run.err.starts_with("starhist: g(r) beyond r = ") &&
                             run.err.find('\n') + 1 == run.err.size())));
  return parse_csv(run.out);
}

TEST_CASE("counts and pairs out of range sum to the pairs") {
  const auto table = csv(near_water(), {"--quantity", "counts"});
  CHECK(table.size() == 6);  // r, r_lower, r_upper and three pairs
  const BlockCounts counts = total(io::read_result(near_water().path()).blocks);
  CHECK(sum(table.at("H-H")) + double(counts.out_of_range[0]) ==
        51.0 * 1768 * 1767 / 2);
  CHECK(sum(table.at("H-O")) + double(counts.out_of_range[1]) == 51.0 * 1768 * 884);
  CHECK(sum(table.at("O-O")) + double(counts.out_of_range[2]) == 51.0 * 884 * 883 / 2);
  for (std::size_t k = 0; k < 280; ++k) {
    CHECK(table.at("O-O")[k] == double(counts.counts[2][k]));
  }
  CHECK(table.at("r_lower")[0] == 0.0);
  CHECK(table.at("r_upper")[279] == 1.4);
}

TEST_CASE("g of water has the first O-O peak where it belongs, and tends to 1") {
  const auto table = csv(near_water(), {});
  const std::vector<double>& r = table.at("r");
  const std::vector<double>& g = table.at("O-O");
  std::size_t peak = 0;
  double tail = 0.0;
  std::size_t tail_bins = 0;
  for (std::size_t k = 0; k < g.size(); ++k) {
    if (r[k] < 0.35 && g[k] > g[peak]) {
      peak = k;
    }
    if (r[k] > 1.2) {
      tail += g[k];
      ++tail_bins;
    }
  }
  CHECK(std::abs(r[peak] - 0.276) < 0.005);
  CHECK(g[peak] > 2.5);
  CHECK(g[peak] < 3.5);
  CHECK(relative_error(tail / double(tail_bins), 1.0) < 0.02);
}

TEST_CASE("the coordination number of oxygen in water is 4 to 5 at 0.33 nm") {
  const auto table =
      csv(near_water(), {"--quantity", "coordination", "--pairs", "O-O,O-H"});
  CHECK(table.size() == 4);  // r, O-O, and both directions of H-O
  const std::vector<double>& r = table.at("r");
  const auto at = [&](const std::string& name, double distance) {
    std::size_t k = 0;
    while (r[k] < distance - 1e-9) {
      ++k;
    }
    return table.at(name)[k];
  };
  CHECK(at("O around O", 0.33) > 4.0);
  CHECK(at("O around O", 0.33) < 5.0);
  CHECK(relative_error(at("H around O", 0.12), 2.0) < 1e-12);  // the molecule's two
  CHECK(relative_error(at("O around H", 0.12), 1.0) < 1e-12);
}

TEST_CASE("the normalisations agree in a constant box") {
  const auto one = csv(near_water(), {});
  for (const std::string other : {"mean-volume", "per-frame"}) {
    const auto two = csv(near_water(), {"--normalization", other});
    for (std::size_t k = 0; k < 280; ++k) {
      CHECK(std::abs(two.at("O-O")[k] - one.at("O-O")[k]) < 1e-12);
    }
  }
}

TEST_CASE("g extends to the corner of the box and is empty beyond, counts are not") {
  const auto g = csv(far_water(), {});
  const auto counts = csv(far_water(), {"--quantity", "counts"});
  const double corner = 1.5 * std::sqrt(3.0);
  for (std::size_t k = 0; k < 100; ++k) {
    const double r = counts.at("r_lower")[k];
    CHECK(std::isnan(g.at("H-H")[k]) == (r >= corner));
    CHECK_FALSE(std::isnan(counts.at("H-H")[k]));
    if (r > 1.5 && r < 2.3) {  // shells that are cut, with many pairs
      CHECK(g.at("H-H")[k] == Approx(1.0).margin(0.03));
    }
  }
  const ProgramRun run = far_water().exported({});
  CHECK(missing(run.out,
                {"# g_defined_up_to: 2.61\n",
                 "# isotropic_caveat: g(r) beyond r = 1.5 nm, half the box"}) == "");
  CHECK(missing(run.err, {"is right only for isotropic systems such as liquids",
                          "repeat the cell before counting"}) == "");
  CHECK(near_water().exported({}).err == "");
}

TEST_CASE("n ends at half the box, with a remedy, and g does not") {
  const Words options{"--quantity", "coordination"};
  const ProgramRun run = far_water().exported(options);
  auto n = parse_csv(run.out);
  REQUIRE(n["r"].size() == 100);
  for (std::size_t k = 0; k < 100; ++k) {
    CHECK(std::isnan(n["O around O"][k]) == (n["r"][k] > 1.5));
  }
  CHECK(missing(run.out, {"# n_defined_up_to: 1.5\n"}) == "");
  CHECK(missing(run.err, {"undefined beyond r = 1.5 nm", "--r-max 1.5",
                          "repeat the cell before counting"}) == "");
}

TEST_CASE("if boxes change, g beyond half the width needs blocks of one box") {
  const Words far{data_file("nacl-triclinic-npt.h5"),
                  "--r-max",
                  "2.2",
                  "--bins",
                  "50",
                  "--last",
                  "3"};
  Words single = far;
  single.insert(single.end(), {"--block", "1"});
  const auto together = csv(SharedResult(far), {});
  const auto apart = csv(SharedResult(single), {});
  std::size_t more = 0;
  for (std::size_t k = 0; k < 50; ++k) {
    const double g = together.at("Cl-Cl")[k];
    const double exact = apart.at("Cl-Cl")[k];
    if (std::isnan(g)) {
      more += std::isnan(exact) ? 0 : 1;
    } else {
      CHECK(g == Approx(exact).epsilon(1e-12));
    }
  }
  CHECK(more > 5);
}

TEST_CASE("without a box g is refused, and counts and coordination numbers are not") {
  const ProgramRun refused = open_water().exported({"--quantity", "g"});
  CHECK(refused.exit_code == 1);
  CHECK(refused.out == "");
  CHECK(missing(refused.err, {"g(r) needs a volume", "counts"}) == "");
  CHECK(sum(csv(open_water(), {"--quantity", "counts"}).at("O-O")) > 0.0);
  CHECK(csv(open_water(), {"--quantity", "coordination"}).at("O around O").back() >
        0.0);
}

TEST_CASE("errors of g and coordination numbers follow each curve, counts have none") {
  const SharedResult blocks(
      {data_file("water.h5"), "--r-max", "1.4", "--bins", "70", "--block", "6"});
  const auto g = csv(blocks, {"--errors", "--pairs", "O-O"});
  const auto plain = csv(blocks, {"--pairs", "O-O"});
  CHECK(g.at("O-O") == plain.at("O-O"));
  for (std::size_t k = 20; k < 70; ++k) {
    CHECK(g.at("O-O standard error")[k] > 0.0);
    CHECK(g.at("O-O standard error")[k] < 0.1);
  }
  const auto n = csv(blocks, {"--errors", "--quantity", "coordination"});
  CHECK(n.at("O around H standard error")[69] < 0.01 * n.at("O around H")[69]);

  CHECK(missing(blocks.exported({"--errors", "--quantity", "counts"}).err,
                {"counts are exact"}) == "");
  const ProgramRun one = far_water().exported({"--errors"});
  CHECK(one.exit_code == 1);
  CHECK(missing(one.err, {"one block", "--block"}) == "");
}

TEST_CASE("a table has the format of its file's extension") {
  const RdfRunner rdf;
  REQUIRE(rdf.run({data_file("water.h5"), "--r-max", "1", "--bins", "20", "-q"})
              .exit_code == 0);
  const auto begin = [&](const std::string& command, const char* name,
                         const Words& more = {}) {
    Words words{command, rdf.output(), "-o", rdf.file(name)};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramRun run = run_program(words);
    return run.exit_code == 0 ? read_bytes(rdf.file(name)).substr(0, 600) : run.err;
  };
  for (const char* command : {"export", "analyze"}) {
    INFO(command);
    CHECK(begin(command, "t.json").rfind('{', 0) == 0);
    CHECK(begin(command, "t.xvg").find("\n@") != std::string::npos);
    for (const char* name : {"t.csv", "t.txt", "t"}) {
      const std::string text = begin(command, name);
      CHECK(text.rfind("# ", 0) == 0);
      CHECK(text.find("\n@") == std::string::npos);
    }
    CHECK(begin(command, "t.json", {"--format", "csv"}).rfind("# ", 0) == 0);
  }
}

TEST_CASE("errors from few or too short blocks come with a caveat") {
  const RdfRunner rdf;
  const auto exported = [&](const char* block, const Words& more) {
    REQUIRE(rdf.run({data_file("water.h5"), "--r-max", "1.4", "--bins", "70", "--block",
                     block, "-q", "-f"})
                .exit_code == 0);
    Words words{"export", rdf.output()};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  };
  const ProgramRun few = exported("20", {"--errors"});
  const std::string sentence = "standard errors from 3 blocks are uncertain by 50 %";
  CHECK(missing(few.out, {("# errors_caveat: " + sentence).c_str()}) == "");
  CHECK(missing(few.err, {("starhist: " + sentence).c_str()}) == "");
  const ProgramRun without = exported("20", {});
  CHECK((without.err + without.out).find("uncertain") == std::string::npos);
  CHECK(exported("10", {"--errors"}).err == "");
  const ProgramRun too_short = exported("1", {"--errors", "--format", "json"});
  CHECK(missing(too_short.err, {"too small", "blocks of 1 frame are too short"}) == "");
  CHECK(missing(too_short.out, {"\"errors_caveat\"", "too short"}) == "");
  const ProgramRun analyzed =
      run_program({"analyze", rdf.output(), "--quantity", "kirkwood-buff", "--errors"});
  CHECK(missing(analyzed.out, {"# errors_caveat: standard errors are too small"}) ==
        "");
}

TEST_CASE("json is JSON with the same numbers, null for undefined ones") {
  const RdfRunner rdf;
  const std::string json = rdf.file("g.json");
  const Words options{"--format", "json", "-o", json};
  CHECK(far_water().exported(options).exit_code == 0);
  CHECK(json_value(json, "d['quantity'], d['frames'], d['bin_count']") == "g 6 100");
  CHECK(json_value(json, "[c['label'] for c in d['curves']]") ==
        "['H-H', 'H-O', 'O-O']");
  CHECK(json_value(json, "d['curves'][2]['value'][99]") == "None");
  const auto table = csv(far_water(), {});
  for (const std::size_t bin : {13U, 14U, 50U}) {
    CHECK(std::stod(json_value(
              json, "repr(d['curves'][2]['value'][" + std::to_string(bin) + "])")) ==
          table.at("O-O")[bin]);
  }
  for (const std::string quantity : {"counts", "coordination"}) {
    CHECK(far_water()
              .exported({"--quantity", quantity, "--format", "json", "-o", json})
              .exit_code == 0);
    CHECK(json_value(json, "d['quantity']") == quantity);
  }
}

TEST_CASE("xvg has comments, settings and columns of numbers") {
  const ProgramRun run =
      far_water().exported({"--format", "xvg", "--pairs", "O-O", "--quantity", "g"});
  CHECK(run.exit_code == 0);
  const auto table = csv(far_water(), {"--pairs", "O-O"});
  std::istringstream stream(run.out);
  std::size_t rows = 0;
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind('#', 0) == 0 || line.rfind('@', 0) == 0) {
      continue;
    }
    std::istringstream numbers(line);
    double r = 0.0;
    double g = 0.0;
    std::string rest;
    CHECK(numbers >> r >> g);
    CHECK_FALSE(numbers >> rest);
    CHECK(r == table.at("r")[rows]);
    CHECK(g == table.at("O-O")[rows]);
    ++rows;
  }
  CHECK(rows == 87);  // up to the corner of the box
  CHECK(missing(run.out, {"@    xaxis  label \"r (nm)\"", "legend \"O-O\""}) == "");
}

TEST_CASE("export refuses quantities that the result does not have") {
  const auto refusal = [](const Words& options, const char* value) {
    const ProgramRun run = near_water().exported(options);
    return run.exit_code == 1 && run.out.empty()
               ? missing(run.err, {value})
               : "exit code " + std::to_string(run.exit_code);
  };
  CHECK(refusal({"--quantity", "h"}, "'h'") == "");
  CHECK(refusal({"--format", "xls"}, "'xls'") == "");
  CHECK(refusal({"--normalization", "none"}, "'none'") == "");
  CHECK(refusal({"--pairs", "O-Xe"}, "O-Xe") == "");
  CHECK(refusal({"second.h5"}, "one result file") == "");
  CHECK(refusal({"-o", "/no/such/folder/g.csv"}, "/no/such/folder/g.csv") == "");
}

TEST_CASE("commands that read a result report another file's format") {
  for (const char* command : {"export", "analyze", "merge"}) {
    Words words{command, data_file("spc.xtc")};
    if (command == std::string("merge")) {
      words.insert(words.end(), {near_water().path(), "-o", "/nowhere/out.h5"});
    }
    const ProgramRun run = run_program(words);
    INFO(run.err);
    CHECK(run.exit_code == 1);
    CHECK(missing(run.err, {"spc.xtc: is not a starhist result (an HDF5 file), but a "
                            "file of the format XTC"}) == "");
  }
}

TEST_CASE("export does not write over the result that it reads") {
  const ProgramRun run = near_water().exported({"-o", near_water().path()});
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {near_water().path().c_str()}) == "");
  CHECK(io::read_result(near_water().path()).blocks.size() == 3);
}

TEST_CASE("tables replace no HDF5 file, and have no name of another kind of file") {
  const RdfRunner rdf;
  const std::string taken = rdf.file("taken.csv");
  std::filesystem::copy_file(near_water().path(), taken);
  const ProgramRun refused = near_water().exported({"-o", taken});
  CHECK(refused.exit_code == 1);
  CHECK(missing(refused.err, {"taken.csv' would replace a file that is not text"}) ==
        "");
  CHECK(read_bytes(taken) == read_bytes(near_water().path()));
  const std::string unfinished = rdf.file("run.h5.partial");
  const std::string log = "\x89starhist log 1\n";
  write_bytes(unfinished, log);
  const ProgramRun over_log = near_water().exported({"-o", unfinished});
  CHECK(over_log.exit_code == 1);
  CHECK(missing(over_log.err,
                {"run.h5.partial' would replace a file that is not text"}) == "");
  CHECK(read_bytes(unfinished) == log);
  for (const char* name :
       {"g.png", "g.PDF", "g.gro", "g.xtc", "g.h5", "g.html", "g.xlsx"}) {
    INFO(name);
    const ProgramRun run = near_water().exported({"-o", rdf.file(name)});
    CHECK(run.exit_code == 1);
    CHECK(missing(run.err, {name, "another kind of file"}) == "");
    CHECK_FALSE(std::filesystem::exists(rdf.file(name)));
    const ProgramRun summary = rdf.run({data_file("water.h5"), "--r-max", "1", "--bins",
                                        "5", "--json", rdf.file(name)});
    CHECK(summary.exit_code == 1);
    CHECK(missing(summary.err, {"--json", name, "another kind of file"}) == "");
  }
  for (const char* name : {"g.dat", "g.txt", "g.XVG", "g"}) {
    INFO(name);
    CHECK(near_water().exported({"-o", rdf.file(name)}).exit_code == 0);
  }
  CHECK(missing(read_bytes(rdf.file("g.XVG")), {"@    xaxis"}) == "");
}

TEST_CASE("tables go to the standard output with -o -, results do not") {
  const ProgramRun run = near_water().exported({"-o", "-"});
  CHECK(run.exit_code == 0);
  CHECK(run.out == near_water().exported({}).out);
  CHECK_FALSE(std::filesystem::exists("-"));
  const ProgramRun result = run_program({"rdf", data_file("water.h5"), "-o", "-"});
  CHECK(result.exit_code == 1);
  CHECK(missing(result.err, {"'-' stands for the standard output", "-o NAME.h5"}) ==
        "");
}

TEST_CASE("a refused export creates no file") {
  const RdfRunner rdf;
  CHECK(open_water().exported({"-o", rdf.file("g.csv")}).exit_code == 1);
  CHECK_FALSE(std::filesystem::exists(rdf.file("g.csv")));
}

TEST_CASE("an incomplete export is a failure") {
  const ProgramRun run = near_water().exported({"-o", "/dev/full"});
  CHECK(run.exit_code == 2);
  ProgramSetting full;
  full.standard_output = "/dev/full";
  CHECK(run_program({"export", near_water().path()}, full).exit_code == 2);
}

TEST_CASE("info describes a result") {
  const ProgramRun run = run_program({"info", near_water().path()});
  CHECK(run.exit_code == 0);
  CHECK(missing(run.out,
                {"starhist result\n", "H, O", "280 of 0.005 nm up to 1.4 nm",
                 "blocks       3", "frames       51 (0 to 50)", "O-O: 19 904 586",
                 "option --r-max: 1.4", "scheduler: lws", "version: "}) == "");
}

TEST_CASE("info describes a trajectory") {
  const ProgramRun water = run_program({"info", data_file("water.h5")});
  CHECK(water.exit_code == 0);
  CHECK(missing(water.out, {"H5MD trajectory", "frames       51", "0 .. 5 ps", "nm",
                            "H: 1768, O: 884", "orthorhombic", "27 nm^3", "1.5 nm"}) ==
        "");
  const ProgramRun salt = run_program({"info", data_file("nacl-triclinic-npt.h5")});
  CHECK(missing(salt.out, {"frames       41", "Cl: 8, H: 1178, Na: 8, O: 589",
                           "triclinic", "17.49", " .. 18.67"}) == "");
  const ProgramRun both =
      run_program({"info", data_file("water.h5"), data_file("nacl-triclinic-npt.h5")});
  CHECK(both.exit_code == 1);
  CHECK(missing(both.err, {"nacl-triclinic-npt.h5: is of another system than",
                           "1783 particles (Cl, H, Na, O)", "2652 particles (H, O)"}) ==
        "");
}

TEST_CASE("arrays of blocks add up to the counts of the result") {
  const ProgramRun run = near_water().exported({"--arrays", "--pairs", "O-O,H-O"});
  REQUIRE(run.exit_code == 0);
  const std::size_t line = run.out.find('\n');
  CHECK(missing(run.out.substr(0, line),
                {R"("complete":true)", R"("species":["H","O"])", R"("bins":280)",
                 R"("label":"O-O","first":1,"second":1)"}) == "");
  const io::ResultFile result = io::read_result(near_water().path());
  const std::size_t blocks = result.blocks.size();
  constexpr std::size_t bins = 280;
  std::vector<std::uint64_t> words((run.out.size() - line - 1) / 8);
  const std::uint64_t frames = total(result.blocks).frames;
  REQUIRE(words.size() == bins + 1 + 3 * blocks + 2 * (3 + bins) * blocks + frames);
  REQUIRE(8 * words.size() == run.out.size() - line - 1);
  std::memcpy(words.data(), run.out.data() + line + 1, 8 * words.size());
  std::size_t at = bins + 1;
  for (const BlockCounts& block : result.blocks) {
    CHECK(words[at++] == block.frames);
  }
  at += 2 * blocks;
  for (const std::size_t pair : {2, 1}) {
    at += 3 * blocks;
    for (const BlockCounts& block : result.blocks) {
      CHECK(std::equal(block.counts[pair].begin(), block.counts[pair].end(),
                       words.begin() + static_cast<std::ptrdiff_t>(at)));
      at += bins;
    }
  }
  for (const BlockCounts& block : result.blocks) {
    for (const CountedFrame& frame : block.counted) {
      CHECK(words[at++] == frame.checksum);
    }
  }
  const ProgramRun both = near_water().exported({"--arrays", "--format", "csv"});
  CHECK(both.exit_code == 1);
  CHECK(missing(both.err, {"--format has no meaning with --arrays"}) == "");
}

}  // namespace
}  // namespace starhist::testing
