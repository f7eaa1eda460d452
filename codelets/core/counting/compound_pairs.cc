#include "codelets/core/counting/compound_pairs.hh"

#include <algorithm>
#include <numeric>

#include "codelets/core/base/contract.hh"

namespace starhist {
namespace {

using Numbers = std::vector<std::uint32_t>;

/// Numbers of the particles sorted by compound; their order within a compound is kept.
Numbers by_compound(const Numbers& compound) {
  Numbers order(compound.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return compound[a] < compound[b];
  });
  return order;
}

/// Returns the particles of the compound that starts at order[next]; advances `next`
/// past them.
Numbers take_compound(const Numbers& compound, const Numbers& order,
                      std::size_t& next) {
  Numbers taken;
  const std::uint32_t id = compound[order[next]];
  while (next < order.size() && compound[order[next]] == id) {
    taken.push_back(order[next++]);
  }
  return taken;
}

}  // namespace

CompoundPairs::CompoundPairs(const Numbers& first, const Numbers& second, bool like)
    : like_(like) {
  const Numbers first_order = by_compound(first);
  const Numbers second_order = like ? Numbers() : by_compound(second);
  std::size_t a = 0;
  std::size_t b = 0;
  while (a < first_order.size()) {
    const std::uint32_t id = first[first_order[a]];
    const Numbers rows = take_compound(first, first_order, a);
    if (like) {
      add_block(rows, rows);
      continue;
    }
    while (b < second_order.size() && second[second_order[b]] < id) {
      ++b;
    }
    if (b < second_order.size() && second[second_order[b]] == id) {
      add_block(rows, take_compound(second, second_order, b));
    }
  }
}

void CompoundPairs::add_block(const Numbers& rows, const Numbers& columns) {
  const std::uint64_t n = rows.size();
  const std::uint64_t pairs = like_ ? n * (n - 1) / 2 : n * columns.size();
  if (pairs == 0) {
    return;
  }
  pair_count_ += pairs;
  Block block;
  block.row_begin = static_cast<std::uint32_t>(rows_.size());
  rows_.insert(rows_.end(), rows.begin(), rows.end());
  block.row_end = static_cast<std::uint32_t>(rows_.size());
  if (like_) {
    block.column_begin = block.row_begin;
    block.column_end = block.row_end;
  } else {
    block.column_begin = static_cast<std::uint32_t>(columns_.size());
    columns_.insert(columns_.end(), columns.begin(), columns.end());
    block.column_end = static_cast<std::uint32_t>(columns_.size());
  }
  STARHIST_ENSURE(blocks_.empty() || blocks_.back().row_end == block.row_begin,
                  "blocks are ascending by row, without gaps");
  blocks_.push_back(block);
}

std::vector<CompoundPairs::Rows> CompoundPairs::split(std::uint64_t most_pairs) const {
  STARHIST_EXPECT(most_pairs > 0, "a piece has at least one pair");
  std::vector<Rows> pieces;
  Rows piece;
  for (const Block& block : blocks_) {
    for (std::uint32_t row = block.row_begin; row < block.row_end; ++row) {
      piece.pairs += like_ ? block.row_end - 1 - row  // columns after the row
                           : block.column_end - block.column_begin;
      piece.end = row + 1;
      if (piece.pairs >= most_pairs) {
        pieces.push_back(piece);
        piece = {row + 1, row + 1, 0};
      }
    }
  }
  if (piece.pairs > 0) {
    pieces.push_back(piece);
  }
  return pieces;
}

std::size_t CompoundPairs::block_of(std::uint32_t row) const {
  const auto after = std::upper_bound(
      blocks_.begin(), blocks_.end(), row,
      [](std::uint32_t r, const Block& block) { return r < block.row_end; });
  return static_cast<std::size_t>(after - blocks_.begin());
}

}  // namespace starhist
