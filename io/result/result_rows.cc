#include "io/result/result_rows.hh"

#include <limits>

#include "codelets/core/base/contract.hh"
#include "codelets/core/base/error.hh"
#include "io/hdf5/compressed_row.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/hdf5_text.hh"
#include "io/hdf5/hdf5_write.hh"
#include "io/result/create_rows.hh"
#include "io/result/result_layout.hh"

namespace starhist::io {

namespace {

/// Returns the nine components of the edge vectors of the block's box; NaN without a
/// box.
std::vector<double> edges_of(const BlockCounts& block) {
  std::vector<double> edges(9, std::numeric_limits<double>::quiet_NaN());
  if (block.box) {
    edges.clear();
    for (const Vec3& edge : block.box->edges()) {
      edges.insert(edges.end(), {edge.x, edge.y, edge.z});
    }
  }
  return edges;
}

/// Creates the group of the counts by distance and second axis.
void create_second_axis(hid_t file, const HistogramLayout& layout) {
  const SecondAxis& axis = *layout.second;
  const Hdf5Object group = create_hdf5_group(file, result_layout::second_axis_path);
  write_hdf5_attribute(
      group.get(), "version",
      std::vector<std::int32_t>{result_layout::second_axis_version(layout.plane), 0});
  write_hdf5_attribute(group.get(), result_layout::second_axis, to_string(axis));
  const std::vector<double> edges = axis.edges(layout.bins.r_max);
  const Hdf5Object dataset = write_hdf5_numbers(
      group.get(), result_layout::second_edges, edges, {edges.size()});
  write_hdf5_unit(dataset.get(),
                  axis.kind == SecondAxis::Kind::cosine ? "" : layout.length_unit);
  create_rows<std::uint64_t>(
      group.get(), "value",
      {layout.pairs.size(), layout.bins.count * hsize_t{axis.columns()}}, "",
      Hdf5Storage::compressed);
  if (axis.along_normal()) {
    create_rows<double>(group.get(), "pairs_over_volume", {layout.pairs.size()},
                        scale_power(layout.length_unit, -3));
    create_rows<double>(group.get(), "half_period", {}, layout.length_unit);
  }
}

}  // namespace

template <class Number>
void ResultRows::put(std::uint64_t row, const std::string& name, Number value) {
  write_hdf5_part<Number>(datasets_.at(name).get(), {row}, {1}, {value});
}

template <class Number>
void ResultRows::put(std::uint64_t row, const std::string& name,
                     const std::vector<Number>& values) {
  write_hdf5_part(datasets_.at(name).get(), {row, 0}, {1, values.size()}, values);
}

void create_result_rows(hid_t group, const HistogramLayout& layout) {
  const hsize_t pairs = layout.pairs.size();
  const int power = dimension(layout.plane);
  const std::string volume = scale_power(layout.length_unit, power);
  const std::string density = scale_power(layout.length_unit, -power);
  if (layout.second) {
    create_second_axis(group, layout);
  }
  create_rows<std::int64_t>(group, "step", {}, "");
  create_rows<double>(group, "time", {}, layout.time_unit);
  create_rows<std::uint64_t>(group, "value", {pairs, layout.bins.count}, "",
                             Hdf5Storage::compressed);
  create_rows<std::uint64_t>(group, "overflow", {pairs}, "");
  create_rows<std::uint64_t>(group, "underflow", {pairs}, "");
  create_rows<std::uint64_t>(group, "pairs", {pairs}, "");
  create_rows<std::uint64_t>(group, "excluded_pairs", {pairs}, "");
  create_rows<double>(group, "pairs_over_volume", {pairs}, density);
  create_rows<std::uint32_t>(group, "frames", {}, "");
  create_rows<std::uint64_t>(group, "first_frame", {}, "");
  create_rows<std::uint64_t>(group, "last_frame", {}, "");
  create_rows<double>(group, "volume", {}, volume);
  create_rows<double>(group, "inverse_volume", {}, density);
  create_rows<double>(group, "inscribed_radius", {}, layout.length_unit);
  create_rows<std::uint64_t>(group, "particle_number", {layout.species.size()}, "");
  if (!layout.selections.empty()) {
    create_rows<std::uint64_t>(group, result_layout::empty_frames,
                               {layout.species.size()}, "");
  }
  create_rows<double>(group, "box", {3, 3}, layout.length_unit);
  create_rows<std::uint64_t>(group, result_layout::frame_number, {}, "");
  create_rows<std::uint64_t>(group, result_layout::frame_checksum, {}, "");
}

ResultRows::ResultRows(hid_t group) {
  const auto open = [group](const char* name) {
    return own_hdf5<RunError>(H5Dopen2(group, name, H5P_DEFAULT), H5Dclose, group, name,
                              "cannot be opened for writing");
  };
  for (const char* name :
       {"step", "time", "value", "underflow", "overflow", "pairs", "excluded_pairs",
        "pairs_over_volume", "frames", "first_frame", "last_frame", "volume",
        "inverse_volume", "inscribed_radius", "particle_number", "box"}) {
    datasets_.emplace(name, open(name));
  }
  if (hdf5_exists(group, result_layout::empty_frames)) {
    datasets_.emplace(result_layout::empty_frames, open(result_layout::empty_frames));
  }
  if (hdf5_exists(group, result_layout::second_axis_path)) {
    datasets_.emplace(result_layout::second_axis,
                      open(result_layout::second_axis_value));
    if (hdf5_exists(group, result_layout::half_period)) {
      for (const char* name :
           {result_layout::pairs_over_space, result_layout::half_period}) {
        datasets_.emplace(name, open(name));
      }
    }
  }
  for (const char* name :
       {result_layout::frame_number, result_layout::frame_checksum}) {
    per_frame_.emplace(name, open(name));
  }
}

void ResultRows::append_frames(const BlockCounts& block) {
  std::vector<std::uint64_t> numbers(block.frames, result_layout::unknown_frame);
  std::vector<std::uint64_t> checksums(block.frames, 0);
  if (!block.counted.empty() && block.counted.size() != block.frames) {
    throw InternalError("a block of " + std::to_string(block.frames) +
                        " frames lists " + std::to_string(block.counted.size()));
  }
  for (std::size_t k = 0; k < block.counted.size(); ++k) {
    numbers[k] = block.counted[k].index.get();
    checksums[k] = block.counted[k].checksum;
  }
  for (const auto& [name, dataset] : per_frame_) {
    resize_hdf5_rows(dataset.get(), frames_ + block.frames);
    write_hdf5_part(dataset.get(), {frames_}, {block.frames},
                    name == result_layout::frame_number ? numbers : checksums);
  }
  frames_ += block.frames;
}

void ResultRows::append(const BlockCounts& block) {
  STARHIST_EXPECT(block.frames > 0, "a block of a result has a frame");
  STARHIST_EXPECT(block.pairs.size() == block.counts.size() &&
                      block.underflow.size() == block.counts.size() &&
                      block.out_of_range.size() == block.counts.size() &&
                      block.excluded.size() == block.counts.size() &&
                      block.pairs_over_volume.size() == block.counts.size(),
                  "a row has an entry for each pair");
  const std::uint64_t row = blocks_++;
  for (const auto& [name, dataset] : datasets_) {
    resize_hdf5_rows(dataset.get(), blocks_);
  }
  append_frames(block);
  write_compressed_hdf5_row(datasets_.at("value").get(), row, block.counts);
  if (!block.second.empty()) {
    write_compressed_hdf5_row(datasets_.at(result_layout::second_axis).get(), row,
                              block.second);
  }
  if (!block.pairs_over_space.empty()) {
    put(row, result_layout::pairs_over_space, block.pairs_over_space);
    put(row, result_layout::half_period, block.half_period);
  }
  put(row, "step", block.last_step);
  put(row, "time", block.last_time);
  put(row, "overflow", block.out_of_range);
  put(row, "pairs", block.pairs);
  put(row, "underflow", block.underflow);
  put(row, "excluded_pairs", block.excluded);
  put(row, "pairs_over_volume", block.pairs_over_volume);
  put(row, "frames", block.frames);
  put(row, "first_frame", block.first_frame.get());
  put(row, "last_frame", block.last_frame.get());
  put(row, "volume", block.volume);
  put(row, "inverse_volume", block.inverse_volume);
  put(row, "inscribed_radius", block.inscribed_radius);
  put(row, "particle_number", block.particle_number);
  if (!block.empty_frames.empty()) {
    put(row, result_layout::empty_frames, block.empty_frames);
  }
  write_hdf5_part(datasets_.at("box").get(), {row, 0, 0}, {1, 3, 3}, edges_of(block));
}

}  // namespace starhist::io
