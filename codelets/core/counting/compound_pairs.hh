#pragma once

#include <cstdint>
#include <vector>

namespace starhist {

/// The pairs of a species pair whose particles belong to the same unit, such as a
/// molecule; the same in all frames. They are not listed but described unit by unit,
/// so that large units take little memory.
///
/// Rows are the particles of the first species, unit by unit; only those that have a
/// partner. Row i of a unit pairs with all its columns, the particles of the second
/// species in it; for a like pair with those behind itself.
///
/// Example: species H of two waters, H1 H1 H2 H2 with units 7 7 9 9, like: rows are
/// particles 0 1 2 3 and columns the same; unit 7 has rows [0, 2) and one pair.
class CompoundPairs {
 public:
  /// Half-open ranges of rows and columns.
  struct Block {
    std::uint32_t row_begin = 0;
    std::uint32_t row_end = 0;
    std::uint32_t column_begin = 0;
    std::uint32_t column_end = 0;
  };
  /// Some of the rows, and how many pairs these have.
  struct Rows {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint64_t pairs = 0;
  };

  /// No pairs.
  CompoundPairs() = default;
  /// From the unit of each particle; for a like pair `second` is not looked at. A
  /// particle of both species of an unlike pair makes a pair with itself.
  CompoundPairs(const std::vector<std::uint32_t>& first,
                const std::vector<std::uint32_t>& second, bool like);

  bool like() const { return like_; }
  std::uint64_t pair_count() const { return pair_count_; }
  const std::vector<Block>& blocks() const { return blocks_; }  ///< by row
  /// Which particle of its species a row or column is.
  const std::vector<std::uint32_t>& rows() const { return rows_; }
  const std::vector<std::uint32_t>& columns() const { return like_ ? rows_ : columns_; }

  /// Cuts all rows into pieces of about `most_pairs` pairs, never less than a row.
  std::vector<Rows> split(std::uint64_t most_pairs) const;

  /// Index of the block that holds `row`.
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
