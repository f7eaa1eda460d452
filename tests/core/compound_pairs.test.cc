#include "codelets/core/counting/compound_pairs.hh"

#include <algorithm>
#include <set>
#include <utility>

#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist {
namespace {

using Numbers = std::vector<std::uint32_t>;
using Pairs = std::multiset<std::pair<std::uint32_t, std::uint32_t>>;

/// All pairs of particles that `compounds` describes, in some of its rows.
Pairs pairs_of(const CompoundPairs& compounds, std::uint32_t begin, std::uint32_t end) {
  Pairs pairs;
  for (std::uint32_t row = begin; row < end; ++row) {
    const CompoundPairs::Block& block = compounds.blocks()[compounds.block_of(row)];
    for (std::uint32_t column = compounds.like() ? row + 1 : block.column_begin;
         column < block.column_end; ++column) {
      const auto a = compounds.rows()[row];
      const auto b = compounds.columns()[column];
      const bool swap = compounds.like() && b < a;
      pairs.insert({swap ? b : a, swap ? a : b});
    }
  }
  return pairs;
}

Pairs pairs_of(const CompoundPairs& compounds) {
  return pairs_of(compounds, 0, static_cast<std::uint32_t>(compounds.rows().size()));
}

TEST_CASE("two waters: H-H within, H-O within, no O-O") {
  const Numbers hydrogen{7, 7, 9, 9};
  const Numbers oxygen{9, 7};
  const CompoundPairs h_h(hydrogen, hydrogen, true);
  CHECK(h_h.pair_count() == 2);
  CHECK(pairs_of(h_h) == Pairs{{0, 1}, {2, 3}});
  const CompoundPairs h_o(hydrogen, oxygen, false);
  CHECK(h_o.pair_count() == 4);
  CHECK(pairs_of(h_o) == Pairs{{0, 1}, {1, 1}, {2, 0}, {3, 0}});
  const CompoundPairs o_o(oxygen, oxygen, true);
  CHECK(o_o.pair_count() == 0);
  CHECK(o_o.rows().empty());
}

TEST_CASE("empty species, and no common compound, have no pairs") {
  CHECK(CompoundPairs().pair_count() == 0);
  CHECK(CompoundPairs({}, {}, true).pair_count() == 0);
  CHECK(CompoundPairs({1, 2}, {}, false).pair_count() == 0);
  CHECK(CompoundPairs({1, 2}, {3, 4}, false).pair_count() == 0);
  CHECK(CompoundPairs().split(10).empty());
}

TEST_CASE("random compounds have the pairs of a double loop, also when cut into rows") {
  testing::Random random(17);
  for (int round = 0; round < 200; ++round) {
    const bool like = random.chance(0.5);
    const std::uint64_t compounds = 1 + random.below(12);
    Numbers first(random.below(60));
    Numbers second(random.below(60));
    for (Numbers* numbers : {&first, &second}) {
      for (std::uint32_t& compound : *numbers) {
        compound = static_cast<std::uint32_t>(random.below(compounds));
      }
    }
    Pairs expected;
    const Numbers& others = like ? first : second;
    for (std::uint32_t i = 0; i < first.size(); ++i) {
      for (std::uint32_t j = like ? i + 1 : 0; j < others.size(); ++j) {
        if (first[i] == others[j]) {
          expected.insert({i, j});
        }
      }
    }
    const CompoundPairs made(first, second, like);
    CHECK(made.pair_count() == expected.size());
    CHECK(pairs_of(made) == expected);
    Pairs in_pieces;
    for (const CompoundPairs::Rows& rows : made.split(1 + random.below(30))) {
      const Pairs piece = pairs_of(made, rows.begin, rows.end);
      CHECK(piece.size() == rows.pairs);
      in_pieces.insert(piece.begin(), piece.end());
    }
    CHECK(in_pieces == expected);
  }
}

}  // namespace
}  // namespace starhist
