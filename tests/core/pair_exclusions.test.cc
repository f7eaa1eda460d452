#include "codelets/core/counting/pair_exclusions.hh"

#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"

namespace starhist {
namespace {

using testing::error_text;
using testing::missing;

/// Two waters O H H O H H as species "all", H and O.
HistogramLayout water_layout(Exclusion exclusion) {
  return {{"all", "H", "O"}, all_pairs(3), make_bins(1.0, 4), "nm", "ps", exclusion};
}
std::vector<SpeciesMembers> water_members() {
  return {{6, {0, 1, 2, 3, 4, 5}, {0, 0, 0, 1, 1, 1}},
          {4, {1, 2, 4, 5}, {0, 0, 1, 1}},
          {2, {0, 3}, {0, 1}}};
}
Frame water_frame() {
  Frame frame;
  frame.positions = {std::vector<double>(18), std::vector<double>(12),
                     std::vector<double>(6)};
  return frame;
}

std::vector<std::uint64_t> counted(Exclusion exclusion) {
  const HistogramLayout layout = water_layout(exclusion);
  const PairExclusions exclusions(layout, water_members());
  const PairNumbers numbers = exclusions.numbers(layout, water_frame());
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    CHECK(numbers.excluded[p] == exclusions.excluded(layout, water_frame(), PairId(p)));
    CHECK(numbers.counted[p] + numbers.excluded[p] ==
          pair_count(layout, water_frame(), PairId(p)));
  }
  CHECK(numbers.work == exclusions.work(layout, water_frame()));
  return numbers.counted;
}

TEST_CASE("pairs of two waters, counted by hand") {
  // all-all, all-H, all-O, H-H, H-O, O-O
  using Pairs = std::vector<std::uint64_t>;
  CHECK(counted(Exclusion::none) == Pairs{15, 24 - 4, 12 - 2, 6, 8, 1});
  CHECK(counted(Exclusion::same_molecule) == Pairs{9, 12, 6, 4, 4, 1});
  CHECK(counted(Exclusion::different_molecules) == Pairs{6, 8, 4, 2, 4, 0});
}

TEST_CASE("without shared particles and exclusion, members are ignored") {
  const HistogramLayout layout{{"H", "O"}, all_pairs(2), make_bins(1.0, 4), "", ""};
  const PairExclusions exclusions(layout, {{4, {1, 2, 4, 5}, {}}, {2, {0, 3}, {}}});
  Frame frame;
  frame.positions.resize(2);
  CHECK_NOTHROW(exclusions.check(layout, frame));
}

TEST_CASE("a frame with wrong particle numbers is refused, with both numbers") {
  const HistogramLayout layout = water_layout(Exclusion::same_residue);
  const PairExclusions exclusions(layout, water_members());
  CHECK_NOTHROW(exclusions.check(layout, water_frame()));
  Frame frame = water_frame();
  frame.index = FrameIndex(12);
  frame.positions[1].resize(9);
  CHECK(missing(error_text<InputError>([&] { exclusions.check(layout, frame); }),
                {"frame 12", "3 particles of species H", "4"}) == "");
}

TEST_CASE("compound centres are never shared particles") {
  HistogramLayout layout{{"O", "W"}, all_pairs(2), make_bins(1.0, 4), "", ""};
  layout.exclusion = Exclusion::same_molecule;
  const PairExclusions exclusions(layout, {{2, {0, 3}, {0, 1}}, {2, {}, {0, 1}}});
  Frame frame;
  frame.positions = {std::vector<double>(6), std::vector<double>(6)};
  CHECK(exclusions.numbers(layout, frame).counted[1] == 2);  // O-W of other molecules
  CHECK(exclusions.self_pairs(layout, frame, PairId(1)) == 0);
}

TEST_CASE("contradictory members are an internal error") {
  const HistogramLayout layout = water_layout(Exclusion::same_molecule);
  auto members = water_members();
  members[2].compound[1] = 0;  // of particle 3, which is in compound 1
  CHECK_THROWS_AS(PairExclusions(layout, members), InternalError);
  members = water_members();
  members[0].compound.clear();
  CHECK_THROWS_AS(PairExclusions(layout, members), InternalError);
  members.pop_back();
  CHECK_THROWS_AS(PairExclusions(layout, members), InternalError);
}

TEST_CASE("exclusions have names that can be read back") {
  for (const Exclusion exclusion :
       {Exclusion::none, Exclusion::same_residue, Exclusion::same_molecule,
        Exclusion::different_residues, Exclusion::different_molecules}) {
    CHECK(parse_exclusion(to_string(exclusion)) == exclusion);
  }
  CHECK(exclude_same(Compound::molecule) == Exclusion::same_molecule);
  CHECK(only_same(Compound::residue) == Exclusion::different_residues);
  CHECK(compound_of(Exclusion::different_residues) == Compound::residue);
  CHECK(missing(error_text<InputError>([] { parse_exclusion("all"); }),
                {"'all'", "same residue"}) == "");
  CHECK(missing(error_text<InputError>([] { parse_compound("chain"); }),
                {"'chain'", "residue, molecule"}) == "");
}

}  // namespace
}  // namespace starhist
