#pragma once

#include <cstdint>
#include <vector>

namespace starhist {

/// The pairs of a species pair whose particles belong to the same compound, such as a
/// molecule; the same in all frames. They are stored compound by compound, not listed,
/// so that large compounds take little memory.
///
/// Rows are the particles of the first species, compound by compound, without those
/// that have no partner. A row pairs with all columns of its compound, the particles of
/// the second species in it; in a like pair with the columns after itself.
///
/// Example: species H of two waters, H1 H1 H2 H2 with compounds 7 7 9 9, like: rows are
/// particles 0 1 2 3 and columns the same; compound 7 has rows [0, 2) and one pair.
class CompoundPairs {
 public:
  /// A compound: half-open ranges of rows and columns.
  struct Block {
    std::uint32_t row_begin = 0;
    std::uint32_t row_end = 0;
    std::uint32_t column_begin = 0;
    std::uint32_t column_end = 0;
  };
  /// Rows [begin, end) and their number of pairs.
  struct Rows {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint64_t pairs = 0;
  };

  /// No pairs.
  CompoundPairs() = default;
  /// Takes the compound number of each particle of both species; `second` is ignored if
  /// `like`. In an unlike pair a particle of both species pairs with itself.
  CompoundPairs(const std::vector<std::uint32_t>& first,
                const std::vector<std::uint32_t>& second, bool like);

  bool like() const { return like_; }
  std::uint64_t pair_count() const { return pair_count_; }
  const std::vector<Block>& blocks() const { return blocks_; }  ///< ascending by row
  /// Number of the particle, within its species, of each row and each column.
  const std::vector<std::uint32_t>& rows() const { return rows_; }
  const std::vector<std::uint32_t>& columns() const { return like_ ? rows_ : columns_; }

  /// Cuts all rows into pieces. A piece ends with the row that completes `most_pairs`
  /// pairs.
  std::vector<Rows> split(std::uint64_t most_pairs) const;

  /// Index of the block that holds `row`; blocks().size() for a row after the last.
  std::size_t block_of(std::uint32_t row) const;

 private:
  void add_block(const std::vector<std::uint32_t>& rows,
                 const std::vector<std::uint32_t>& columns);

  bool like_ = false;
  std::uint64_t pair_count_ = 0;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> columns_;
};

}  // namespace starhist
