#include "codelets/kernels/cpu/count_compound_pairs.hh"

#include <algorithm>
#include <vector>

#include "codelets/kernels/countable.hh"
#include "codelets/kernels/cpu/cpu_count_pairs.hh"
#include "codelets/kernels/cpu/private_histogram.hh"

namespace starhist::kernels::cpu {
namespace {

/// Smallest number of pairs for which a compound is worth the preparations of
/// count_pairs().
constexpr std::uint64_t large_compound = 4096;

/// Collects pairs for a pair loop, which counts them by the defining function.
class PairList {
 public:
  PairList(const CompoundBlock& block, PrivateHistogram& histogram,
           std::uint64_t* counts)
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

  /// Adds the pairs of one row with `size` partners.
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

/// A compound with its rows that the block counts: [begin, end).
struct CompoundRows {
  CompoundPairs::Block compound;
  std::uint32_t begin;
  std::uint32_t end;

  std::uint64_t pairs_at_most() const {
    return std::uint64_t{end - begin} * (compound.column_end - compound.column_begin);
  }
};

template <class Visit>
void visit_compounds(const CompoundBlock& block, Visit visit) {
  const auto& compounds = block.compounds->blocks();
  for (std::size_t b = block.compounds->block_of(block.rows.begin);
       b < compounds.size() && compounds[b].row_begin < block.rows.end; ++b) {
    visit(CompoundRows{compounds[b], std::max(compounds[b].row_begin, block.rows.begin),
                       std::min(compounds[b].row_end, block.rows.end)});
  }
}

void list_compound(const CompoundPairs& compounds, const CompoundRows& rows,
                   PairList& list) {
  for (std::uint32_t row = rows.begin; row < rows.end; ++row) {
    const std::uint32_t column =
        compounds.like() ? row + 1 : rows.compound.column_begin;
    list.add(compounds.rows()[row], compounds.columns().data() + column,
             rows.compound.column_end - column);
  }
}

/// Positions of particles[begin .. end), one after the other.
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

std::uint64_t count_large_compound(const CompoundBlock& block, const CompoundRows& rows,
                                   int threads, std::uint64_t* counts) {
  const CompoundPairs& compounds = *block.compounds;
  const CompoundPairs::Block& compound = rows.compound;
  const std::vector<double> second = gathered(
      block.second, compounds.columns(), compound.column_begin, compound.column_end);
  const std::vector<double> first =
      compounds.like() ? std::vector<double>()
                       : gathered(block.first, compounds.rows(), compound.row_begin,
                                  compound.row_end);
  PairBlock pairs;
  pairs.second = {second.data(), second.size() / 3};
  pairs.first =
      compounds.like() ? pairs.second : PositionSpan{first.data(), first.size() / 3};
  pairs.like = compounds.like();
  pairs.row_begin = rows.begin - compound.row_begin;
  pairs.row_end = rows.end - compound.row_begin;
  pairs.image = block.image;
  pairs.bins = block.bins;
  return count_pairs({&pairs, 1}, threads, counts).pairs;
}

}  // namespace

std::uint64_t count_compound_pairs(std::span<const CompoundBlock> blocks, int threads,
                                   std::uint64_t* counts) {
  if (blocks.empty()) {
    return 0;
  }
  STARHIST_EXPECT(threads >= 1, "a kernel uses at least one thread");
  for (const CompoundBlock& block : blocks) {
    STARHIST_EXPECT(block.rows.begin <= block.rows.end &&
                        block.rows.end <= block.compounds->rows().size(),
                    "the rows of a block are rows of its compounds");
    STARHIST_EXPECT(are_finite(block.first), "positions must be finite");
    STARHIST_EXPECT(are_finite(block.second), "positions must be finite");
  }
  std::uint64_t counted = 0;
  for (const CompoundBlock& block :
       blocks) {  // first, because they use the same private memory
    visit_compounds(block, [&](const CompoundRows& rows) {
      if (rows.pairs_at_most() >= large_compound) {
        counted += count_large_compound(block, rows, threads, counts);
      }
    });
  }
  PrivateHistogram histogram(blocks.front().bins->count);
  for (const CompoundBlock& block : blocks) {
    PairList list(block, histogram, counts);
    visit_compounds(block, [&](const CompoundRows& rows) {
      if (rows.pairs_at_most() < large_compound) {
        list_compound(*block.compounds, rows, list);
      }
    });
  }
  return counted + histogram.flush(counts);
}

}  // namespace starhist::kernels::cpu
