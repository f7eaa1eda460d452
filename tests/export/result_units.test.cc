#include "io/export/result_units.hh"

#include <sstream>

#include "codelets/core/base/error.hh"
#include "io/export/analysis_quantities.hh"
#include "tests/program/csv_table.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/sample_result.hh"

namespace starhist::testing {
namespace {

/// Four blocks in a cube of 3 nm.
io::ResultFile sample() {
  io::ResultFile result;
  result.path = "a.h5";
  result.layout = sample_layout(20);
  result.blocks = sample_blocks(result.layout, 4);
  for (BlockCounts& block : result.blocks) {
    block.box = Box::from_lengths_and_angles({3, 3, 3}, {90, 90, 90});
  }
  return result;
}

io::ResultFile in_units(const io::ShownUnits& units) {
  io::ResultFile result = sample();
  io::set_units(result, units);
  return result;
}

/// Returns "" if the columns whose names begin with `name` are `factor` times the
/// columns of `expected`, to 1e-12; otherwise the first that is not.
std::string differs(const std::map<std::string, std::vector<double>>& found,
                    const std::map<std::string, std::vector<double>>& expected,
                    const std::string& name, double factor) {
  int compared = 0;
  for (const auto& [column, values] : expected) {
    if (!column.starts_with(name)) {
      continue;
    }
    ++compared;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double value = found.at(column).at(k);
      if (std::isnan(value) != std::isnan(values[k]) ||
          std::abs(value - factor * values[k]) > 1e-12 * std::abs(factor * values[k])) {
        return column + " in row " + std::to_string(k);
      }
    }
  }
  return compared > 0 ? "" : "no column " + name;
}

std::map<std::string, std::vector<double>> table(const io::ResultFile& result,
                                                 const io::AnalysisRequest& request) {
  std::ostringstream out;
  io::write_analysis(out, result, request);
  return csv_columns(out.str());
}

TEST_CASE("a converted result: bins, boxes and densities change, counts do not") {
  const io::ResultFile before = sample();
  const io::ResultFile result = in_units({"", "A"});
  CHECK(result.layout.length_unit == "A");
  CHECK(result.layout.time_unit == "ps");
  CHECK(result.layout.bins.r_max == 10.0);
  CHECK(result.layout.bins.count == 20);
  for (std::size_t b = 0; b < result.blocks.size(); ++b) {
    const BlockCounts& block = result.blocks[b];
    CHECK(block.counts == before.blocks[b].counts);
    CHECK(block.volume == 270000.0);
    // Rounded to 15 digits: the error is at most 5e-15.
    CHECK(block.inverse_volume ==
          Approx(before.blocks[b].inverse_volume / 1000.0).epsilon(1e-14));
    CHECK(block.inscribed_radius == 15.0);
    CHECK(block.box->edges()[0] == Vec3{30, 0, 0});
    CHECK(block.pairs_over_volume[1] ==
          Approx(before.blocks[b].pairs_over_volume[1] / 1000.0).epsilon(1e-14));
  }
}

TEST_CASE("bins from r_min keep their number of bins below") {
  io::ResultFile result = sample();
  result.layout.bins = make_bins(1.2, 20, 10);
  io::set_units(result, {"", "pm"});
  CHECK(result.layout.bins.r_max == 1200.0);
  CHECK(result.layout.bins.r_min() == 400.0);
  CHECK(result.layout.bins.below == 10);
}

TEST_CASE("a unit for a result without one, and a contradicting one") {
  io::ResultFile result = sample();
  result.layout.length_unit = "";
  io::set_units(result, {"A", ""});
  CHECK(result.layout.length_unit == "A");
  CHECK(result.layout.bins.r_max == 1.0);
  result.layout.length_unit = "";
  io::set_units(result, {"A", "nm"});
  CHECK(result.layout.length_unit == "nm");
  CHECK(result.layout.bins.r_max == 0.1);
  result.layout.length_unit = "Angstrom";  // as a C program may spell it
  io::set_units(result, {"", "A"});
  CHECK(result.layout.bins.r_max == 0.1);
  CHECK(missing(error_text<InputError>([] {
                  in_units({"A", ""});
                }),
                {"a.h5: has lengths in nm, not in A"}) == "");
  result.layout.length_unit = "";
  CHECK(missing(error_text<InputError>([&] {
                  io::set_units(result, {"", "A"});
                }),
                {"a.h5: has no length unit", "--unit"}) == "");
  CHECK(missing(error_text<InputError>([&] {
                  io::set_units(result, {"sigma", "A"});
                }),
                {"a.h5: has lengths in sigma"}) == "");
}

TEST_CASE(
    "quantities in Angstrom equal those in nm, scaled by the power of their unit") {
  const io::ResultFile nm = sample();
  const io::ResultFile angstroms = in_units({"", "A"});
  const auto exported = [](const io::ResultFile& result, io::Quantity quantity) {
    std::ostringstream out;
    io::ExportRequest request;
    request.quantity = quantity;
    request.errors = quantity != io::Quantity::counts;
    io::write_export(out, result, request);
    return csv_columns(out.str());
  };
  for (const io::Quantity quantity :
       {io::Quantity::g, io::Quantity::counts, io::Quantity::coordination}) {
    INFO(to_string(quantity));
    const auto expected = exported(nm, quantity);
    const auto found = exported(angstroms, quantity);
    CHECK(differs(found, expected, "r", 10.0) == "");
    CHECK(differs(found, expected, "H", 1.0) == "");
  }
  io::AnalysisRequest request;
  request.quantity = &io::quantities::kirkwood_buff;
  request.errors = true;
  CHECK(differs(table(angstroms, request), table(nm, request), "R", 10.0) == "");
  CHECK(differs(table(angstroms, request), table(nm, request), "H-O", 1000.0) == "");
}

TEST_CASE("S(q) and X-ray intensities do not depend on the unit of q") {
  for (const io::AnalysisQuantity* quantity :
       {&io::quantities::structure_factor, &io::quantities::x_ray}) {
    INFO(quantity->name);
    io::AnalysisRequest in_nm;
    in_nm.quantity = quantity;
    if (quantity == &io::quantities::x_ray) {
      in_nm.elements = {{"H", "H"}, {"O", "O"}};
    }
    in_nm.q_min = 10.0;
    in_nm.q_step = 10.0;
    in_nm.q_max = 60.0;
    in_nm.r_cut = 0.5;
    io::AnalysisRequest in_angstroms = in_nm;
    in_angstroms.q_min = 1.0;
    in_angstroms.q_step = 1.0;
    in_angstroms.q_max = 6.0;
    in_angstroms.r_cut = 5.0;
    const auto expected = table(sample(), in_nm);
    const auto found = table(in_units({"", "A"}), in_angstroms);
    CHECK(differs(found, expected, "q", 0.1) == "");
    for (const char* name : {"H-O", "total", "I(q)/N", "S(q)"}) {
      if (expected.contains(name)) {
        CHECK(differs(found, expected, name, 1.0) == "");
      }
    }
  }
}

}  // namespace
}  // namespace starhist::testing
