#include "io/result/result_blocks.hh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/hdf5/hdf5_filters.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/rows/hdf5_rows.hh"
#include "io/result/result_contents.hh"
#include "io/result/result_layout.hh"

namespace starhist::io {
namespace {

/// The datasets with one row per block.
class BlockRows {
 public:
  BlockRows(hid_t group, const HistogramLayout& layout) : group_(group) {
    const hsize_t pairs = layout.pairs.size();
    for (const char* name : {"step", "time", "frames", "first_frame", "last_frame",
                             "volume", "inverse_volume", "inscribed_radius"}) {
      open(name, {});
    }
    for (const char* name : {"overflow", "pairs", "pairs_over_volume"}) {
      open(name, {pairs});
    }
    open("particle_number", {layout.species.size()});
    if (!layout.selections.empty()) {
      open(result_layout::empty_frames, {layout.species.size()});
    }
    open("value", {pairs, layout.bins.count});
    if (layout.second) {
      open(result_layout::second_axis_value,
           {pairs, layout.bins.count * hsize_t{layout.second->columns()}});
      if (layout.second->along_normal()) {
        open(result_layout::pairs_over_space, {pairs});
        open(result_layout::half_period, {});
      }
    }
    // Older results lack all of these.
    if (hdf5_exists(group, "box")) {
      open("box", {3, 3});
    }
    for (const char* name : {"underflow", "excluded_pairs"}) {
      if (hdf5_exists(group, name)) {
        open(name, {pairs});
      }
    }
    if (hdf5_exists(group, result_layout::frame_number)) {
      numbers_.emplace(opened(result_layout::frame_number, {}));
      checksums_.emplace(opened(result_layout::frame_checksum, {}));
      comparable_ = hdf5_has_attribute(checksums_->dataset(), result_layout::any_order);
      check_hdf5_extent(numbers_->dataset(), static_cast<double>(listed_frames()));
    }
  }

  hid_t group() const { return group_; }

  /// Reads the `frames` frames of the next block. Throws InputError if there are fewer.
  std::vector<CountedFrame> next_frames(std::uint32_t frames) {
    if (!numbers_) {
      return {};
    }
    if (next_frame_ + frames > listed_frames()) {
      refuse_damaged(group_, result_layout::frame_number, "lists too few frames");
    }
    std::vector<CountedFrame> counted;
    for (const std::uint64_t end = next_frame_ + frames; next_frame_ < end;
         ++next_frame_) {
      std::uint64_t number = 0;
      CountedFrame frame;
      numbers_->read(next_frame_, hdf5_type<std::uint64_t>(), &number);
      checksums_->read(next_frame_, hdf5_type<std::uint64_t>(), &frame.checksum);
      frame.checksum = comparable_ ? frame.checksum : 0;
      frame.index = FrameIndex(number);
      if (number != result_layout::unknown_frame) {
        counted.push_back(frame);
      }
    }
    return counted;
  }

  /// Throws InputError if more frames are listed than the blocks contain.
  void check_all_frames_read() const {
    if (numbers_ && next_frame_ != listed_frames()) {
      refuse_damaged(group_, result_layout::frame_number,
                     "lists more frames than the blocks contain");
    }
  }

  bool has(const std::string& name) const { return rows_.count(name) > 0; }

  /// Returns the number of rows of all datasets. Throws InputError if they differ in
  /// length.
  std::uint64_t count() const {
    std::uint64_t fewest = rows_.begin()->second.count();
    std::uint64_t most = fewest;
    for (const auto& [name, rows] : rows_) {
      fewest = std::min(fewest, rows.count());
      most = std::max(most, rows.count());
    }
    if (fewest != most) {
      refuse_damaged(group_, "",
                     "some datasets contain " + std::to_string(fewest) +
                         " blocks, others " + std::to_string(most));
    }
    const Hdf5Rows& value = rows_.at("value");
    check_hdf5_extent(value.dataset(), static_cast<double>(fewest) *
                                           static_cast<double>(value.row_size()));
    return fewest;
  }

  template <class Number>
  std::vector<Number> row(const std::string& name, std::uint64_t index) {
    Hdf5Rows& rows = rows_.at(name);
    std::vector<Number> values(rows.row_size());
    rows.read(index, hdf5_type<Number>(), values.data());
    return values;
  }

  template <class Number>
  Number number(const std::string& name, std::uint64_t index) {
    return row<Number>(name, index).front();
  }

 private:
  std::uint64_t listed_frames() const {
    return std::min(numbers_->count(), checksums_->count());
  }

  void open(const std::string& name, const std::vector<hsize_t>& row_shape) {
    rows_.emplace(name, opened(name, row_shape));
  }

