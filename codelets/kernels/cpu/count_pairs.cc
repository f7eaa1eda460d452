#include "codelets/kernels/cpu/count_pairs.hh"

#include <algorithm>
#include <limits>

#include "codelets/kernels/cpu/fixed_point.hh"
#include "codelets/kernels/cpu/tuning.hh"

namespace starhist::cpu {
namespace {

thread_local std::string last_loop_name;

std::string metric_name(const PairLoop& loop) {
  if (loop.fast == nullptr) {
    return "by definition";
  }
  switch (loop.metric) {
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

/// 32-bit counts of one thread, added to the 64-bit ones before they can overflow.
class PrivateHistogram {
 public:
  explicit PrivateHistogram(std::uint32_t bin_count) : bin_count_(bin_count) {
    counts().assign(bin_count + out_of_range_entries, 0);
  }

  std::uint32_t* room_for(std::uint64_t pairs, std::uint64_t* total) {
    if (pairs > std::numeric_limits<std::uint32_t>::max() - pending_) {
      flush(total);
    }
    pending_ += pairs;
    return counts().data();
  }

  /// Adds everything to total[0 .. bin_count] and starts again. Returns the sum of
  /// the counts, which the caller checks against the pairs that it asked for.
  std::uint64_t flush(std::uint64_t* total) {
    std::uint64_t sum = 0;
    auto& own = counts();
    for (std::size_t k = 0; k < own.size(); ++k) {
      if (own[k] != 0) {
        std::uint64_t& bin = total[std::min<std::size_t>(k, bin_count_)];
#pragma omp atomic
        bin += own[k];
        sum += own[k];
        own[k] = 0;
      }
    }
    pending_ = 0;
    flushed_ += sum;
    return flushed_;
  }

 private:
  /// Kept between calls: a task must not pay for fresh pages.
  static std::vector<std::uint32_t>& counts() {
    thread_local std::vector<std::uint32_t> storage;
    return storage;
  }

  std::uint32_t bin_count_;
  std::uint64_t pending_ = 0;
  std::uint64_t flushed_ = 0;
};

struct Rectangles {
  const PairBlock& block;
  std::size_t row_tiles;
  std::size_t column_tiles;

  explicit Rectangles(const PairBlock& of) : block(of) {
    const auto tiles = [](std::size_t n, std::size_t size) { return (n + size - 1) / size; };
    row_tiles = tiles(block.row_end - block.row_begin, rows_per_tile);
    column_tiles = tiles(block.second.count, columns_per_tile);
  }

  /// Sets the bounds of rectangle `index`; false when it holds no pair (i < j).
  bool select(std::size_t index, PairLoop& loop) const {
    const std::size_t row = index / column_tiles;
    const std::size_t column = index % column_tiles;
    loop.row_begin = block.row_begin + row * rows_per_tile;
    loop.row_end = std::min(loop.row_begin + rows_per_tile, block.row_end);
    loop.column_begin = column * columns_per_tile;
    loop.column_end = std::min(loop.column_begin + columns_per_tile, block.second.count);
    return !block.like || loop.row_begin + 1 < loop.column_end;
  }
};

}  // namespace

std::uint64_t count_pairs(const Variant& variant, const PairBlock& block, int threads,
                          std::uint64_t* counts) {
  if (block.pair_count() == 0) {
    return 0;
  }
  thread_local FixedPoint fixed;  // kept between calls, as PrivateHistogram
  make_fixed_point(block, fixed);

  PairLoop common;
  common.block = &block;
  common.fast = fixed.usable ? &fixed.fast : nullptr;
  common.metric = fixed.metric;
  common.row_origin = block.like ? 0 : block.row_begin;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    common.row[axis] = (block.like ? fixed.second : fixed.first)[axis].data();
    common.column[axis] = fixed.second[axis].data();
  }

  const Rectangles rectangles(block);
  const std::size_t rectangle_count = rectangles.row_tiles * rectangles.column_tiles;
  std::uint64_t counted = 0;
  const char* instruction_set = "";
#pragma omp parallel num_threads(threads) if (threads > 1) reduction(+ : counted)
  {
    PrivateHistogram histogram(block.bins->count);
    PairLoop loop = common;
#pragma omp for schedule(dynamic)
    for (std::size_t index = 0; index < rectangle_count; ++index) {
      if (rectangles.select(index, loop)) {
        const std::uint64_t most_pairs =
            (loop.row_end - loop.row_begin) * (loop.column_end - loop.column_begin);
        loop.histogram = histogram.room_for(most_pairs, counts);
        const char* compiled_for = variant.loop(loop);
#pragma omp atomic write
        instruction_set = compiled_for;
      }
    }
    counted += histogram.flush(counts);
  }
  last_loop_name = std::string(instruction_set) + " " + metric_name(common);
  return counted;
}

std::uint64_t count_pairs(const PairBlock& block, int threads, std::uint64_t* counts) {
  return count_pairs(selected_variant(), block, threads, counts);
}

const std::string& last_loop() { return last_loop_name; }

}  // namespace starhist::cpu
