#include "io/output/coordination_writer.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"
#include "io/hdf5/h5md_root.hh"
#include "io/hdf5/hdf5_image.hh"
#include "io/hdf5/hdf5_write.hh"
#include "io/log/record_log.hh"
#include "io/result/result_header.hh"
#include "io/result/result_layout.hh"

namespace starhist::io {
namespace {

void write_shells(hid_t group, const CoordinationResult& result) {
  const HistogramLayout& layout = result.file.layout;
  std::vector<std::int32_t> species;
  std::vector<double> r_max;
  std::vector<std::uint32_t> bins;
  std::vector<std::uint32_t> edges;
  std::vector<double> cutoffs;
  for (const NeighbourShell& shell : result.shells) {
    species.push_back(static_cast<std::int32_t>(shell.centre.get()));
    species.push_back(static_cast<std::int32_t>(shell.neighbour.get()));
    r_max.push_back(shell.bins.r_max);
    bins.push_back(shell.bins.count);
    edges.push_back(shell.edge);
    cutoffs.push_back(shell.cutoff());
  }
  const hsize_t shells = result.shells.size();
  write_hdf5_numbers(group, "pair_species", species, {shells, 2});
  for (const auto& [name, values] : {std::pair{"r_max", r_max}, {"cutoff", cutoffs}}) {
    const Hdf5Object dataset = write_hdf5_numbers(group, name, values, {shells});
    write_hdf5_unit(dataset.get(), layout.length_unit);
  }
  write_hdf5_numbers(group, "bin_count", bins, {shells});
  write_hdf5_numbers(group, "cutoff_bin", edges, {shells});
  write_hdf5_numbers<double>(group, result_layout::edge_shift, {result.file.edge_shift},
                             {});
}

void write_counts(hid_t group, const CoordinationResult& result) {
  std::size_t most = 1;
  for (const auto& block : result.counts) {
    for (const NeighbourCounts& counts : block) {
      most = std::max(most, counts.size());
    }
  }
  std::vector<std::uint64_t> values;
  for (const auto& block : result.counts) {
    for (const NeighbourCounts& counts : block) {
      values.insert(values.end(), counts.begin(), counts.end());
      values.insert(values.end(), most - counts.size(), 0);
    }
  }
  write_hdf5_numbers(group, "value", values,
                     {result.counts.size(), result.shells.size(), most});
}

void write_blocks(hid_t group, const CoordinationResult& result) {
  std::vector<std::uint32_t> frames;
  std::vector<std::uint64_t> first;
  std::vector<std::uint64_t> last;
  std::vector<std::uint64_t> particles;
  std::vector<std::uint64_t> empty;
  std::vector<std::uint64_t> numbers;
  std::vector<std::uint64_t> checksums;
  for (const BlockCounts& block : result.file.blocks) {
    frames.push_back(block.frames);
    first.push_back(block.first_frame.get());
    last.push_back(block.last_frame.get());
    particles.insert(particles.end(), block.particle_number.begin(),
                     block.particle_number.end());
    empty.insert(empty.end(), block.empty_frames.begin(), block.empty_frames.end());
    for (const CountedFrame& frame : block.counted) {
      numbers.push_back(frame.index.get());
      checksums.push_back(frame.checksum);
    }
  }
  const HistogramLayout& layout = result.file.layout;
  const hsize_t blocks = frames.size();
  const hsize_t species = layout.species.size();
  write_hdf5_numbers(group, "frames", frames, {blocks});
  write_hdf5_numbers(group, "first_frame", first, {blocks});
  write_hdf5_numbers(group, "last_frame", last, {blocks});
  write_hdf5_numbers(group, "particle_number", particles, {blocks, species});
  if (!layout.selections.empty()) {
    write_hdf5_numbers(group, result_layout::empty_frames, empty, {blocks, species});
  }
  write_hdf5_numbers(group, result_layout::frame_number, numbers, {numbers.size()});
  const Hdf5Object of_frames = write_hdf5_numbers(group, result_layout::frame_checksum,
                                                  checksums, {checksums.size()});
  write_hdf5_attribute(of_frames.get(), result_layout::any_order, 1);
  const Hdf5Object times =
      write_hdf5_numbers(group, "frame_time", result.times, {result.times.size()});
  write_hdf5_unit(times.get(), layout.time_unit);
  if (result.frames) {
    const std::vector<hsize_t> shape{numbers.size(), result.shells.size()};
    write_hdf5_numbers(group, "frame_centres", result.frames->centres, shape);
    write_hdf5_numbers(group, "frame_neighbours", result.frames->neighbours, shape);
  }
}

void write_particles(hid_t group, const CoordinationResult& result) {
  for (std::size_t s = 0; s < result.particles.size(); ++s) {
    const ParticleNeighbours& particles = result.particles[s];
    const hsize_t count = particles.neighbours.size();
    const Hdf5Object own = create_hdf5_group(group, "particles/" + std::to_string(s));
    write_hdf5_numbers(own.get(), "neighbours", particles.neighbours, {count});
    if (!particles.order.row.empty()) {
      write_hdf5_numbers(own.get(), "row", particles.order.row, {count});
    }
    if (!particles.order.id.empty()) {
      write_hdf5_numbers(own.get(), "id", particles.order.id, {count});
    }
  }
}

void write_result(hid_t file, const CoordinationResult& result, bool complete) {
  const HistogramLayout& layout = result.file.layout;
  const result_layout::KindOfResult& kind = result_layout::coordination;
  write_h5md_root(file, layout.length_unit);
  const Hdf5Object module = create_hdf5_group(file, kind.module);
  write_hdf5_attribute(module.get(), "version",
                       std::vector<std::int32_t>{kind.version, kind.minor_version});
  create_hdf5_group(file, "parameters");  // of the provenance
  write_run_record(file, result.file.record);
  const Hdf5Object group = create_hdf5_group(file, kind.counts);
  write_hdf5_attribute(group.get(), result_layout::length_unit, layout.length_unit);
  write_hdf5_attribute(group.get(), result_layout::time_unit, layout.time_unit);
  write_hdf5_attribute(group.get(), result_layout::exclusion,
                       to_string(layout.exclusion));
  write_hdf5_strings(group.get(), "species", layout.species);
  if (!layout.selections.empty()) {
    write_hdf5_strings(group.get(), result_layout::selection, layout.selections);
  }
  write_shells(group.get(), result);
  write_counts(group.get(), result);
  write_blocks(group.get(), result);
  write_particles(group.get(), result);
  if (complete) {
    write_hdf5_attribute(group.get(), result_layout::complete,
                         std::vector<std::int32_t>{1});
  }
}

}  // namespace

std::string CoordinationWriter::image_of(const CoordinationResult& result,
                                         bool complete) const {
  const std::string problem = coordination_problem(result);
  if (!problem.empty()) {
    throw InternalError(problem);
  }
  Hdf5Object file = create_hdf5_image(path_.partial());
  write_result(file.get(), result, complete);
  return hdf5_image(std::move(file));
}

void CoordinationWriter::save(const CoordinationResult& result) {
  path_.replace(log_signature() +
                log_record(RecordType::header, image_of(result, false)));
}

void CoordinationWriter::write(const CoordinationResult& result) {
  path_.replace(image_of(result, true));
  path_.publish();
}

}  // namespace starhist::io
