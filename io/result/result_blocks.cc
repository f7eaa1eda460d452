#include "io/result/result_blocks.hh"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "codelets/core/base/error.hh"
#include "io/hdf5/hdf5_filters.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/rows/hdf5_rows.hh"
#include "io/result/result_check.hh"
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
      check_hdf5_extent(numbers_->dataset(), static_cast<double>(listed_frames()));
    }
  }

  /// File and path of a dataset, for messages.
  std::string location(const char* name) const { return hdf5_location(group_, name); }

  /// Reads the `frames` frames of the next block. Throws InputError if there are fewer.
  std::vector<CountedFrame> next_frames(std::uint32_t frames) {
    if (!numbers_) {
      return {};
    }
    if (next_frame_ + frames > listed_frames()) {
      throw InputError(hdf5_location(group_, result_layout::frame_number) +
                       ": lists too few frames (the file is damaged)");
    }
    std::vector<CountedFrame> counted;
    for (const std::uint64_t end = next_frame_ + frames; next_frame_ < end;
         ++next_frame_) {
      std::uint64_t number = 0;
      CountedFrame frame;
      numbers_->read(next_frame_, hdf5_type<std::uint64_t>(), &number);
      checksums_->read(next_frame_, hdf5_type<std::uint64_t>(), &frame.checksum);
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
      throw InputError(
          hdf5_location(group_, result_layout::frame_number) +
          ": lists more frames than the blocks contain (the file is damaged)");
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
      throw InputError(hdf5_location(group_) + ": some datasets contain " +
                       std::to_string(fewest) + " blocks, others " +
                       std::to_string(most) + " (the file is damaged)");
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
      throw InputError(hdf5_location(group_, name) +
                       ": has a shape that does not match the bins, pairs and species "
                       "of the result (the file is damaged)");
    }
    return rows;
  }

  hid_t group_;
  std::map<std::string, Hdf5Rows> rows_;
  std::optional<Hdf5Rows> numbers_;  // one row per frame; missing in older results
  std::optional<Hdf5Rows> checksums_;
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
    throw InputError(rows.location("box") + ": block " + std::to_string(index) +
                     " has edges that span no box (the file is damaged)");
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

}  // namespace

void read_blocks(hid_t group, const ResultFile& result,
                 const std::function<void(BlockCounts&&)>& sink) {
  BlockRows rows(group, result.layout);
  const std::uint64_t count = rows.count();
  for (std::uint64_t index = 0; index < count; ++index) {
    BlockCounts block = read_block(rows, result.layout, index);
    const std::string problem = block_problem(block, result.layout);
    if (!problem.empty()) {
      throw InputError(hdf5_location(group) + ": " + problem +
                       " (the file is damaged)");
    }
    sink(std::move(block));
  }
  rows.check_all_frames_read();
}

}  // namespace starhist::io
