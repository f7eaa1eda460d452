#include "driver/axes/second_axis_counter.hh"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/seconds_since.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/counting/frame_facts.hh"
#include "codelets/kernels/cpu/second_axis/cpu_count_second_axis.hh"
#include "codelets/kernels/species_positions.hh"
#include "codelets/second_axis/count_second_axis.hh"
#include "driver/axes/part_queue.hh"
#include "tasks/runtime/cpu_topology.hh"
#include "tasks/runtime/worker_tasks.hh"

namespace starhist::driver {
namespace {

using kernels::SecondAxisCount;
using kernels::SecondAxisPairs;

/// The ranges of parts that a GPU takes. A range takes some milliseconds, on any GPU,
/// so that CPUs need not wait for the last one.
class GpuShare {
 public:
  /// Empty if the pairs are so few that CPUs have counted them before a GPU begins, or
  /// too many for its numbers, or if they are counted by heights.
  static std::optional<GpuShare> of(const SecondAxisPairs& pairs, std::size_t parts) {
    const auto rows = static_cast<double>(pairs.first.count);
    const auto columns = static_cast<double>(pairs.second.count);
    constexpr double fewest_pairs = 1U << 20U;  // some ms of a core
    if (rows * columns < fewest_pairs ||
        std::max(pairs.first.count, pairs.second.count) >=
            kernels::gpu_particle_limit ||
        parts == 0 || pairs.axis.along_normal()) {
      return std::nullopt;
    }
    return GpuShare(static_cast<std::size_t>(
        std::ceil(fewest_pairs / (rows * columns) * static_cast<double>(parts))));
  }
  /// The GPU counts its first range now.
  void start() { start_ = std::chrono::steady_clock::now(); }
  std::optional<PartQueue::Range> take(PartQueue& queue, std::size_t count) {
    constexpr double seconds = 0.01;
    const double spent = seconds_since(start_);
    const std::size_t most =
        taken_ == 0 ? least_
                    : static_cast<std::size_t>(static_cast<double>(taken_) * seconds /
                                               std::max(spent, 1e-6));
    const auto range = queue.take_first(count, 2 * tasks::gpus_with_workers(), least_,
                                        std::max(least_, most));
    taken_ += range ? range->end - range->begin : 0;
    return range;
  }

 private:
  explicit GpuShare(std::size_t least) : least_(least) {}