  Hdf5Rows opened(const std::string& name,
                  const std::vector<hsize_t>& row_shape) const {
    Hdf5Rows rows(group_, name, Hdf5Rows::Layout::many_rows);
    const H5T_class_t kind = H5Tget_class(rows.type());
    if (kind != H5T_INTEGER && kind != H5T_FLOAT) {
      throw InputError(hdf5_location(group_, name) + ": does not contain numbers");
    }
    if (rows.row_shape() != row_shape) {
      refuse_damaged(group_, name,
                     "has a shape that does not match the bins, pairs and species of "
                     "the result");
    }
    return rows;
  }

  hid_t group_;
  std::map<std::string, Hdf5Rows> rows_;
  std::optional<Hdf5Rows> numbers_;  // one row per frame; missing in older results
  std::optional<Hdf5Rows> checksums_;
  bool comparable_ = true;  ///< result_layout::any_order
  std::uint64_t next_frame_ = 0;
};

/// Returns the common box of a block's frames; empty if the frames differ in their
/// boxes or have no volume. Throws InputError if the edges span no box.
std::optional<Box> read_box(BlockRows& rows, Plane plane, std::uint64_t index) {
  if (!rows.has("box")) {
    return std::nullopt;
  }
  const auto v = rows.row<double>("box", index);
  if (std::none_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); })) {
    return std::nullopt;
  }
  const std::array<Vec3, 3> edges{
      {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}, {v[6], v[7], v[8]}}};
  try {
    return plane == Plane::none ? Box(edges, {true, true, true})
                                : Box::in_plane(edges, plane);
  } catch (const InputError&) {
    refuse_damaged(rows.group(), "box",
                   "block " + std::to_string(index) + " has edges that span no box");
  }
}

/// Copies the numbers of a row to counts of several pairs.
void split(const std::vector<std::uint64_t>& values,
           std::vector<std::vector<std::uint64_t>>& counts) {
  auto next = values.begin();
  for (std::vector<std::uint64_t>& of_pair : counts) {
    std::copy_n(next, of_pair.size(), of_pair.begin());
    next += static_cast<std::ptrdiff_t>(of_pair.size());
  }
}

BlockCounts read_block(BlockRows& rows, const HistogramLayout& layout,
                       std::uint64_t index) {
  BlockCounts block = empty_block(layout, BlockIndex(index));
  block.frames = rows.number<std::uint32_t>("frames", index);
  block.counted = rows.next_frames(block.frames);
  block.first_frame = FrameIndex(rows.number<std::uint64_t>("first_frame", index));
  block.last_frame = FrameIndex(rows.number<std::uint64_t>("last_frame", index));
  block.last_step = rows.number<std::int64_t>("step", index);
  block.last_time = rows.number<double>("time", index);
  block.volume = rows.number<double>("volume", index);
  block.inverse_volume = rows.number<double>("inverse_volume", index);
  block.inscribed_radius = rows.number<double>("inscribed_radius", index);
  block.box = read_box(rows, layout.plane, index);
  block.particle_number = rows.row<std::uint64_t>("particle_number", index);
  if (!layout.selections.empty()) {
    block.empty_frames = rows.row<std::uint64_t>(result_layout::empty_frames, index);
  }
  block.out_of_range = rows.row<std::uint64_t>("overflow", index);
  block.pairs = rows.row<std::uint64_t>("pairs", index);
  if (rows.has("underflow")) {
    block.underflow = rows.row<std::uint64_t>("underflow", index);
  }
  if (rows.has("excluded_pairs")) {
    block.excluded = rows.row<std::uint64_t>("excluded_pairs", index);
  }
  block.pairs_over_volume = rows.row<double>("pairs_over_volume", index);
  split(rows.row<std::uint64_t>("value", index), block.counts);
  if (layout.second) {
    split(rows.row<std::uint64_t>(result_layout::second_axis_value, index),
          block.second);
    if (layout.second->along_normal()) {
      block.pairs_over_space = rows.row<double>(result_layout::pairs_over_space, index);
      block.half_period = rows.number<double>(result_layout::half_period, index);
    }
  }
  return block;
}

std::string frames_problem(const BlockCounts& block) {
  if (block.frames == 0) {
    return "contains no frames";
  }
  const std::uint64_t first = block.first_frame.get();
  const std::uint64_t last = block.last_frame.get();
  if (last < first || last - first < block.frames - 1) {
    return std::to_string(block.frames) + " frames cannot lie between " +
           std::to_string(first) + " and " + std::to_string(last);
  }
  if (!block.counted.empty() && (block.counted.size() != block.frames ||
                                 block.counted.front().index != block.first_frame ||
                                 block.counted.back().index != block.last_frame)) {
    return "its list of frames belongs to another block";
  }
  for (const std::uint64_t empty : block.empty_frames) {
    if (empty > block.frames) {
      return "a selection is empty in " + std::to_string(empty) + " of " +
             std::to_string(block.frames) + " frames";
    }
  }
  return "";
}

