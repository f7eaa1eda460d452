#include "codelets/core/base/contract.hh"

#include <type_traits>
#include <vector>

#include "tests/support/catch.hh"

#ifdef STARHIST_CONTRACTS

#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/lag_layout.hh"
#include "codelets/core/molecules/whole_compound.hh"
#include "tests/support/broken_contract.hh"
#include "tests/support/error_text.hh"
#endif

namespace starhist {
namespace {

#ifdef STARHIST_CONTRACTS

using testing::broken_contract;
using testing::missing;

HistogramLayout water() {
  HistogramLayout layout;
  layout.species = {"O", "H"};
  layout.pairs = all_pairs(2);
  layout.bins = make_bins(1.0, 4);
  return layout;
}

TEST_CASE("a broken contract prints its place, condition and rule") {
  const int answer = 41;
  const std::string text =
      broken_contract([&] { STARHIST_EXPECT(answer == 42, "the answer is known"); });
  CHECK(missing(text, {"contract.test.cc:", "broken precondition",
                       "the answer is known (answer == 42)"}) == "");
  CHECK(missing(broken_contract([] { STARHIST_ENSURE(false, "a sum is positive"); }),
                {"broken invariant: a sum is positive"}) == "");
}

TEST_CASE("a kept contract does not end the process") {
  CHECK(broken_contract([] { STARHIST_EXPECT(true, "nothing is wrong"); }) == "");
}

TEST_CASE("an edge beyond the last bin breaks a contract") {
  const UniformBins bins = make_bins(1.0, 4);
  CHECK(broken_contract([&] { bins.edge(4); }) == "");
  CHECK(missing(broken_contract([&] { bins.edge(5); }), {"edges 0 .. count"}) == "");
  CHECK(missing(broken_contract([] { UniformBins{}.width(); }), {"empty bins"}) == "");
}

TEST_CASE("a sum of no blocks breaks a contract") {
  CHECK(missing(broken_contract([] { total({}); }), {"a sum needs a block"}) == "");
}

TEST_CASE("blocks of different layouts cannot be added") {
  HistogramLayout other = water();
  other.bins = make_bins(1.0, 5);
  const BlockCounts four = empty_block(water(), BlockIndex(0));
  BlockCounts five = empty_block(other, BlockIndex(0));
  CHECK(missing(broken_contract([&] { add_counts(four, five); }), {"same layout"}) ==
        "");
}

TEST_CASE("a species that a frame lacks breaks a contract") {
  Frame frame;
  frame.positions.resize(1);
  CHECK(missing(broken_contract([&] { frame.particle_count(SpeciesId(1)); }),
                {"has this species"}) == "");
}

TEST_CASE("lags out of order break a contract") {
  CHECK(broken_contract([] { sets_of({water(), {0, 2}}); }) == "");
  CHECK(missing(broken_contract([] {
                  sets_of({water(), {2, 1}});
                }),
                {"ascending"}) == "");
}

TEST_CASE("negative and surplus weights of a compound break contracts") {
  const std::vector<Vec3> two(2);
  CHECK(missing(broken_contract([&] {
                  centre_of({}, two, {2.0, -1.0});
                }),
                {"must not be negative"}) == "");
  CHECK(missing(broken_contract([&] {
                  centre_of({}, two, {0.0, 0.0});
                }),
                {"must not be all zero"}) == "");
  CHECK(missing(broken_contract([&] {
                  centre_of({}, two, {1.0, 1.0, 1.0});
                }),
                {"each weight is of a particle"}) == "");
}

#else

TEST_CASE("without contracts a condition is not evaluated") {
  bool evaluated = false;
  const auto condition = [&evaluated] {
    evaluated = true;
    return false;
  };
  STARHIST_EXPECT(condition(), "this is not checked");
  STARHIST_ENSURE(condition(), "this is not checked");
  CHECK_FALSE(evaluated);
}

#endif

}  // namespace
}  // namespace starhist
