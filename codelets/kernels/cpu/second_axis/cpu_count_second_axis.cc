#include "codelets/kernels/cpu/second_axis/cpu_count_second_axis.hh"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "codelets/core/base/divide_up.hh"
#include "codelets/kernels/clusters/spatial_order.hh"
#include "codelets/kernels/countable.hh"
#include "codelets/kernels/cpu/cpu_tuning.hh"
#include "codelets/kernels/cpu/private_histogram.hh"
#include "codelets/kernels/cpu/variants.hh"

namespace starhist::kernels {
namespace cpu {

SecondAxisLoopFunction selected_second_axis_loop() {
  const std::string& name = selected_variant().name;
#if defined(__x86_64__)
  if (name == "avx512") {
    return second_axis_loop_avx512;
  }
  if (name == "avx2") {
    return second_axis_loop_avx2;
  }
#elif defined(__aarch64__)
  if (name == "neon") {
    return second_axis_loop_neon;
  }
#endif
  STARHIST_ENSURE(name == "baseline", "each variant has a loop for a second axis");
  return second_axis_loop_baseline;
}

}  // namespace cpu

namespace {

/// Number of pairs of a part, some tenths of a millisecond of work, and of a part if
/// pair_cell() decides all pairs.
constexpr std::size_t pairs_per_part = 1U << 18U;
constexpr std::size_t defined_pairs_per_part = 1U << 17U;
/// Number of clusters of rows of a part.
constexpr std::size_t clusters_per_part = 32;

/// True if so few clusters of 32 particles are in range of another that skipping the
/// others pays for sorting.
bool skips_clusters(const SecondAxisPairs& pairs) {
  Bounds bounds;
  bounds.add(pairs.second, 0, pairs.second.count);
  const Vec3 extent = bounds.high - bounds.low;
  const double volume =
      pairs.box.has_volume() ? pairs.box.volume() : extent.x * extent.y * extent.z;
  const double of_cluster =
      volume * cluster_size / static_cast<double>(pairs.second.count);
  constexpr double largest_share = 0.4;
  if (pairs.box.is_planar()) {
    const double reach = pairs.bins.r_max + std::sqrt(of_cluster);
    return std::numbers::pi * reach * reach < largest_share * volume;
  }
  const double reach = pairs.bins.r_max + std::cbrt(of_cluster);
  return 4.0 / 3.0 * std::numbers::pi * reach * reach * reach < largest_share * volume;
}

std::vector<double> in_order(const PositionSpan& positions,
                             const std::vector<std::uint32_t>& order) {
  std::vector<double> sorted;
  sorted.reserve(3 * order.size());
  for (const std::uint32_t i : order) {
    const Vec3 p = positions[i];
    sorted.insert(sorted.end(), {p.x, p.y, p.z});
  }
  return sorted;
}

std::vector<double> in_order(const double* values,
                             const std::vector<std::uint32_t>& order) {
  std::vector<double> sorted;
  for (const std::uint32_t i : order) {
    sorted.push_back(values[i]);
  }
  return sorted;
}

/// Smallest and largest of both lists of heights.
std::pair<double, double> range_of(const SecondAxisPairs& pairs) {
  const Heights& heights = pairs.heights;
  double low = heights.first[0];
  double high = low;
  for (const auto& [list, count] : {std::pair(heights.first, pairs.first.count),
                                    std::pair(heights.second, pairs.second.count)}) {
    for (std::size_t i = 0; i < count; ++i) {
      STARHIST_EXPECT(std::isfinite(list[i]), "heights must be finite");
      low = std::min(low, list[i]);
      high = std::max(high, list[i]);
    }
  }
  return {low, high};
}

}  // namespace

SecondAxisCount::SecondAxisCount(const SecondAxisPairs& pairs)
    : pairs_(pairs), bins_(pairs.bins) {
  STARHIST_EXPECT(pairs.axis.count >= 1 && pairs.axis.count <= most_second_bins,
                  "a second axis has bins");
  STARHIST_EXPECT(are_finite(pairs.first) && are_finite(pairs.second),
                  "positions must be finite");
  if (pairs.first.count == 0 || pairs.second.count == 0) {
    return;
  }
  STARHIST_EXPECT((pairs.heights.first != nullptr) == pairs.axis.along_normal(),
                  "separations along a normal need heights");
  const bool cosine = pairs.axis.kind == SecondAxis::Kind::cosine;
  loop_.without_same = pairs.like && cosine && pairs.directions != nullptr;
  loop_.reflected = pairs.like && cosine && pairs.directions == nullptr;
  loop_.directions = pairs.directions;
  loop_.heights = pairs.heights;
  block_.first = pairs_.first;
  block_.second = pairs_.second;
  block_.like = pairs.like && !loop_.without_same;
  block_.row_end = pairs.first.count;
  block_.image = &pairs_.box.minimum_image();
  block_.bins = &bins_;
  if (skips_clusters(pairs)) {
    sort_particles();
  }
  cpu::make_fixed_point(block_, fixed_);
  // Cells have 32-bit numbers, which out-of-range pairs exceed by up to a row.
  constexpr std::size_t most_cells = 0x7fff'0000;
  by_definition_ = !fixed_.lattice.usable ||
                   pairs.cells() + pairs.axis.columns() >= most_cells ||
                   (pairs.axis.along_normal() && !pairs.box.is_planar());
  if (by_definition_) {
    rows_per_part_ = defined_pairs_per_part / pairs.second.count + 1;
    parts_ = divide_up(pairs.first.count, rows_per_part_);
    return;
  }
  fixed_.lattice.usable_with_images = false;  // the loop has no use for them
  loop_.pairs = cpu::make_pair_loop(block_, fixed_);
  cpu::set_second_axis(pairs.axis, loop_);
  // Adding the histogram of a part to the counts takes little of its time.
  clusters_ = block_.clustered;
  if (clusters_) {
    search_.set(block_, fixed_);
    static_assert(2 * row_cluster_size % 32 == 0);  // in_spatial_order()
    rows_per_part_ = 2 * (std::max(clusters_per_part, pairs.cells() / 4096) / 2);
    parts_ = divide_up(search_.row_clusters(), rows_per_part_);
  } else {
    rows_per_part_ =
        std::max(pairs_per_part, 32 * pairs.cells()) / pairs.second.count + 1;
    parts_ = divide_up(pairs.first.count, rows_per_part_);
  }
  if (pairs.axis.along_normal()) {
    set_heights();
  }
}

/// Replaces the coordinates along the normal, which are 0, by heights. In a planar box
/// the normal is axis 2 of the lattice.
void SecondAxisCount::set_heights() {
  const auto [low, high] = range_of(pairs_);
  const bool open = pairs_.heights.period == 0.0;
  const double largest = std::max(std::abs(low), std::abs(high));
  // Differences then stay within +-0.45.
  const double edge =
      open ? std::max((high - low) / 0.45, pairs_.axis.limit) : pairs_.heights.period;
  FixedLattice along;
  along.dual[2] = {0.0, 0.0, 1.0 / edge};
  along.origin[2] = open ? 0.5 * (low + high) / edge : 0.0;
  const auto convert = [&](const double* heights, std::vector<std::int32_t>& out) {
    for (std::size_t i = 0; i + cpu::coordinate_padding < out.size(); ++i) {
      out[i] = fixed_coordinate(along, 2, {0.0, 0.0, heights[i]});
    }
  };
  convert(loop_.heights.second, fixed_.second[2]);
  if (!block_.like) {
    convert(loop_.heights.first, fixed_.first[2]);
  }
  cpu::set_height_axis(pairs_.axis, edge, largest, loop_);
}

void SecondAxisCount::sort_particles() {
  const auto order_of = [&](const PositionSpan& positions) {
    Bounds bounds;
    bounds.add(positions, 0, positions.count);
    return spatial_order(positions, *block_.image, bounds, ClusterAxes::lattice);
  };
  const std::vector<std::uint32_t> order = order_of(pairs_.first);
  sorted_[0] = in_order(pairs_.first, order);
  block_.first = {sorted_[0].data(), pairs_.first.count};
  const std::vector<std::uint32_t> of_second =
      pairs_.like ? order : order_of(pairs_.second);
  if (pairs_.like) {
    block_.second = block_.first;
  } else {
    sorted_[1] = in_order(pairs_.second, of_second);
    block_.second = {sorted_[1].data(), pairs_.second.count};
  }
  if (pairs_.axis.along_normal()) {
    sorted_heights_[0] = in_order(pairs_.heights.first, order);
    sorted_heights_[1] = in_order(pairs_.heights.second, of_second);
    loop_.heights.first = sorted_heights_[0].data();
    loop_.heights.second = sorted_heights_[1].data();
  }
  block_.clustered = true;
  if (pairs_.directions != nullptr) {
    for (const std::uint32_t i : order) {
      sorted_directions_.push_back(pairs_.directions[i]);
    }
    loop_.directions = sorted_directions_.data();
  }
}

SecondAxisPairs SecondAxisCount::ordered_pairs() const {
  SecondAxisPairs pairs = pairs_;
  pairs.first = block_.first;
  pairs.second = block_.second;
  pairs.directions = loop_.directions;
  pairs.heights = loop_.heights;
  return pairs;
}

RowRange SecondAxisCount::rows(std::size_t begin, std::size_t end) const {
  STARHIST_EXPECT(begin <= end && end <= parts(), "the count has these parts");
  if (begin == end) {
    return {};
  }
  const std::size_t first = begin * rows_per_part_;
  const std::size_t last = end * rows_per_part_ - 1;
  if (!clusters_) {
    return {first, std::min(last + 1, pairs_.first.count)};
  }
  return {search_.row_begin(first),
          search_.row_end(std::min(last, search_.row_clusters() - 1))};
}

std::uint64_t SecondAxisCount::count_by_definition(std::size_t part,
                                                   std::uint64_t* counts) const {
  const SecondAxisPairs pairs = ordered_pairs();
  const RowRange range = rows(part, part + 1);
  std::uint64_t decided = 0;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    for (std::size_t j = block_.like ? i + 1 : 0; j < pairs.second.count; ++j) {
      if (loop_.without_same && i == j) {
        continue;
      }
      ++counts[pairs.cell(i, j)];
      if (loop_.reflected) {
        ++counts[pairs.cell(j, i)];
      }
      ++decided;
    }
  }
  return decided;
}

