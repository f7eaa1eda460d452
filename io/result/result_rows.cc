#include "io/result/result_rows.hh"

#include <limits>

#include "codelets/core/base/contract.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/hdf5/hdf5_append.hh"
#include "io/hdf5/hdf5_write.hh"
#include "io/result/result_layout.hh"

namespace starhist::io {
namespace {

/// Creates a dataset without rows, as create_hdf5_rows() does, whose values have
/// `unit`.
template <class Number>
void create_rows(hid_t group, const std::string& name,
                 const std::vector<hsize_t>& row_shape, const std::string& unit,
                 Hdf5Storage storage = Hdf5Storage::gathered) {
  const Hdf5Object dataset = create_hdf5_rows<Number>(group, name, row_shape, storage);
  write_hdf5_unit(dataset.get(), unit);
}

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

void add_frames(const BlockCounts& block, RowRecord& record) {
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
  record.add(result_layout::frame_number, numbers);
  record.add(result_layout::frame_checksum, checksums);
}

}  // namespace

std::string scale_power(const std::string& unit, int power) {
  for (const char c : unit) {
    if (!is_letter(c)) {
      return "";
    }
  }
  return unit.empty() ? "" : unit + (power > 0 ? "+" : "") + std::to_string(power);
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
  const Hdf5Object checksums = create_hdf5_rows<std::uint64_t>(
      group, result_layout::frame_checksum, {}, Hdf5Storage::gathered);
  write_hdf5_attribute(checksums.get(), result_layout::any_order, 1);
}

void add_result_rows(const BlockCounts& block, RowRecord& record) {
  STARHIST_EXPECT(block.frames > 0, "a block of a result has a frame");
  STARHIST_EXPECT(block.pairs.size() == block.counts.size() &&
                      block.underflow.size() == block.counts.size() &&
                      block.out_of_range.size() == block.counts.size() &&
                      block.excluded.size() == block.counts.size() &&
                      block.pairs_over_volume.size() == block.counts.size(),
                  "a row has an entry for each pair");
  const auto add = [&record](const char* name, auto number) {
    record.add(name, std::vector{number});
  };
  add_frames(block, record);
  record.add_compressed("value", block.counts);
  if (!block.second.empty()) {
    record.add_compressed(result_layout::second_axis_value, block.second);
  }
  if (!block.pairs_over_space.empty()) {
    record.add(result_layout::pairs_over_space, block.pairs_over_space);
    add(result_layout::half_period, block.half_period);
  }
  add("step", block.last_step);
  add("time", block.last_time);
  record.add("overflow", block.out_of_range);
  record.add("pairs", block.pairs);
  record.add("underflow", block.underflow);
  record.add("excluded_pairs", block.excluded);
  record.add("pairs_over_volume", block.pairs_over_volume);
  add("frames", block.frames);
  add("first_frame", block.first_frame.get());
  add("last_frame", block.last_frame.get());
  add("volume", block.volume);
  add("inverse_volume", block.inverse_volume);
  add("inscribed_radius", block.inscribed_radius);
  record.add("particle_number", block.particle_number);
  if (!block.empty_frames.empty()) {
    record.add(result_layout::empty_frames, block.empty_frames);
  }
  record.add("box", edges_of(block));
}

void create_lag_rows(hid_t group, const LagLayout& layout) {
  const std::size_t species = layout.pairs.species.size();
  std::vector<std::uint64_t> of_channels;
  std::vector<std::uint64_t> of_displacements;
  std::vector<std::int32_t> species_of_displacements;
  for (const std::uint64_t lag : layout.lags) {
    of_channels.insert(of_channels.end(), layout.pairs.pairs.size(), lag);
    for (std::size_t s = 0; s < species; ++s) {
      of_displacements.push_back(lag);
      species_of_displacements.push_back(static_cast<std::int32_t>(s));
    }
  }
  const hsize_t histograms = of_displacements.size();
  write_hdf5_numbers(group, result_layout::lag, of_channels, {of_channels.size()});
  write_hdf5_numbers(group, result_layout::self_lag, of_displacements, {histograms});
  write_hdf5_numbers(group, result_layout::self_species, species_of_displacements,
                     {histograms});
  create_rows<std::uint64_t>(group, "self_value", {histograms, layout.pairs.bins.count},
                             "", Hdf5Storage::compressed);
  create_rows<std::uint64_t>(group, "self_underflow", {histograms}, "");
  create_rows<std::uint64_t>(group, "self_overflow", {histograms}, "");
  create_rows<std::uint64_t>(group, "self_particles", {histograms}, "");
  create_rows<double>(group, "squared_displacement", {histograms},
                      scale_power(layout.pairs.length_unit, 2));
  create_rows<std::uint64_t>(group, "lag_frames", {layout.lags.size()}, "");
  create_rows<double>(group, "lag_time", {layout.lags.size()}, layout.pairs.time_unit);
}

void add_lag_rows(const std::vector<DisplacementCounts>& displacements,
                  std::size_t species, RowRecord& record) {
  STARHIST_EXPECT(displacements.size() % species == 0,
                  "a row has displacements of each species and lag");
  std::vector<std::vector<std::uint64_t>> values;
  std::vector<std::uint64_t> underflow;
  std::vector<std::uint64_t> overflow;
  std::vector<std::uint64_t> particles;
  std::vector<double> squares;
  std::vector<std::uint64_t> frames;
  std::vector<double> times;
  for (std::size_t k = 0; k < displacements.size(); ++k) {
    const DisplacementCounts& own = displacements[k];
    if (!adds_up(own)) {
      throw InternalError("displacements do not add up to their " +
                          std::to_string(own.particles) + " particles");
    }
    values.push_back(own.counts);
    underflow.push_back(own.underflow);
    overflow.push_back(own.out_of_range);
    particles.push_back(own.particles);
    squares.push_back(own.squares);
    if (k % species == 0) {
      frames.push_back(own.frames);
      times.push_back(own.time);
    }
  }
  record.add_compressed("self_value", values);
  record.add("self_underflow", underflow);
  record.add("self_overflow", overflow);
  record.add("self_particles", particles);
  record.add("squared_displacement", squares);
  record.add("lag_frames", frames);
  record.add("lag_time", times);
}

}  // namespace starhist::io
