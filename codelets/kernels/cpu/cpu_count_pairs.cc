#include "codelets/kernels/cpu/cpu_count_pairs.hh"

#include <algorithm>

#include "codelets/core/base/divide_up.hh"
#include "codelets/kernels/countable.hh"
#include "codelets/kernels/cpu/cluster_search.hh"
#include "codelets/kernels/cpu/cpu_tuning.hh"
#include "codelets/kernels/cpu/private_histogram.hh"

namespace starhist::kernels::cpu {
namespace {

/// A block cut into rectangles of cache size.
class Rectangles {
 public:
  explicit Rectangles(const PairBlock& block)
      : block_(block),
        row_tiles_(divide_up(block.row_end - block.row_begin, rows_per_cluster)),
        column_tiles_(divide_up(block.second.count, columns_per_tile)) {}

  std::size_t count() const { return row_tiles_ * column_tiles_; }

  /// Sets the bounds of rectangle `index`; returns false if it holds no pair i < j.
  bool select(std::size_t index, PairLoop& loop) const {
    const std::size_t row = index / column_tiles_;
    const std::size_t column = index % column_tiles_;
    loop.row_begin = block_.row_begin + row * rows_per_cluster;
    loop.row_end = std::min(loop.row_begin + rows_per_cluster, block_.row_end);
    loop.column_begin = column * columns_per_tile;
    loop.column_end =
        std::min(loop.column_begin + columns_per_tile, block_.second.count);
    return !block_.like || loop.row_begin + 1 < loop.column_end;
  }

 private:
  const PairBlock& block_;
  std::size_t row_tiles_;
  std::size_t column_tiles_;
};

/// The metric for pairs whose minimum images rounding finds. The constants and error
/// bounds of `searched` also apply to `triangular`.
Metric without_search(Metric metric) {
  return metric == Metric::searched ? Metric::triangular : metric;
}

/// A block prepared for the loops, which a thread keeps for its next call.
class Preparation {
 public:
  FixedPoint fixed;
  ClusterSearch search;

  /// `same_frames` as for count_pairs().
  void prepare(const PairBlock& block, std::uint64_t same_frames) {
    if (block.like && same_frames != 0 && same_frames == number_ &&
        block.second.xyz == second_.xyz && block.second.count == second_.count) {
      if (has_clusters(block)) {
        search.set_rows(block, fixed);
      }
      return;
    }
    number_ = 0;  // until the preparation is complete
    make_fixed_point(block, fixed);
    if (has_clusters(block)) {
      search.set(block, fixed);
    }
    number_ = block.like ? same_frames : 0;
    second_ = block.second;
  }
  bool has_clusters(const PairBlock& block) const {
    return block.clustered &&
           (fixed.lattice.usable || fixed.lattice.usable_with_images);
  }