bool is_sum(double value) {
  return std::isfinite(value) && value >= 0.0;
}

std::string volume_problem(const BlockCounts& block) {
  const double frames = block.frames;
  const double product = block.volume * block.inverse_volume;
  // Either sum V * sum 1/V >= frames^2 (Cauchy-Schwarz), or there are no volumes.
  if (!is_sum(block.volume) || !is_sum(block.inverse_volume) ||
      (block.volume > 0.0) != (block.inverse_volume > 0.0) ||
      (block.volume > 0.0 && product < frames * frames * (1.0 - 1e-9))) {
    return "sum of volumes " + number_text(block.volume) + " and of their inverses " +
           number_text(block.inverse_volume) + " are inconsistent";
  }
  if (!(block.inscribed_radius > 0.0)) {
    return "inscribed radius " + number_text(block.inscribed_radius) +
           " is not positive";
  }
  return "";
}

std::string pair_problem(const BlockCounts& block, std::size_t p,
                         const SpeciesPair& pair) {
  const std::uint64_t first = block.particle_number[pair.first.index()];
  const std::uint64_t second = block.particle_number[pair.second.index()];
  if (static_cast<double>(block.pairs[p]) >
      static_cast<double>(first) * static_cast<double>(second)) {
    return std::to_string(block.pairs[p]) + " pairs are too many for " +
           std::to_string(first) + " and " + std::to_string(second) +
           " particles (sums over the frames)";
  }
  if (!adds_up(block, p)) {
    return "counts and overflow do not add up to its " +
           std::to_string(block.pairs[p]) + " pairs";
  }
  const bool expected = block.pairs[p] > 0 && block.volume > 0.0;
  if (!is_sum(block.pairs_over_volume[p]) ||
      (expected && block.pairs_over_volume[p] == 0.0)) {
    return "pairs over volume " + number_text(block.pairs_over_volume[p]) +
           " is not possible";
  }
  return "";
}

/// Separations along the normal of a plane: a volume in space is at least an area times
/// the smallest period.
std::string height_problem(const BlockCounts& block) {
  if (!(block.half_period >= 0.0) || !std::isfinite(block.half_period)) {
    return "half period " + number_text(block.half_period) + " is not a length";
  }
  for (std::size_t p = 0; p < block.pairs_over_space.size(); ++p) {
    const double space = block.pairs_over_space[p];
    const double most = block.half_period == 0.0
                            ? std::numeric_limits<double>::infinity()
                            : block.pairs_over_volume[p] / (2.0 * block.half_period);
    const bool expected = block.half_period > 0.0 && block.pairs_over_volume[p] > 0.0;
    if (!is_sum(space) || space > most * (1.0 + 1e-9) || (expected && space == 0.0)) {
      return "pairs over the volume in space, " + number_text(space) +
             ", are not possible";
    }
  }
  return "";
}

/// Checks whether the numbers of a block from a file are possible: the sum rule, frame
/// numbers, and sums of V and 1/V. Returns "" or the problem, such as "block 3: pair
/// H-O: ...".
std::string block_problem(const BlockCounts& block, const HistogramLayout& layout) {
  std::string problem = frames_problem(block);
  if (problem.empty()) {
    problem = volume_problem(block);
  }
  for (std::size_t p = 0; problem.empty() && p < layout.pairs.size(); ++p) {
    problem = pair_problem(block, p, layout.pairs[p]);
    if (!problem.empty()) {
      problem = "pair " + pair_name(layout.pairs[p], layout.species) + ": " + problem;
    }
  }
  if (problem.empty() && !second_adds_up(layout, block)) {
    problem = "counts by second axis do not add up to those by distance";
  }
  if (problem.empty() && layout.second && layout.second->along_normal()) {
    problem = height_problem(block);
  }
  return problem.empty()
             ? ""
             : "block " + std::to_string(block.index.get()) + ": " + problem;
}

}  // namespace

void read_blocks(hid_t group, const ResultFile& result,
                 const std::function<void(BlockCounts&&)>& sink) {
  BlockRows rows(group, result.layout);
  const std::uint64_t count = rows.count();
  for (std::uint64_t index = 0; index < count; ++index) {
    BlockCounts block = read_block(rows, result.layout, index);
    const std::string problem = block_problem(block, result.layout);
    if (!problem.empty()) {
      refuse_damaged(group, "", problem);
    }
    sink(std::move(block));
  }
  rows.check_all_frames_read();
}

}  // namespace starhist::io
