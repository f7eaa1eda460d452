#include "io/export/other_program.hh"

#include <algorithm>
#include <numbers>
#include <sstream>

#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/sample_result.hh"

// The tables of `starhist export --like` from sums that are known by hand.

namespace starhist {
namespace {

using io::OtherProgram;
using testing::error_text;
using testing::missing;

constexpr SpeciesPair pair_h_h{SpeciesId(0), SpeciesId(0)};
constexpr SpeciesPair pair_h_o{SpeciesId(0), SpeciesId(1)};

/// A block of one frame of volume `volume` with `hydrogens` H and 2 O, of whose pairs 4
/// are in bin 1.
BlockCounts frame(const HistogramLayout& layout, std::uint32_t number, double volume,
                  std::uint64_t hydrogens) {
  BlockCounts block = empty_block(layout, BlockIndex(number));
  block.frames = 1;
  block.first_frame = block.last_frame = FrameIndex(number);
  block.volume = volume;
  block.inverse_volume = 1.0 / volume;
  block.inscribed_radius = 0.8;
  block.particle_number = {hydrogens, 2};
  block.pairs = {hydrogens * (hydrogens - 1) / 2, 2 * hydrogens, 1};
  block.counts[1] = {0, 4, 0, 0};
  for (std::size_t p = 0; p < 3; ++p) {
    block.out_of_range[p] = block.pairs[p] - (p == 1 ? 4 : 0);
    block.pairs_over_volume[p] = static_cast<double>(block.pairs[p]) / volume;
  }
  return block;
}

/// Two frames, of 4 H in V = 8 and of 8 H in V = 10, in bins of 0.25 nm up to 1 nm, the
/// last one of which the box cuts.
io::ResultFile changing(bool one_block = false) {
  io::ResultFile result;
  result.path = "water.h5";
  result.layout = testing::sample_layout(4);
  result.blocks = {frame(result.layout, 0, 8.0, 4), frame(result.layout, 1, 10.0, 8)};
  if (one_block) {
    result.blocks = {total(result.blocks)};
  }
  return result;
}

/// Rows of numbers of a table like a program's, of the pairs.
std::vector<std::vector<double>> rows(OtherProgram program,
                                      const std::vector<CentredPair>& pairs,
                                      const io::ResultFile& result = changing(),
                                      bool cumulative = false) {
  std::ostringstream out;
  io::write_like(out, result, {program, pairs, cumulative});
  std::istringstream text(out.str());
  std::vector<std::vector<double>> numbers;
  for (std::string line; std::getline(text, line);) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream words(line);
    std::vector<double> row;
    for (double number = 0.0; words >> number;) {
      row.push_back(number);
    }
    if (row.size() > 1) {
      numbers.push_back(row);
    }
  }
  return numbers;
}

TEST_CASE("both directions of a pair have columns, in the order of the list") {
  const auto lammps = rows(OtherProgram::lammps,
                           {{pair_h_o, true}, {pair_h_h, false}, {pair_h_o, false}});
  REQUIRE(lammps.size() == 4);  // a line of the step, and three bins in the sphere
  REQUIRE(lammps[2].size() == 8);
  CHECK(lammps[2][2] == Approx(lammps[2][6]));
  CHECK(lammps[2][3] == Approx(2.0));                          // H around O
  CHECK(lammps[2][7] == Approx((4.0 / 4.0 + 4.0 / 8.0) / 2));  // O around H
  const auto gmx =
      rows(OtherProgram::gmx, {{pair_h_o, false}, {pair_h_o, true}}, changing(), true);
  REQUIRE(gmx.size() == 2);
  CHECK(gmx[0][1] == Approx(8.0 / 12.0));  // gmx divides sums
  CHECK(gmx[0][2] == Approx(2.0));
  std::ostringstream text;
  io::write_like(text, changing(),
                 {OtherProgram::lammps, {{pair_h_o, true}, {pair_h_o, false}}});
  CHECK(missing(text.str(), {"c_rdf[2] c_rdf[3] of O-H", "c_rdf[4] c_rdf[5] of H-O"}) ==
        "");
}

TEST_CASE("LAMMPS and VMD average n over frames, and need one number per block") {
  const double mean = (4.0 / 4.0 + 4.0 / 8.0) / 2;
  CHECK(rows(OtherProgram::vmd, {{pair_h_o, false}})[1][2] == Approx(mean));
  for (const OtherProgram program : {OtherProgram::lammps, OtherProgram::vmd}) {
    CHECK(missing(error_text<InputError>([&] {
                    rows(program, {{pair_h_o, false}}, changing(true));
                  }),
                  {"--block 1"}) == "");
  }
}

TEST_CASE("gmx divides by mean N of the centre times mean N/V of the others") {
  // Row 1 holds bins 1 and 2, from 0.25 to 0.75 nm.
  const double shell = 4.0 / 3.0 * std::numbers::pi * (0.421875 - 0.015625);
  const double around_h = 6.0 * (2.0 / 8.0 + 2.0 / 10.0) / 2;
  const double around_o = 2.0 * (4.0 / 8.0 + 8.0 / 10.0) / 2;
  const auto both = rows(OtherProgram::gmx, {{pair_h_o, false}, {pair_h_o, true}});
  CHECK(both[1][1] == Approx(4.0 / (around_h * shell)));
  CHECK(both[1][2] == Approx(4.0 / (around_o * shell)));
  CHECK(missing(error_text<InputError>([] {
                  rows(OtherProgram::gmx, {{pair_h_o, false}}, changing(true));
                }),
                {"H-O", "block 0", "--block 1"}) == "");
}

TEST_CASE("freud divides by the numbers of the last frame") {
  const double shell = 4.0 / 3.0 * std::numbers::pi * (0.125 - 0.015625);
  const auto freud = rows(OtherProgram::freud, {{pair_h_o, false}});
  CHECK(freud[1][1] == Approx(4.0 / (8.0 * 2.0 / 10.0 * shell)));
  CHECK(freud[1][2] == Approx(4.0 / 8.0));
}

TEST_CASE("notes name the direction of n, and the r from which shells are cut") {
  std::ostringstream out;
  const auto notes = [&](OtherProgram program, bool cumulative = false) {
    std::string all;
    for (const std::string& note :
         io::write_like(out, changing(), {program, {}, cumulative})) {
      all += note + "\n";
    }
    return all;
  };
  CHECK(missing(notes(OtherProgram::gmx, true),
                {"n of H-O counts O around H", "--pairs O-H counts H around O"}) == "");
  CHECK(notes(OtherProgram::gmx).find("counts") == std::string::npos);
  CHECK(missing(notes(OtherProgram::gmx), {"too small beyond r = 0.75", "--like"}) ==
        "");
  CHECK(missing(out.str(), {"too small beyond r = 0.75"}) == "");
  CHECK(missing(notes(OtherProgram::lammps), {"every image"}) == "");
}

TEST_CASE("particles in a plane have no table like LAMMPS or freud from space") {
  io::ResultFile result = changing();
  result.record = {{"result 1 particles in the plane", "xy"}};
  for (const OtherProgram program : {OtherProgram::lammps, OtherProgram::freud}) {
    CHECK(missing(error_text<InputError>([&] {
                    rows(program, {{pair_h_o, false}}, result);
                  }),
                  {"--plane xy"}) == "");
  }
  CHECK(!rows(OtherProgram::mdanalysis, {{pair_h_o, false}}, result).empty());
}

}  // namespace
}  // namespace starhist