/// Calls count() for each rectangle of the part, whose bounds and metric are set.
template <class Count>
void SecondAxisCount::for_each_rectangle(std::size_t part, cpu::PairLoop& loop,
                                         Count count) const {
  const auto count_columns = [&](std::size_t begin, std::size_t end) {
    for (; begin < end; begin = loop.column_end) {
      loop.column_begin = begin;
      loop.column_end = std::min(begin + cpu::columns_per_tile, end);
      if (!block_.like || loop.row_begin + 1 < loop.column_end) {
        count();
      }
    }
  };
  if (!clusters_) {
    const RowRange range = rows(part, part + 1);
    for (loop.row_begin = range.begin; loop.row_begin < range.end;
         loop.row_begin = loop.row_end) {
      loop.row_end = std::min(loop.row_begin + cpu::rows_per_cluster, range.end);
      count_columns(block_.like ? loop.row_begin : 0, block_.second.count);
    }
    return;
  }
  cpu::ClusterSearch::Near near;
  const std::size_t begin = part * rows_per_part_;
  const std::size_t end = std::min(begin + rows_per_part_, search_.row_clusters());
  for (std::size_t cluster = begin; cluster < end; ++cluster) {
    loop.row_begin = search_.row_begin(cluster);
    loop.row_end = search_.row_end(cluster);
    search_.visit_runs(cluster, near,
                       [&](std::size_t first, std::size_t last, ClusterClass of_run,
                           const NearImages* /*images*/) {
                         loop.metric = of_run == ClusterClass::rounded &&
                                               fixed_.lattice.metric == Metric::searched
                                           ? Metric::triangular
                                           : fixed_.lattice.metric;
                         count_columns(first, last);
                       });
  }
}

