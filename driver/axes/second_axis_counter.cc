#include "driver/axes/second_axis_counter.hh"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/kernels/neighbours/count_second_axis.hh"
#include "codelets/kernels/species_positions.hh"
#include "tasks/runtime/cpu_topology.hh"

namespace starhist::driver {
namespace {

using kernels::SecondAxisCount;
using kernels::SecondAxisPairs;

unsigned thread_count() {
  return static_cast<unsigned>(std::max(1, tasks::usable_processors()));
}

/// Throws InputError if the counts of a few blocks and of all threads are too large.
void check_second_counts(const HistogramLayout& layout, std::uint64_t memory_bytes) {
  constexpr double blocks = 4.0;  // counted, checked, in the writer's queue, summed
  const double cells =
      static_cast<double>(layout.bins.count_from_zero()) * layout.second->count;
  const double bytes = 8.0 * cells *
                       (blocks * static_cast<double>(layout.pairs.size()) +
                        static_cast<double>(thread_count()));
  const double most = 0.25 * static_cast<double>(memory_bytes);
  if (bytes > most) {
    throw InputError(
        "--axis2 with " + grouped(layout.pairs.size()) + " pairs of species, " +
        grouped(layout.bins.count) + " bins of the distance and " +
        grouped(layout.second->count) + " of the second axis needs " +
        number_text(std::ceil(1e-6 * bytes)) +
        " MB for counts (a quarter of --memory, " +
        number_text(std::floor(1e-6 * most)) +
        " MB, is available): count fewer --pairs or bins, or give more --memory");
  }
}

/// Calls visit(i, j) for each pair within a compound.
template <class Visit>
void for_each_pair(const CompoundPairs& compounds, Visit visit) {
  for (const CompoundPairs::Block& block : compounds.blocks()) {
    for (std::uint32_t row = block.row_begin; row < block.row_end; ++row) {
      for (std::uint32_t column = compounds.like() ? row + 1 : block.column_begin;
           column < block.column_end; ++column) {
        visit(compounds.rows()[row], compounds.columns()[column]);
      }
    }
  }
}

}  // namespace

SecondAxisCounter::SecondAxisCounter(const HistogramLayout& layout,
                                     const PairExclusions& exclusions,
                                     MolecularVectors* vectors,
                                     std::uint64_t memory_bytes)
    : layout_(layout),
      exclusions_(exclusions),
      vectors_(vectors),
      threads_(thread_count()) {
  check_second_counts(layout, memory_bytes);
}

void SecondAxisCounter::add(const Frame& frame, std::uint64_t block) {
  exclusions_.check(layout_, frame);
  if (vectors_ != nullptr) {
    vectors_->read(frame);
  }
  if (blocks_.empty() || blocks_.back().number != block) {
    blocks_.push_back({block, empty_block(layout_, BlockIndex(block)).second});
  }
  const std::size_t below = std::size_t{layout_.bins.below} * layout_.second->count;
  for (std::uint32_t p = 0; p < layout_.pairs.size(); ++p) {
    const std::vector<std::uint64_t> own = count(frame, PairId(p));
    std::vector<std::uint64_t>& sum = blocks_.back().counts[p];
    for (std::size_t k = 0; k < sum.size(); ++k) {
      sum[k] += own[below + k];
    }
  }
}

/// The counts of a pair in a frame, in the bins of UniformBins::from_zero().
std::vector<std::uint64_t> SecondAxisCounter::count(const Frame& frame, PairId pair) {
  const SpeciesPair& species = layout_.pairs[pair.index()];
  const UniformBins bins = layout_.bins.from_zero();
  const SecondAxisPairs pairs{
      kernels::positions_of(frame.positions, species.first),
      kernels::positions_of(frame.positions, species.second),
      species.like(),
      frame.box,
      bins,
      *layout_.second,
      vectors_ == nullptr ? nullptr : vectors_->of(species.first)};
  const std::size_t cells = std::size_t{bins.count} * layout_.second->count;
  std::vector<std::uint64_t> sum(cells + 1);  // the last entry is not defined
  if (!counts_only_same(layout_.exclusion) && pairs.first.count > 0) {
    const SecondAxisCount counter(pairs);
    std::atomic<std::size_t> next{0};
    std::vector<std::vector<std::uint64_t>> of_threads(
        std::min<std::size_t>(thread_count(), counter.parts()));
    threads_.share_out(of_threads.size(), [&](std::size_t thread) {
      of_threads[thread].resize(cells + 1);
      for (std::size_t part = next++; part < counter.parts(); part = next++) {
        counter.count(part, of_threads[thread].data());
      }
    });
    for (const std::vector<std::uint64_t>& own : of_threads) {
      for (std::size_t k = 0; k < cells; ++k) {
        sum[k] += own[k];
      }
    }
  }
  if (layout_.exclusion != Exclusion::none) {
    // Pairs within compounds are all that count, or are subtracted: -1 modulo 2^64.
    const std::uint64_t step =
        counts_only_same(layout_.exclusion) ? 1 : ~std::uint64_t{0};
    for_each_pair(exclusions_.compounds(pair), [&](std::uint32_t i, std::uint32_t j) {
      sum[pairs.cell(i, j)] += step;
      if (layout_.second->orders(species.like()) == 2) {
        sum[pairs.cell(j, i)] += step;
      }
    });
  }
  const std::uint64_t self = exclusions_.self_pairs(layout_, frame, pair);
  if (self > 0) {
    const double zero[3] = {};
    const SecondAxisPairs same{{zero, 1}, {zero, 1}, false,
                               frame.box, bins,      *layout_.second};
    sum[same.cell(0, 0)] -= self;
  }
  return sum;
}

void SecondAxisCounter::complete(BlockCounts& block) {
  if (blocks_.empty()) {
    throw InternalError("a block has no counts by second axis");
  }
  block.second = std::move(blocks_.front().counts);
  blocks_.pop_front();
  if (!second_adds_up(layout_, block)) {
    throw InternalError("block " + std::to_string(block.index.get()) +
                        ": counts by second axis do not add up to the counts by "
                        "distance");
  }
}

}  // namespace starhist::driver
