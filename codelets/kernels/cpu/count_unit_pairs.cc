#include "codelets/kernels/cpu/count_unit_pairs.hh"

#include <algorithm>
#include <vector>

#include "codelets/kernels/cpu/count_pairs.hh"
#include "codelets/kernels/cpu/private_histogram.hh"

namespace starhist::kernels::cpu {
namespace {

/// From so many pairs on, a unit is worth the preparations of count_pairs.
constexpr std::uint64_t large_unit = 4096;

/// Collects pairs for a pair loop, which takes them by the defining function.
class PairList {
 public:
  PairList(const UnitBlock& block, PrivateHistogram& histogram, std::uint64_t* counts)
      : histogram_(histogram), counts_(counts) {
    pairs_.first = block.first;
    pairs_.second = block.second;
    pairs_.image = block.image;
    pairs_.bins = block.bins;
    loop_.block = &pairs_;
    loop_.listed_row = row_;
    loop_.listed_column = column_;
  }
  ~PairList() { count(); }
  PairList(const PairList&) = delete;
  PairList& operator=(const PairList&) = delete;

  /// The pairs of one row.
  void add(std::uint32_t particle, const std::uint32_t* partners, std::size_t size) {
    for (std::size_t k = 0; k < size; ++k) {
      if (loop_.listed_count == capacity) {
        count();
      }
      row_[loop_.listed_count] = particle;
      column_[loop_.listed_count] = partners[k];
      ++loop_.listed_count;
    }
  }

 private:
  void count() {
    loop_.histogram = histogram_.room_for(loop_.listed_count, counts_);
    selected_variant().loop(loop_);
    loop_.listed_count = 0;
  }

  static constexpr std::size_t capacity = 512;
  PrivateHistogram& histogram_;
  std::uint64_t* counts_;
  PairBlock pairs_;
  PairLoop loop_;
  std::uint32_t row_[capacity];
  std::uint32_t column_[capacity];
};

/// Rows and columns of one unit, rows cut to those that are wanted.
struct UnitRows {
  UnitPairs::Block unit;
  std::uint32_t begin;
  std::uint32_t end;

  std::uint64_t pairs_at_most() const {
    return std::uint64_t{end - begin} * (unit.column_end - unit.column_begin);
  }
};

template <class Visit>
void visit_units(const UnitBlock& block, Visit visit) {
  const auto& units = block.units->blocks();
  for (std::size_t b = block.units->block_of(block.rows.begin);
       b < units.size() && units[b].row_begin < block.rows.end; ++b) {
    visit(UnitRows{units[b], std::max(units[b].row_begin, block.rows.begin),
                   std::min(units[b].row_end, block.rows.end)});
  }
}

void list_unit(const UnitPairs& units, const UnitRows& rows, PairList& list) {
  for (std::uint32_t row = rows.begin; row < rows.end; ++row) {
    const std::uint32_t column = units.like() ? row + 1 : rows.unit.column_begin;
    list.add(units.rows()[row], units.columns().data() + column,
             rows.unit.column_end - column);
  }
}

/// Positions of some particles, one after the other.
std::vector<double> gathered(PositionSpan positions,
                             const std::vector<std::uint32_t>& particles,
                             std::uint32_t begin, std::uint32_t end) {
  std::vector<double> xyz;
  xyz.reserve(3 * std::size_t{end - begin});
  for (std::uint32_t k = begin; k < end; ++k) {
    const double* p = positions.xyz + 3 * std::size_t{particles[k]};
    xyz.insert(xyz.end(), p, p + 3);
  }
  return xyz;
}

std::uint64_t count_large_unit(const UnitBlock& block, const UnitRows& rows,
                               int threads, std::uint64_t* counts) {
  const UnitPairs& units = *block.units;
  const UnitPairs::Block& unit = rows.unit;
  const std::vector<double> second =
      gathered(block.second, units.columns(), unit.column_begin, unit.column_end);
  const std::vector<double> first =
      units.like() ? std::vector<double>()
                   : gathered(block.first, units.rows(), unit.row_begin, unit.row_end);
  PairBlock pairs;
  pairs.second = {second.data(), second.size() / 3};
  pairs.first =
      units.like() ? pairs.second : PositionSpan{first.data(), first.size() / 3};
  pairs.like = units.like();
  pairs.row_begin = rows.begin - unit.row_begin;
  pairs.row_end = rows.end - unit.row_begin;
  pairs.image = block.image;
  pairs.bins = block.bins;
  return count_pairs({&pairs, 1}, threads, counts);
}

}  // namespace

std::uint64_t count_unit_pairs(std::span<const UnitBlock> blocks, int threads,
                               std::uint64_t* counts) {
  if (blocks.empty()) {
    return 0;
  }
  std::uint64_t counted = 0;
  for (const UnitBlock& block : blocks) {  // first: they use the same private memory
    visit_units(block, [&](const UnitRows& rows) {
      if (rows.pairs_at_most() >= large_unit) {
        counted += count_large_unit(block, rows, threads, counts);
      }
    });
  }
  PrivateHistogram histogram(blocks.front().bins->count);
  for (const UnitBlock& block : blocks) {
    PairList list(block, histogram, counts);
    visit_units(block, [&](const UnitRows& rows) {
      if (rows.pairs_at_most() < large_unit) {
        list_unit(*block.units, rows, list);
      }
    });
  }
  return counted + histogram.flush(counts);
}

}  // namespace starhist::kernels::cpu