 private:
  std::uint64_t number_ = 0;  ///< same_frames of the prepared like pair; otherwise 0
  PositionSpan second_;
};

}  // namespace

CountedPairs count_pairs(const Variant& variant, std::span<const PairBlock> blocks,
                         int threads, std::uint64_t* counts,
                         const std::atomic<bool>* stop, std::uint64_t same_frames) {
  STARHIST_EXPECT(threads >= 1, "a kernel uses at least one thread");
  STARHIST_EXPECT(variant.supported, "the processor supports the variant");
  STARHIST_EXPECT(are_countable(blocks), "a kernel can count the blocks");
  STARHIST_EXPECT(are_finite(blocks), "positions must be finite");
  if (pair_count(blocks) == 0) {
    return {};
  }
  thread_local Preparation own;    // is kept between calls
  Preparation& preparation = own;  // the calling thread's, shared by its team
  const FixedPoint& fixed = preparation.fixed;
  const ClusterSearch& search = preparation.search;
  std::uint64_t counted = 0;
  std::uint64_t skipped = 0;
  std::string ran;
  const auto stopped = [stop] {
    return stop != nullptr && stop->load(std::memory_order_relaxed);
  };
#pragma omp parallel num_threads(threads) if (threads > 1) reduction(+ : counted, skipped)
  {
    PrivateHistogram histogram(blocks.front().bins->count);
    for (const PairBlock& block : blocks) {
      if (block.pair_count() == 0) {
        continue;
      }
#pragma omp single
      preparation.prepare(block, same_frames);
      PairLoop loop = make_pair_loop(block, fixed);
      const char* instruction_set = "";
      const auto count_rectangle = [&] {
        loop.histogram = histogram.room_for(
            (loop.row_end - loop.row_begin) * (loop.column_end - loop.column_begin),
            counts);
        instruction_set = variant.loop(loop);
      };
      if (preparation.has_clusters(block) && search.has_near_columns()) {
        thread_local std::vector<std::uint32_t> memory;  // is kept between calls
        std::uint64_t evaluated = 0;
        NearColumns near = search.near_columns(memory);
        near.evaluated = &evaluated;
        loop.near = &near;
#pragma omp for schedule(dynamic)
        for (std::size_t group = 0; group < search.row_groups(); ++group) {
          if (stopped()) {
            continue;
          }
          loop.row_begin = search.row_group_begin(group);
          loop.row_end = search.row_group_begin(group + 1);
          loop.column_end = block.second.count;
          count_rectangle();
          const std::uint64_t beyond =
              pairs_in(block, loop.row_begin, loop.row_end, 0, block.second.count) -
              evaluated;
          histogram.add_out_of_range(beyond);
          skipped += beyond;
        }
      } else if (preparation.has_clusters(block)) {
        ClusterSearch::Near near;
        search.set_local_positions(loop);
#pragma omp for schedule(dynamic, 8)
        for (std::size_t cluster = 0; cluster < search.row_clusters(); ++cluster) {
          if (stopped()) {
            continue;
          }
          loop.row_begin = search.row_begin(cluster);
          loop.row_end = search.row_end(cluster);
          std::uint64_t in_runs = 0;
          search.visit_runs(
              cluster, near,
              [&](std::size_t begin, std::size_t end, ClusterClass of_run,
                  const NearImages* images) {
                loop.images = images;
                loop.lattice =
                    images != nullptr || fixed.usable() ? &fixed.lattice : nullptr;
                loop.metric = of_run == ClusterClass::rounded
                                  ? without_search(fixed.lattice.metric)
                                  : fixed.lattice.metric;
                in_runs += pairs_in(block, loop.row_begin, loop.row_end, begin, end);
                for (; begin < end && !stopped(); begin = loop.column_end) {
                  loop.column_begin = begin;
                  loop.column_end = std::min(begin + columns_per_tile, end);
                  count_rectangle();
                }
              });
          const std::uint64_t beyond =
              pairs_in(block, loop.row_begin, loop.row_end, 0, block.second.count) -
              in_runs;
          histogram.add_out_of_range(beyond);
          skipped += beyond;
        }
      } else {
        const Rectangles rectangles(block);
#pragma omp for schedule(dynamic)
        for (std::size_t index = 0; index < rectangles.count(); ++index) {
          if (!stopped() && rectangles.select(index, loop)) {
            count_rectangle();
          }
        }
      }
      if (*instruction_set != '\0') {
#pragma omp critical(starhist_loop_name)
        ran = std::string(instruction_set) + " " + loop_name(loop);
      }
    }
    counted += histogram.flush(counts);
  }
  STARHIST_ENSURE(skipped <= counted, "skipped pairs are a part of the counted ones");
  STARHIST_ENSURE(counted == pair_count(blocks) || stopped(),
                  "each pair is counted once, unless the kernel is stopped");
  return {counted, skipped, ran};
}

CountedPairs count_pairs(std::span<const PairBlock> blocks, int threads,
                         std::uint64_t* counts, const std::atomic<bool>* stop,
                         std::uint64_t same_frames) {
  return count_pairs(selected_variant(), blocks, threads, counts, stop, same_frames);
}

}  // namespace starhist::kernels::cpu