std::uint64_t SecondAxisCount::count(std::size_t part, std::uint64_t* counts) const {
  STARHIST_EXPECT(part < parts(), "the count has this part");
  if (by_definition_) {
    return count_by_definition(part, counts);
  }
  const std::size_t cells = pairs_.cells();
  std::vector<std::uint64_t> once(loop_.reflected ? cells + 1 : 0);
  std::uint64_t* const certified = loop_.reflected ? once.data() : counts;
  const cpu::SecondAxisLoopFunction run = cpu::selected_second_axis_loop();
  cpu::PrivateHistogram histogram(static_cast<std::uint32_t>(cells));
  cpu::SecondAxisLoop loop = loop_;
  loop.counts = counts;
  for_each_rectangle(part, loop.pairs, [&] {
    loop.pairs.histogram =
        histogram.room_for((loop.pairs.row_end - loop.pairs.row_begin) *
                               (loop.pairs.column_end - loop.pairs.column_begin),
                           certified);
    run(loop);
  });
  histogram.flush(certified);
  if (loop_.reflected) {
    // In the other direction, the cosine and its bin change signs.
    const std::size_t columns = pairs_.axis.count;
    for (std::size_t row = 0; row < cells; row += columns) {
      for (std::size_t k = 0; k < columns; ++k) {
        counts[row + k] += once[row + k] + once[row + columns - 1 - k];
      }
    }
  }
  return loop.decided;
}

}  // namespace starhist::kernels
