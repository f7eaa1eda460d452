#include "io/export/export.hh"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <sstream>

#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/sample_result.hh"

namespace starhist {
namespace {

using testing::error_text;
using testing::missing;

constexpr SpeciesPair h_h{SpeciesId(0), SpeciesId(0)};
constexpr SpeciesPair h_o{SpeciesId(0), SpeciesId(1)};
constexpr SpeciesPair o_o{SpeciesId(1), SpeciesId(1)};

/// Two frames of one water molecule, V = 8: per frame 1 H-H pair in bin 2 and 2 H-O
/// pairs in bin 1; no O-O pair. Bins of 0.25 nm, the last one beyond the sphere in the
/// box.
io::ResultFile water() {
  io::ResultFile result;
  result.path = "water.h5";
  result.layout = testing::sample_layout(4);
  BlockCounts block = empty_block(result.layout, BlockIndex(0));
  block.frames = 2;
  block.first_frame = FrameIndex(4);
  block.last_frame = FrameIndex(5);
  block.volume = 16.0;
  block.inverse_volume = 0.25;
  block.inscribed_radius = 0.8;
  block.particle_number = {4, 2};
  block.counts = {{0, 0, 2, 0}, {0, 4, 0, 0}, {0, 0, 0, 0}};
  block.pairs = {2, 4, 0};
  block.pairs_over_volume = {0.25, 0.5, 0.0};
  result.blocks = {block};
  return result;
}

std::string exported(const io::ResultFile& result, const io::ExportRequest& request) {
  std::ostringstream out;
  io::write_export(out, result, request);
  return out.str();
}

const std::string facts =
    "# source: water.h5\n# length_unit: nm\n# r_max: 1\n# bin_count: 4\n"
    "# frames: 2\n# first_frame: 4\n# last_frame: 5\n";

TEST_CASE("counts as csv: integers, edges, pairs out of range") {
  io::ResultFile result = water();
  result.blocks[0].counts[0][2] = 1;
  result.blocks[0].out_of_range[0] = 1;
  CHECK(exported(result, {io::Quantity::counts, io::ExportFormat::csv, {}, {}}) ==
        "# Pair distance histogram, written by starhist\n# values: pairs per bin\n"
        "# quantity: counts\n" +
            facts +
            "# H-H pairs: 2\n# H-H out_of_range: 1\n"
            "# H-O pairs: 4\n# H-O out_of_range: 0\n"
            "# O-O pairs: 0\n# O-O out_of_range: 0\n"
            "r,r_lower,r_upper,H-H,H-O,O-O\n"
            "0.125,0,0.25,0,0,0\n0.375,0.25,0.5,0,4,0\n"
            "0.625,0.5,0.75,1,0,0\n0.875,0.75,1,0,0,0\n");
}

TEST_CASE("counts beyond 2^53 stay exact") {
  io::ResultFile result = water();
  result.blocks[0].counts[0][0] = (1ULL << 60U) + 1;
  const std::string text =
      exported(result, {io::Quantity::counts, io::ExportFormat::csv, {}, {h_h}});
  CHECK(missing(text, {"\n0.125,0,0.25,1152921504606846977\n"}) == "");
}

TEST_CASE("undefined g is empty in csv, with a note") {
  const double shell = 4.0 / 3.0 * std::numbers::pi * (0.125 - 0.015625);
  const std::string text =
      exported(water(), {io::Quantity::g, io::ExportFormat::csv, {}, {}});
  CHECK(missing(text,
                {"# Radial distribution function", "# quantity: g\n",
                 "# normalization: pairs-over-volume\n", "# g_defined_up_to: 0.75\n",
                 "\nr,H-H,H-O,O-O\n0.125,0,0,\n", "\n0.875,,,\n"}) == "");
  // Two H-O pairs per frame and V = 8, both in the shell from 0.25 to 0.5.
  const std::string line = text.substr(text.find("\n0.375,") + 1);
  const double g = std::strtod(line.c_str() + std::string("0.375,0,").size(), nullptr);
  CHECK(std::abs(g / (8.0 / shell) - 1.0) < 1e-14);
}

TEST_CASE("exported numbers survive a round trip") {
  io::ResultFile result = water();
  result.layout.bins = make_bins(0.1, 3);
  for (auto& counts : result.blocks[0].counts) {
    counts.resize(3);
  }
  std::istringstream lines(
      exported(result, {io::Quantity::coordination, io::ExportFormat::csv, {}, {h_o}}));
  std::string line;
  while (line != "r,O around H,H around O") {
    REQUIRE(std::getline(lines, line));
  }
  for (std::uint32_t k = 0; k < 3; ++k) {
    REQUIRE(std::getline(lines, line));
    CHECK(std::strtod(line.c_str(), nullptr) ==
          Approx(result.layout.bins.edge(k + 1)).epsilon(1e-15));
  }
}

TEST_CASE("coordination numbers in both directions, at the upper edges") {
  const std::string text = exported(
      water(), {io::Quantity::coordination, io::ExportFormat::csv, {}, {h_o, h_h}});
  CHECK(missing(text, {"r,O around H,H around O,H around H\n0.25,0,0,0\n0.5,1,2,0\n"
                       "0.75,1,2,1\n1,,,\n"}) == "");
}

TEST_CASE("g as xvg, readable by xmgrace and readers of GROMACS files") {
  const std::string text =
      exported(water(), {io::Quantity::g, io::ExportFormat::xvg, {}, {o_o, h_o}});
  CHECK(missing(text, {"# normalization: pairs-over-volume\n",
                       "# O-O: left out, because it has no defined values\n",
                       "@    title \"Radial distribution function\"\n",
                       "@    xaxis  label \"r (nm)\"\n", "@    yaxis  label \"g(r)\"\n",
                       "@TYPE xy\n", "@ s0 legend \"H-O\"\n0.125  0\n0.375  "}) == "");
  CHECK(text.find("s1") == std::string::npos);
  CHECK(text.find("\n0.875") == std::string::npos);
  CHECK(text.substr(text.size() - 10) == "\n0.625  0\n");
}

TEST_CASE("xvg reports rows without one curve in which another one is defined") {
  const auto lost = [](const std::vector<SpeciesPair>& pairs) {
    std::ostringstream out;
    const auto notes = io::write_export(
        out, water(), {io::Quantity::pmf, io::ExportFormat::xvg, {}, pairs});
    const std::string of_file =
        out.str().find("# 2 rows left out") < 2000 ? "noted" : "";
    return of_file + (notes.empty() ? "" : ": " + notes.back());
  };
  CHECK(missing(lost({h_h, h_o}), {"noted: 2 rows left out, where some curves"}) == "");
  CHECK(lost({h_o, o_o}) == "");
}

TEST_CASE("special characters in names and units are escaped") {
  io::ResultFile result = water();
  result.layout.species = {"H\"a", "O,\\b"};
  result.layout.length_unit = "";
  result.path = "line\nbreak.h5";
  const std::string xvg =
      exported(result, {io::Quantity::counts, io::ExportFormat::xvg, {}, {h_o}});
  CHECK(missing(xvg, {"# source: line\\x0abreak.h5\n", "xaxis  label \"r\"\n",
                      "@ s0 legend \"H'a-O,/b\"\n"}) == "");
  const std::string csv =
      exported(result, {io::Quantity::counts, io::ExportFormat::csv, {}, {h_o}});
  CHECK(missing(csv, {"# length_unit: unknown\n",
                      "r,r_lower,r_upper,\"H\"\"a-O,\\b\"\n"}) == "");
  const std::string json =
      exported(result, {io::Quantity::counts, io::ExportFormat::json, {}, {h_o}});
  CHECK(missing(json, {"\"line\\nbreak.h5\"", "\"H\\\"a-O,\\\\b\""}) == "");
}

TEST_CASE("counts and g as json") {
  CHECK(exported(water(), {io::Quantity::counts, io::ExportFormat::json, {}, {h_o}}) ==
        "{\n"
        "  \"title\": \"Pair distance histogram\",\n"
        "  \"values\": \"pairs per bin\",\n"
        "  \"quantity\": \"counts\",\n"
        "  \"source\": \"water.h5\",\n"
        "  \"length_unit\": \"nm\",\n"
        "  \"r_max\": 1,\n"
        "  \"bin_count\": 4,\n"
        "  \"frames\": 2,\n"
        "  \"first_frame\": 4,\n"
        "  \"last_frame\": 5,\n"
        "  \"r\": [0.125, 0.375, 0.625, 0.875],\n"
        "  \"r_lower\": [0, 0.25, 0.5, 0.75],\n"
        "  \"r_upper\": [0.25, 0.5, 0.75, 1],\n"
        "  \"curves\": [\n"
        "    {\"label\": \"H-O\", \"pairs\": 4, \"out_of_range\": 0, "
        "\"value\": [0, 4, 0, 0]}\n"
        "  ]\n"
        "}\n");
  const std::string g =
      exported(water(), {io::Quantity::g, io::ExportFormat::json, {}, {o_o}});
  CHECK(missing(
            g, {"\"normalization\": \"pairs-over-volume\"", "\"g_defined_up_to\": 0.75",
                "\"value\": [null, null, null, null]"}) == "");
}

TEST_CASE("the requested normalization is used and named") {
  io::ResultFile result = water();
  result.blocks.push_back(result.blocks[0]);
  result.blocks[1].volume = 32.0;  // V = 16 in both frames of the second block
  result.blocks[1].inverse_volume = 0.125;
  result.blocks[1].pairs_over_volume = {0.125, 0.25, 0.0};
  result.blocks[1].counts[1] = {3, 1, 0, 0};
  const auto value = [&](analysis::Normalization normalization) {
    const std::string text = exported(
        result, {io::Quantity::g, io::ExportFormat::csv, normalization, {h_o}});
    REQUIRE(missing(text, {("# normalization: " + to_string(normalization)).c_str()}) ==
            "");
    return std::strtod(text.c_str() + text.find("\n0.375,") + 7, nullptr);
  };
  const double shell = 4.0 / 3.0 * std::numbers::pi * (0.125 - 0.015625);
  CHECK(std::abs(value(analysis::Normalization::pairs_over_volume) * shell -
                 5.0 / 0.75) < 1e-12);
  CHECK(std::abs(value(analysis::Normalization::mean_volume) * shell - 7.5) < 1e-12);
  CHECK(std::abs(value(analysis::Normalization::per_frame) * shell - 6.0) < 1e-12);
}

TEST_CASE("impossible exports are refused before anything is written") {
  std::ostringstream out;
  const auto refusal = [&out](const io::ResultFile& result,
                              const io::ExportRequest& request) {
    return error_text<InputError>([&] { io::write_export(out, result, request); });
  };
  io::ResultFile open = water();
  open.blocks[0].volume = open.blocks[0].inverse_volume = 0.0;
  CHECK(missing(refusal(open, {}), {"volume", "counts"}) == "");
  io::ResultFile selected = water();
  selected.layout.pairs = {h_h, o_o};
  CHECK(missing(
            refusal(selected, {io::Quantity::counts, io::ExportFormat::csv, {}, {h_o}}),
            {"H-O", "water.h5", "H-H, O-O"}) == "");
  io::ResultFile none = water();
  none.blocks.clear();
  CHECK(missing(refusal(none, {}), {"water.h5", "no block"}) == "");
  CHECK(out.str().empty());
}

TEST_CASE("a failing output is a RunError") {
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  CHECK(missing(error_text<RunError>([&] { io::write_export(out, water(), {}); }),
                {"water.h5"}) == "");
}

TEST_CASE("names of quantities and formats are parsed") {
  for (const auto quantity :
       {io::Quantity::counts, io::Quantity::g, io::Quantity::coordination}) {
    CHECK(io::parse_quantity(to_string(quantity)) == quantity);
  }
  CHECK(io::parse_export_format("csv") == io::ExportFormat::csv);
  CHECK(io::parse_export_format("xvg") == io::ExportFormat::xvg);
  CHECK(io::parse_export_format("json") == io::ExportFormat::json);
  CHECK(missing(error_text<InputError>([] { io::parse_quantity("h"); }),
                {"'h'", "counts, g, density, pmf, coordination"}) == "");
  CHECK(missing(error_text<InputError>([] { io::parse_export_format("xls"); }),
                {"'xls'", "csv, xvg, json"}) == "");
}

}  // namespace
}  // namespace starhist
