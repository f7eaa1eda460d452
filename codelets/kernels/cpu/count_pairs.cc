#include "codelets/kernels/cpu/count_pairs.hh"

#include <algorithm>

#include "codelets/core/base/divide_up.hh"
#include "codelets/kernels/cpu/cluster_search.hh"
#include "codelets/kernels/cpu/private_histogram.hh"
#include "codelets/kernels/cpu/tuning.hh"

namespace starhist::kernels::cpu {
namespace {

std::string metric_name(Metric metric) {
  switch (metric) {
    case Metric::isotropic:
      return "isotropic";
    case Metric::diagonal:
      return "diagonal";
    case Metric::triangular:
      return "triangular";
    case Metric::searched:
      return "searched";
  }
  return "unknown";
}

/// CountedPairs::loop without the instruction set: "searched", "searched in double",
/// "images" or "by definition".
std::string loop_name_of(const PairLoop& loop) {
  if (loop.lattice == nullptr) {
    return "by definition";
  }
  if (loop.images != nullptr) {
    return "images";
  }
  return metric_name(loop.metric) + (loop.fine != nullptr ? " in double" : "");
}

/// A block cut into rectangles of cache size.
class Rectangles {
 public:
  explicit Rectangles(const PairBlock& block)
      : block_(block),
        row_tiles_(divide_up(block.row_end - block.row_begin, rows_per_cluster)),
        column_tiles_(divide_up(block.second.count, columns_per_tile)) {}

  std::size_t count() const { return row_tiles_ * column_tiles_; }

  /// Sets the bounds of rectangle `index`; false when it holds no pair i < j.
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
/// bounds of `searched` hold for `triangular`, too.
Metric without_search(Metric metric) {
  return metric == Metric::searched ? Metric::triangular : metric;
}

bool has_clusters(const PairBlock& block, const FixedPoint& fixed) {
  return block.clustered && (fixed.lattice.usable || fixed.lattice.usable_with_images);
}

PairLoop make_loop(const PairBlock& block, const FixedPoint& fixed) {
  PairLoop loop;
  loop.block = &block;
  loop.lattice = fixed.usable() ? &fixed.lattice : nullptr;
  loop.fine = fixed.fine ? &*fixed.fine : nullptr;
  loop.metric = fixed.lattice.metric;
  loop.row_origin = block.like ? 0 : block.row_begin;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    loop.row[axis] = (block.like ? fixed.second : fixed.first)[axis].data();
    loop.column[axis] = fixed.second[axis].data();
  }
  return loop;
}

}  // namespace

CountedPairs count_pairs(const Variant& variant, std::span<const PairBlock> blocks,
                         int threads, std::uint64_t* counts) {
  if (pair_count(blocks) == 0) {
    return {};
  }
  thread_local FixedPoint own_fixed;  // memory is kept between calls
  thread_local ClusterSearch own_search;
  FixedPoint& fixed = own_fixed;  // the calling thread's, shared by the team
  ClusterSearch& search = own_search;
  std::uint64_t counted = 0;
  std::uint64_t skipped = 0;
  std::string loop_name;
#pragma omp parallel num_threads(threads) if (threads > 1) reduction(+ : counted, skipped)
  {
    PrivateHistogram histogram(blocks.front().bins->count);
    for (const PairBlock& block : blocks) {
      if (block.pair_count() == 0) {
        continue;
      }
#pragma omp single
      {
        make_fixed_point(block, fixed);
        if (has_clusters(block, fixed)) {
          search.set(block, fixed);
        }
      }
      PairLoop loop = make_loop(block, fixed);
      const char* instruction_set = "";
      const auto count_rectangle = [&] {
        loop.histogram = histogram.room_for(
            (loop.row_end - loop.row_begin) * (loop.column_end - loop.column_begin),
            counts);
        instruction_set = variant.loop(loop);
      };
      if (has_clusters(block, fixed)) {
        ClusterSearch::Near near;
        search.set_local_positions(loop);
#pragma omp for schedule(dynamic, 8)
        for (std::size_t cluster = 0; cluster < search.row_clusters(); ++cluster) {
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
                for (; begin < end; begin = loop.column_end) {
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
          if (rectangles.select(index, loop)) {
            count_rectangle();
          }
        }
      }
      if (*instruction_set != '\0') {
#pragma omp critical(starhist_loop_name)
        loop_name = std::string(instruction_set) + " " + loop_name_of(loop);
      }
    }
    counted += histogram.flush(counts);
  }
  return {counted, skipped, loop_name};
}

CountedPairs count_pairs(std::span<const PairBlock> blocks, int threads,
                         std::uint64_t* counts) {
  return count_pairs(selected_variant(), blocks, threads, counts);
}

}  // namespace starhist::kernels::cpu
