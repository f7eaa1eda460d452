#include "codelets/core/base/error.hh"
#include "io/export/tables/scattering_plan.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"

namespace starhist::testing {
namespace {

HistogramLayout layout_of(double r_max, std::uint32_t bins, const std::string& unit) {
  return {{"A"}, all_pairs(1), make_bins(r_max, bins), unit, ""};
}

TEST_CASE("default q: step from the cut, maximum from the bin width") {
  const analysis::QGrid grid = io::choose_q_grid({}, layout_of(1.5, 300, "nm"), 1.5);
  CHECK(grid.step == Approx(0.5));     // pi / 6 rounded down
  CHECK(grid.first == Approx(4.5));    // 2 pi / 1.5 = 4.19 rounded up
  CHECK(grid.last() == Approx(40.0));  // 0.2 / 0.005
  CHECK(io::choose_q_grid({}, layout_of(15.0, 1500, "A"), 15.0).step == Approx(0.05));
}

TEST_CASE("default q ends at 30 / Angstrom, or at 100 for an unknown unit") {
  CHECK(io::choose_q_grid({}, layout_of(1.0, 100000, "nm"), 1.0).last() ==
        Approx(300.0));
  CHECK(io::choose_q_grid({}, layout_of(10.0, 100000, "A"), 10.0).last() ==
        Approx(30.0));
  CHECK(io::choose_q_grid({}, layout_of(10.0, 100000, ""), 10.0).last() ==
        Approx(100.0));
}

TEST_CASE("default q begins where distances determine S(q)") {
  const HistogramLayout layout = layout_of(1.5, 300, "nm");
  io::AnalysisRequest debye;
  debye.debye = true;
  CHECK(io::choose_q_grid(debye, layout, 1.5).first == Approx(0.5));
  io::AnalysisRequest small;
  small.q_max = 3.0;  // the rows have a caveat
  CHECK(io::choose_q_grid(small, layout, 1.5).first == Approx(0.5));
  io::AnalysisRequest exact;
  exact.q_step = 2.0 * 3.14159265358979 / 1.5;
  CHECK(io::choose_q_grid(exact, layout, 1.5).first == Approx(*exact.q_step));
}

TEST_CASE("explicit q is used up to pi / w") {
  const HistogramLayout layout = layout_of(1.0, 100, "nm");
  io::AnalysisRequest request;
  request.q_min = 3.0;
  request.q_max = 300.0;
  request.q_step = 1.5;
  const analysis::QGrid grid = io::choose_q_grid(request, layout, 1.0);
  CHECK(grid.first == 3.0);
  CHECK(grid.count == 199);
  request.q_max = 315.0;
  CHECK(
      missing(error_text<InputError>([&] { io::choose_q_grid(request, layout, 1.0); }),
              {"315", "pi/w = 314.159", "--q-max"}) == "");
  io::AnalysisRequest far;
  far.q_min = 100.0;  // beyond the default last value: only that one
  CHECK(io::choose_q_grid(far, layout, 1.0).count == 1);
}

}  // namespace
}  // namespace starhist::testing