  std::size_t least_;
  std::size_t taken_ = 0;
  std::chrono::steady_clock::time_point start_;
};

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

SecondAxisPairs second_axis_pairs(const HistogramLayout& layout, const Frame& frame,
                                  const ParticleDirections* vectors, PairId pair) {
  const SpeciesPair& species = layout.pairs[pair.index()];
  SecondAxisPairs pairs{kernels::positions_of(frame.positions, species.first),
                        kernels::positions_of(frame.positions, species.second),
                        species.like(),
                        frame.box,
                        layout.bins.from_zero(),
                        *layout.second,
                        vectors == nullptr ? nullptr : vectors->of(species.first),
                        {}};
  if (layout.second->along_normal()) {
    pairs.heights = {frame.heights[species.first.index()].data(),
                     frame.heights[species.second.index()].data(), frame.period};
  }
  return pairs;
}

std::size_t self_cell(const SecondAxisPairs& pairs) {
  const double zero[3] = {};
  SecondAxisPairs same = pairs;
  same.first = same.second = {zero, 1};
  same.like = false;
  same.directions = nullptr;
  same.heights = {zero, zero, pairs.heights.period};
  return same.cell(0, 0);
}

void check_second_counts(const HistogramLayout& layout, std::uint64_t memory_bytes) {
  constexpr double blocks = 4.0;  // counted, checked, in the writer's queue, summed
  const double cells =
      static_cast<double>(layout.bins.count_from_zero()) * layout.second->columns();
  // A worker has a histogram of 64 bits, one of 32 and one for one direction of pairs.
  constexpr double histograms_of_worker = 2.5;
  const double bytes = 8.0 * cells *
                       (blocks * static_cast<double>(layout.pairs.size()) +
                        histograms_of_worker * std::max(1, tasks::usable_processors()));
  const double most = 0.25 * static_cast<double>(memory_bytes);
  if (bytes > most) {
    throw InputError(
        "the second axis with " + grouped(layout.pairs.size()) + " pairs of species, " +
        grouped(layout.bins.count) + " bins of the distance and " +
        grouped(layout.second->count) + " of the second axis needs " +
        number_text(std::ceil(1e-6 * bytes)) +
        " MB for counts, more than a quarter of the memory for positions, " +
        number_text(std::floor(1e-6 * most)) +
        " MB: count fewer pairs of species or bins, or give more with --memory");
  }
}

SecondAxisCounter::SecondAxisCounter(const HistogramLayout& layout,
                                     const PairExclusions& exclusions,
                                     ParticleDirections* vectors,
                                     std::uint64_t memory_bytes)
    : layout_(layout), exclusions_(exclusions), vectors_(vectors) {
  check_second_counts(layout, memory_bytes);
}

void SecondAxisCounter::add(const Frame& frame, std::uint64_t block) {
  exclusions_.check(layout_, frame);
  if (vectors_ != nullptr) {
    vectors_->read(frame);
  }
  if (blocks_.empty() || blocks_.back().index != BlockIndex(block)) {
    blocks_.push_back(empty_block(layout_, BlockIndex(block)));
  }
  if (layout_.second->along_normal()) {
    add_frame(layout_.region, facts_of(layout_, exclusions_, frame), blocks_.back());
  }
  std::vector<SecondAxisPairs> pairs;
  for (std::uint32_t p = 0; p < layout_.pairs.size(); ++p) {
    pairs.push_back(second_axis_pairs(layout_, frame, vectors_, PairId(p)));
  }
  if (!counts_only_same(layout_.exclusion)) {
    count_all(pairs);
  }
  for (std::uint32_t p = 0; p < layout_.pairs.size(); ++p) {
    correct(frame, PairId(p), pairs[p]);
  }
}

/// Adds counts in the bins of UniformBins::from_zero() to the last block.
void SecondAxisCounter::add_to_block(std::size_t pair,
                                     const std::vector<std::uint64_t>& counts) {
  const std::size_t below = std::size_t{layout_.bins.below} * layout_.second->columns();
  std::vector<std::uint64_t>& sum = blocks_.back().second[pair];
  for (std::size_t k = 0; k < sum.size(); ++k) {
    sum[k] += counts[below + k];
  }
}

/// Counts all pairs of particles, without exceptions. Pairs of species are counted
/// together as long as their sorted positions take at most about 100 MB.
void SecondAxisCounter::count_all(const std::vector<SecondAxisPairs>& pairs) {
  constexpr std::size_t most_particles = 1U << 20U;
  for (std::size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
    std::size_t particles = 0;
    do {
      particles += pairs[end].first.count + pairs[end].second.count;
      ++end;
    } while (end < pairs.size() &&
             particles + pairs[end].first.count + pairs[end].second.count <=
                 most_particles);
    count_together(pairs, begin, end);
  }
}

void SecondAxisCounter::count_together(const std::vector<SecondAxisPairs>& pairs,
                                       std::size_t begin, std::size_t end) {
  std::vector<std::unique_ptr<const SecondAxisCount>> counters(pairs.size());
  tasks::run_on_workers(end - begin, [&](std::size_t k) {
    counters[begin + k] = std::make_unique<const SecondAxisCount>(pairs[begin + k]);
  });
  std::vector<std::size_t> parts;
  for (std::size_t p = begin; p < end; ++p) {
    parts.push_back(counters[p]->parts());
  }
  PartQueue queue(parts);
  std::mutex adding;
  const auto add = [&](std::size_t p, const std::vector<std::uint64_t>& counts) {
    const std::lock_guard lock(adding);
    add_to_block(p, counts);
  };
  // Counts parts of pair p without a GPU.
  const auto count_parts = [&](std::size_t p, PartQueue::Range range,
                               std::vector<std::uint64_t>& own) {
    for (std::size_t part = range.begin; part < range.end; ++part) {
      counters[p]->count(part, own.data());
    }
  };
  const auto work = [&](std::size_t /*call*/) {
    if (const std::optional<PartQueue::Part> next = queue.take_last()) {
      const std::size_t p = begin + next->count;
      std::vector<std::uint64_t> own(cells() + 1);  // the last entry is not defined
      count_parts(p, {next->part, next->part + 1}, own);
      add(p, own);
    }
  };
  const auto gpu_work = [&] {
    for (std::size_t p = begin; p < end; ++p) {
      std::optional<GpuShare> share = GpuShare::of(pairs[p], parts[p - begin]);
      const auto first = share ? share->take(queue, p - begin) : std::nullopt;
      if (!first) {
        continue;
      }
      std::vector<std::uint64_t> own(cells() + 1);
      bool begun = false;
      const bool counted = codelets::count_second_axis_on_gpu(
          counters[p]->ordered_pairs(), counters[p]->in_spatial_order(),
          [&]() -> std::optional<kernels::RowRange> {
            if (!begun) {
              begun = true;
              share->start();
              return counters[p]->rows(first->begin, first->end);
            }
            const auto range = share->take(queue, p - begin);
            return range ? std::optional(counters[p]->rows(range->begin, range->end))
                         : std::nullopt;
          },
          own.data());
      if (!counted) {
        count_parts(p, *first, own);
      }
      add(p, own);
    }
  };
  const auto or_clear = [&](const auto& function) {
    try {
      function();
    } catch (...) {
      queue.clear();  // for the other workers
      throw;
    }
  };
  tasks::run_on_workers(
      std::accumulate(parts.begin(), parts.end(), std::size_t{0}),
      [&](std::size_t call) { or_clear([&] { work(call); }); },
      [&] { or_clear(gpu_work); });
}

/// Adds the pairs within compounds if no others count, and subtracts excluded pairs.
void SecondAxisCounter::correct(const Frame& frame, PairId pair,
                                const SecondAxisPairs& pairs) {
  const std::uint64_t self = exclusions_.self_pairs(layout_, frame, pair);
  if (layout_.exclusion == Exclusion::none && self == 0) {
    return;
  }
  std::vector<std::uint64_t> sum(cells() + 1);
  if (layout_.exclusion != Exclusion::none) {
    // Pairs within compounds are all that count, or are subtracted: -1 modulo 2^64.
    const std::uint64_t step =
        counts_only_same(layout_.exclusion) ? 1 : ~std::uint64_t{0};
    for_each_pair(exclusions_.compounds(pair), [&](std::uint32_t i, std::uint32_t j) {
      sum[pairs.cell(i, j)] += step;
      if (layout_.second->orders(pairs.like) == 2) {
        sum[pairs.cell(j, i)] += step;
      }
    });
  }
  if (self > 0) {
    sum[self_cell(pairs)] -= self;
  }
  add_to_block(pair.index(), sum);
}

void SecondAxisCounter::complete(BlockCounts& block, bool full) {
  if (blocks_.empty()) {
    throw InternalError("a block has no counts by second axis");
  }
  BlockCounts& counted = blocks_.front();
  block.second = full ? std::move(counted.second) : counted.second;
  block.pairs_over_space = counted.pairs_over_space;
  block.half_period = counted.half_period;
  if (full) {
    blocks_.pop_front();
  }
  if (!second_adds_up(layout_, block)) {
    throw InternalError("block " + std::to_string(block.index.get()) +
                        ": counts by second axis do not add up to the counts by "
                        "distance");
  }
}

}  // namespace starhist::driver
