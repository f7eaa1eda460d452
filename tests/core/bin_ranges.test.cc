#include "codelets/core/analysis/bin_ranges.hh"

#include "codelets/core/analysis/distribution_errors.hh"
#include "codelets/core/analysis/local_density.hh"
#include "codelets/core/analysis/radial_distribution.hh"
#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/sample_result.hh"

namespace starhist::testing {
namespace {

using analysis::BinRange;
using Kind = analysis::Rebinning::Kind;
using Ranges = std::vector<BinRange>;

const UniformBins ten = make_bins(1.0, 10);

std::string refused(const UniformBins& bins, const analysis::Rebinning& rebinning) {
  return error_text<InputError>([&] { analysis::bin_ranges(bins, rebinning); });
}

TEST_CASE("lengths are printed as the decimals that were meant") {
  CHECK(decimal_text(3 * 0.001) == "0.003");
  CHECK(decimal_text(0.1 + 0.2) == "0.3");
  CHECK(decimal_text(1.0 / 3.0) == "0.3333333333333333");
  CHECK(decimal_text(0.0) == "0");
  CHECK(decimal_text(1.4) == "1.4");
  CHECK(decimal_text(3e-300 * 3) == "9e-300");
}

TEST_CASE("merged bins leave out an incomplete last range") {
  CHECK(analysis::bin_ranges(ten, {Kind::merged, 4, {}}) ==
        Ranges{{0, 4, 0.2}, {4, 8, 0.6}});
  const UniformBins from_half = make_bins(1.0, 5, 5);
  CHECK(analysis::bin_ranges(from_half, {Kind::merged, 5, {}}) == Ranges{{0, 5, 0.75}});
}

TEST_CASE("logarithmic ranges start with one bin and double") {
  const UniformBins sixteen = make_bins(16.0, 16);
  CHECK(analysis::bin_ranges(sixteen, {Kind::logarithmic, 4, {}}) ==
        Ranges{{0, 1, 0.5}, {1, 2, 1.5}, {2, 4, 3.0}, {4, 8, 6.0}, {8, 16, 12.0}});
}

TEST_CASE("bins are merged between edges, also from r_min") {
  const UniformBins from_half = make_bins(1.0, 5, 5);
  CHECK(analysis::bin_ranges(from_half, {Kind::at_edges, 0, {0.5, 0.8, 1.0}}) ==
        Ranges{{0, 3, 0.65}, {3, 5, 0.9}});
}

TEST_CASE("edges off the grid are refused with the nearest ones") {
  CHECK(missing(refused(ten, {Kind::at_edges, 0, {0.0, 0.33}}),
                {"0.33 is not a bin edge", "0.1 wide", "0.3 and 0.4"}) == "");
  CHECK(missing(refused(ten, {Kind::at_edges, 0, {0.0, 1.1}}),
                {"1.1 is outside", "from 0 to 1"}) == "");
  CHECK(missing(refused(ten, {Kind::at_edges, 0, {0.5, 0.3}}), {"0.3 is not above"}) ==
        "");
  CHECK(missing(refused(ten, {Kind::at_edges, 0, {0.5}}), {"at least two edges"}) ==
        "");
  CHECK(missing(refused(ten, {Kind::merged, 11, {}}), {"from 1 to the 10 bins"}) == "");
  CHECK(missing(refused(ten, {Kind::logarithmic, 0, {}}), {"not 0"}) == "");
}

TEST_CASE("centred ranges lie around even edges") {
  CHECK(analysis::centred_ranges(make_bins(1.0, 5)) ==
        Ranges{{0, 1, 0.0}, {1, 3, 0.4}, {3, 5, 0.8}});
  CHECK(analysis::centred_ranges(make_bins(1.0, 4)) ==
        Ranges{{0, 1, 0.0}, {1, 3, 0.5}});
  CHECK(missing(error_text<InputError>(
                    [] { analysis::centred_ranges(make_bins(1.0, 5, 5)); }),
                {"start at 0.5"}) == "");
}

TEST_CASE("a running mean is symmetric up to both ends") {
  const auto ranges = analysis::running_ranges(ten, 2, 8);
  CHECK(ranges[0] == BinRange{0, 1, 0.05});
  CHECK(ranges[1] == BinRange{0, 3, 0.15});
  CHECK(ranges[4] == BinRange{2, 7, 0.45});
  CHECK(ranges[7] == BinRange{7, 8, 0.75});
  CHECK(ranges[9] == BinRange{9, 10, 0.95});
  CHECK(analysis::running_half_width(ten, 0.3) == 1);
  CHECK(analysis::running_half_width(ten, 0.52) == 2);
  CHECK(missing(error_text<InputError>([] { analysis::running_half_width(ten, 0.1); }),
                {"at least two bins"}) == "");
}

TEST_CASE("g(r) of merged bins equals g(r) counted in wide bins") {
  const HistogramLayout narrow = sample_layout(12);
  const HistogramLayout wide = sample_layout(4);
  const auto blocks = sample_blocks(narrow, 5);
  auto merged = blocks;
  for (BlockCounts& block : merged) {
    for (auto& counts : block.counts) {
      std::vector<std::uint64_t> sums(4);
      for (std::size_t k = 0; k < 12; ++k) {
        sums[k / 3] += counts[k];
      }
      counts = sums;
    }
  }
  const auto ranges = analysis::bin_ranges(narrow.bins, {Kind::merged, 3, {}});
  const analysis::ShellVolumes shells(narrow, blocks);
  const analysis::ShellVolumes wide_shells(wide, merged);
  for (const auto normalization :
       {analysis::Normalization::pairs_over_volume,
        analysis::Normalization::mean_volume, analysis::Normalization::per_frame}) {
    for (std::uint32_t p = 0; p < 3; ++p) {
      const auto g = analysis::radial_distribution(narrow, blocks, shells, PairId(p),
                                                   normalization, ranges);
      const auto expected = analysis::radial_distribution(wide, merged, wide_shells,
                                                          PairId(p), normalization);
      const auto errors = analysis::radial_distribution_errors(
          blocks, shells, PairId(p), normalization, ranges);
      const auto expected_errors = analysis::radial_distribution_errors(
          wide, merged, wide_shells, PairId(p), normalization);
      for (std::size_t i = 0; i < 4; ++i) {
        CHECK(g[i] == Approx(expected[i]).epsilon(1e-13));
        CHECK(errors[i] == Approx(expected_errors[i]).epsilon(1e-10));
      }
    }
  }
}

TEST_CASE("g(r) of a block equals g(r) of a result with only this block") {
  const HistogramLayout layout = sample_layout(10);
  const auto blocks = sample_blocks(layout, 3);
  const auto ranges = analysis::bin_ranges(layout.bins, {});
  const analysis::ShellVolumes shells(layout, blocks);
  const auto norm = analysis::Normalization::pairs_over_volume;
  CHECK(analysis::block_radial_distribution(layout, blocks, 1, shells, PairId(1), norm,
                                            ranges) ==
        analysis::radial_distribution(layout, {blocks[1]}, PairId(1), norm));
}

TEST_CASE("densities around a particle: neighbours over shells") {
  const HistogramLayout layout = sample_layout(10);
  auto blocks = sample_blocks(layout, 4);
  const auto ranges = analysis::bin_ranges(layout.bins, {Kind::merged, 10, {}});
  const auto closed = analysis::local_densities(layout, blocks, PairId(1), ranges);
  REQUIRE(closed.size() == 2);
  double counts = 0.0;
  for (const BlockCounts& block : blocks) {
    for (const std::uint64_t count : block.counts[1]) {
      counts += static_cast<double>(count);
    }
  }
  const double ball = 4.0 / 3.0 * 3.14159265358979323846;
  CHECK(closed[0].value[0] == Approx(counts / (40 * 8 * ball)));
  CHECK(closed[1].value[0] == Approx(counts / (40 * 4 * ball)));
  CHECK(closed[0].errors[0] > 0.0);
  // An open box has no volume, but shells.
  for (BlockCounts& block : blocks) {
    block.volume = block.inverse_volume = 0.0;
    block.pairs_over_volume = {0.0, 0.0, 0.0};
    block.inscribed_radius = std::numeric_limits<double>::infinity();
  }
  CHECK(analysis::local_densities(layout, blocks, PairId(1), ranges)[0].value ==
        closed[0].value);
}

}  // namespace
}  // namespace starhist::testing
