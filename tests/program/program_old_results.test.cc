#include <algorithm>
#include <filesystem>
#include <sstream>

#include <hdf5.h>

#include "tests/program/csv_table.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/file_bytes.hh"

// Results written by earlier versions remain readable. tests/data/result-0.1.0.* are a
// result of version 0.1.0 and that version's output for it.

namespace starhist::testing {
namespace {

const std::string stored = "result-0.1.0";

/// `text` without the lines that start with "#", which name files.
std::string table_of(const std::string& text) {
  std::istringstream lines(text);
  std::string table;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind('#', 0) != 0) {
      table += line + "\n";
    }
  }
  return table;
}

std::string printed(const RdfRunner::Words& words) {
  const ProgramRun run = run_program(words);
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  return run.out;
}

TEST_CASE("a result of version 0.1.0 is exported with its counts and g") {
  const std::string result = data_file(stored + ".h5");
  for (const char* quantity : {"counts", "g"}) {
    const std::string then =
        table_of(read_bytes(data_file(stored + "." + quantity + ".csv")));
    CHECK(std::count(then.begin(), then.end(), '\n') == 61);
    CHECK(table_of(printed({"export", result, "--quantity", quantity})) == then);
  }
}

TEST_CASE("a result of version 0.1.0 has no elements, whatever its labels") {
  const std::string result = data_file(stored + ".h5");
  const ProgramRun run = run_program({"analyze", result, "--quantity", "xray"});
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {"the elements of H, O are not recorded",
                          "--element H=...,O=..."}) == "");
  CHECK(printed({"analyze", result, "--quantity", "xray", "--element", "H=H,O=O"})
            .find("# element of O: O (--element)") != std::string::npos);
}

TEST_CASE("a result of version 0.1.0 has the counts of a current run") {
  const RdfRunner rdf;
  const ProgramRun run = rdf.run({data_file("water.h5"), "--r-max", "1.2", "--bins",
                                  "60", "--last", "9", "--block", "4"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  const io::ResultFile then = io::read_result(data_file(stored + ".h5"));
  const io::ResultFile now = rdf.result();
  CHECK(then.state == io::ResultState::complete);
  REQUIRE(then.blocks.size() == 3);
  REQUIRE(now.blocks.size() == 3);
  for (std::size_t block = 0; block < 3; ++block) {
    INFO("block " << block);
    CHECK(then.blocks[block].counts == now.blocks[block].counts);
    CHECK(then.blocks[block].out_of_range == now.blocks[block].out_of_range);
    CHECK(then.blocks[block].frames == now.blocks[block].frames);
  }
}

TEST_CASE("a result of version 0.1.0 is analyzed as by that version") {
  const auto then = csv_columns(read_bytes(data_file(stored + ".kirkwood-buff.csv")));
  const auto now = csv_columns(
      printed({"analyze", data_file(stored + ".h5"), "--quantity", "kirkwood-buff"}));
  REQUIRE(then.size() > 3);
  REQUIRE(now.size() == then.size());
  for (const auto& [name, values] : then) {
    INFO(name);
    REQUIRE(now.count(name) == 1);
    REQUIRE(now.at(name).size() == values.size());
    for (std::size_t row = 0; row < values.size(); ++row) {
      // The same sum of 60 terms; compilers may add them in another order.
      CHECK(now.at(name)[row] == Approx(values[row]).epsilon(1e-12).margin(1e-15));
    }
  }
  CHECK(csv_columns(printed({"analyze", data_file(stored + ".h5")})).size() > 3);
}

/// Turns the result into one of a version before 0.3, which did not write edge_shift.
void make_old(const std::string& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  REQUIRE(file >= 0);
  CHECK(H5Ldelete(file, "parameters/pair_histogram/edge_shift", H5P_DEFAULT) >= 0);
  CHECK(H5Fclose(file) >= 0);
}

TEST_CASE("a result of version 0.1.0 is described, and merged with one of its time") {
  const std::string result = data_file(stored + ".h5");
  CHECK(missing(printed({"info", result}),
                {"starhist result", "version: 0.1.0", "species      H, O",
                 "60 of 0.02 nm up to 1.2 nm", "10 (0 to 9)", "15 629 120",
                 "2 857 980 beyond r_max"}) == "");
  const RdfRunner rdf;
  const ProgramRun later =
      rdf.run({data_file("water.h5"), "--r-max", "1.2", "--bins", "60", "--first", "10",
               "--last", "19", "--block", "5"});
  INFO(later.err);
  REQUIRE(later.exit_code == 0);
  make_old(rdf.output());
  const std::string both = rdf.file("both.h5");
  printed({"merge", result, rdf.output(), "-o", both});
  CHECK(total(io::read_result(both).blocks).frames == 20);
  CHECK(printed({"info", both}).find("older version") != std::string::npos);
  for (const std::string& other : {result, both}) {
    const ProgramRun twice =
        run_program({"merge", result, other, "-o", rdf.file("twice.h5")});
    CHECK(twice.exit_code == 1);
    CHECK(missing(twice.err, {"has no frame checksums", "frame 0 of ",
                              other == result ? "is given twice" : "is in both"}) ==
          "");
    const std::string note = result + " has no frame checksums";
    CHECK(twice.err.find(note) == twice.err.rfind(note));
  }
}

TEST_CASE(
    "a result of version 0.1.0 has other edges, and is not merged with new ones") {
  const std::string result = data_file(stored + ".h5");
  CHECK(printed({"info", result}).find("older version") != std::string::npos);
  const RdfRunner rdf;
  const ProgramRun run = rdf.run({data_file("water.h5"), "--r-max", "1.2", "--bins",
                                  "60", "--first", "10", "--last", "13"});
  REQUIRE(run.exit_code == 0);
  CHECK(printed({"info", rdf.output()}).find("older version") == std::string::npos);
  const std::string merged = rdf.file("merged.h5");
  const ProgramRun refused = run_program({"merge", result, rdf.output(), "-o", merged});
  CHECK(refused.exit_code == 1);
  CHECK(missing(refused.err, {"different edges of bins", "result-0.1.0.h5",
                              "older version", "recount the older one"}) == "");
  CHECK(!std::filesystem::exists(merged));
}

}  // namespace
}  // namespace starhist::testing
