#include "io/result/coordination_result.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/units.hh"
#include "codelets/core/counting/bin_position.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/inspection/inspected_file.hh"
#include "io/result/result_contents.hh"
#include "io/result/result_layout.hh"

namespace starhist::io {
namespace {

/// Extents of a dataset with `rank` dimensions, all of them positive.
std::vector<hsize_t> shape_of(hid_t group, const std::string& name, std::size_t rank) {
  std::vector<hsize_t> shape = hdf5_shape(open_hdf5_dataset(group, name).get());
  if (shape.size() != rank || std::count(shape.begin(), shape.end(), 0) > 0) {
    refuse_damaged(group, name, "has an unexpected shape");
  }
  return shape;
}

std::vector<NeighbourShell> read_shells(hid_t group, std::size_t species) {
  const hsize_t count = shape_of(group, "pair_species", 2)[0];
  const auto ids = read_shaped<std::int32_t>(group, "pair_species", {count, 2});
  const auto r_max = read_shaped<double>(group, "r_max", {count});
  const auto bins = read_shaped<std::uint32_t>(group, "bin_count", {count});
  const auto edges = read_shaped<std::uint32_t>(group, "cutoff_bin", {count});
  const auto cutoffs = read_shaped<double>(group, "cutoff", {count});
  std::vector<NeighbourShell> shells;
  for (std::size_t s = 0; s < count; ++s) {
    const auto is_species = [&](std::int32_t id) {
      return id >= 0 && static_cast<std::size_t>(id) < species;
    };
    if (!is_species(ids[2 * s]) || !is_species(ids[2 * s + 1])) {
      refuse_damaged(group, "pair_species", "has an unknown species");
    }
    try {
      shells.push_back({SpeciesId(static_cast<std::uint32_t>(ids[2 * s])),
                        SpeciesId(static_cast<std::uint32_t>(ids[2 * s + 1])),
                        make_bins(r_max[s], bins[s]), edges[s]});
    } catch (const InputError& error) {
      refuse_damaged(group, "r_max", error.what());
    }
    if (edges[s] == 0 || edges[s] > bins[s] || shells.back().cutoff() != cutoffs[s]) {
      refuse_damaged(group, "cutoff", "does not follow from r_max and bins");
    }
  }
  return shells;
}

void read_blocks(hid_t group, CoordinationResult& result) {
  const std::vector<hsize_t> shape = shape_of(group, "value", 3);
  const hsize_t blocks = shape[0];
  const hsize_t shells = result.shells.size();
  const hsize_t species = result.file.layout.species.size();
  const hsize_t frames = shape_of(group, "frame_number", 1)[0];
  const auto values =
      read_shaped<std::uint64_t>(group, "value", {blocks, shells, shape[2]});
  const auto of_block = read_shaped<std::uint32_t>(group, "frames", {blocks});
  const auto first = read_shaped<std::uint64_t>(group, "first_frame", {blocks});
  const auto last = read_shaped<std::uint64_t>(group, "last_frame", {blocks});
  const auto particles =
      read_shaped<std::uint64_t>(group, "particle_number", {blocks, species});
  const bool changing = !result.file.layout.selections.empty();
  const auto empty = changing
                         ? read_shaped<std::uint64_t>(
                               group, result_layout::empty_frames, {blocks, species})
                         : std::vector<std::uint64_t>();
  const auto numbers =
      read_shaped<std::uint64_t>(group, result_layout::frame_number, {frames});
  auto checksums =
      read_shaped<std::uint64_t>(group, result_layout::frame_checksum, {frames});
  const Hdf5Object of_frames = open_hdf5_dataset(group, result_layout::frame_checksum);
  if (!hdf5_has_attribute(of_frames.get(), result_layout::any_order)) {
    std::fill(checksums.begin(), checksums.end(), 0);
  }
  result.times = read_shaped<double>(group, "frame_time", {frames});
  std::uint64_t frame = 0;
  auto value = values.begin();
  for (std::size_t b = 0; b < blocks; ++b) {
    BlockCounts block;
    block.index = BlockIndex(b);
    block.frames = of_block[b];
    block.first_frame = FrameIndex(first[b]);
    block.last_frame = FrameIndex(last[b]);
    if (of_block[b] > frames - frame) {
      refuse_damaged(group, "frames", "has more frames than are listed");
    }
    for (const std::uint64_t end = frame + of_block[b]; frame < end; ++frame) {
      block.counted.push_back({FrameIndex(numbers[frame]), checksums[frame]});
    }
    const auto row = static_cast<std::ptrdiff_t>(b * species);
    const auto width = static_cast<std::ptrdiff_t>(species);
    block.particle_number.assign(particles.begin() + row,
                                 particles.begin() + row + width);
    if (changing) {
      block.empty_frames.assign(empty.begin() + row, empty.begin() + row + width);
    }
    result.file.blocks.push_back(std::move(block));
    result.counts.emplace_back();
    for (std::size_t s = 0; s < shells; ++s) {
      const auto end = value + static_cast<std::ptrdiff_t>(shape[2]);
      result.counts.back().emplace_back(value, end);
      value = end;
    }
  }
  if (frame != frames) {
    refuse_damaged(group, "frames", "has fewer frames than are listed");
  }
  if (hdf5_exists(group, "frame_neighbours")) {
    result.frames = FrameNeighbours{
        read_shaped<std::uint64_t>(group, "frame_centres", {frames, shells}),
        read_shaped<std::uint64_t>(group, "frame_neighbours", {frames, shells})};
  }
}

void read_particles(hid_t group, CoordinationResult& result) {
  for (std::size_t s = 0; s < result.shells.size() && hdf5_exists(group, "particles");
       ++s) {
    const Hdf5Object own = open_hdf5_group(group, "particles/" + std::to_string(s));
    const hsize_t count = shape_of(own.get(), "neighbours", 1)[0];
    ParticleNeighbours particles;
    particles.neighbours = read_shaped<std::uint64_t>(own.get(), "neighbours", {count});
    if (hdf5_exists(own.get(), "row")) {
      particles.order.row = read_shaped<std::uint32_t>(own.get(), "row", {count});
    }
    if (hdf5_exists(own.get(), "id")) {
      particles.order.id = read_shaped<std::int64_t>(own.get(), "id", {count});
    }
    result.particles.push_back(std::move(particles));
  }
}

}  // namespace

std::vector<SpeciesPair> pairs_of(const std::vector<NeighbourShell>& shells) {
  std::vector<SpeciesPair> pairs;
  for (const NeighbourShell& shell : shells) {
    if (std::find(pairs.begin(), pairs.end(), shell.pair()) == pairs.end()) {
      pairs.push_back(shell.pair());
    }
  }
  return pairs;
}

std::string coordination_problem(const CoordinationResult& result) {
  const std::size_t shells = result.shells.size();
  for (std::size_t s = 0; s < shells; ++s) {
    const std::string name = shell_name(result.shells[s], result.file.layout.species);
    std::uint64_t all = 0;
    std::size_t frame = 0;
    for (std::size_t b = 0; b < result.counts.size(); ++b) {
      const NeighbourCounts& counts = result.counts[b][s];
      const std::string place = "block " + std::to_string(b) + ": " + name + ": ";
      const BlockCounts& block = result.file.blocks[b];
      if (centre_sum(counts) !=
          block.particle_number[result.shells[s].centre.index()]) {
        return place + "the numbers of neighbours do not add up to the particles";
      }
      all += neighbour_sum(counts);
      if (!result.frames) {
        continue;
      }
      std::uint64_t centres = 0;
      std::uint64_t neighbours = 0;
      for (std::uint32_t k = 0; k < block.frames; ++k, ++frame) {
        centres += result.frames->centres[frame * shells + s];
        neighbours += result.frames->neighbours[frame * shells + s];
      }
      if (centres != centre_sum(counts) || neighbours != neighbour_sum(counts)) {
        return place + "the frames do not add up to the block";
      }
    }
    if (!result.particles.empty()) {
      std::uint64_t sum = 0;
      for (const std::uint64_t own : result.particles[s].neighbours) {
        sum += own;
      }
      if (sum != all) {
        return name + ": the particles do not add up to the blocks";
      }
    }
  }
  return "";
}

CoordinationResult read_coordination_result(const std::string& path,
                                            ExternalFiles external) {
  const Hdf5Object file = open_result(path, external);
  const result_layout::KindOfResult& kind = result_layout::coordination;
  if (!has_groups_of(file.get(), kind)) {
    throw InputError(path + ": is not a result of starhist coordination (it has no " +
                     kind.counts + ")");
  }
  check_version(file.get(), kind.module, kind.version);
  const Hdf5Object group = open_hdf5_group(file.get(), kind.counts);
  CoordinationResult result;
  result.file.path = path;
  result.file.external_files = external_files_of(path, external);
  result.file.edge_shift = starhist::edge_shift;
  HistogramLayout& layout = result.file.layout;
  layout.species = read_texts(group.get(), "species");
  layout.selections = read_selections(group.get(), layout.species.size());
  layout.length_unit =
      length_unit_spelling(read_text(group.get(), result_layout::length_unit));
  layout.time_unit =
      time_unit_spelling(read_text(group.get(), result_layout::time_unit));
  try {
    layout.exclusion =
        parse_exclusion(read_text(group.get(), result_layout::exclusion));
  } catch (const InputError& error) {
    refuse_damaged(group.get(), result_layout::exclusion, error.what());
  }
  const auto shift =
      read_shaped<double>(group.get(), result_layout::edge_shift, {}).front();
  if (shift != starhist::edge_shift) {
    refuse_damaged(group.get(), result_layout::edge_shift, "has an unknown value");
  }
  result.file.record = read_record(file.get());
  result.file.state = read_state(group.get(), path);
  result.shells = read_shells(group.get(), layout.species.size());
  layout.pairs = pairs_of(result.shells);
  read_blocks(group.get(), result);
  read_particles(group.get(), result);
  const std::string problem = coordination_problem(result);
  if (!problem.empty()) {
    refuse_damaged(group.get(), "", problem);
  }
  return result;
}

bool is_coordination_result(const std::string& path, ExternalFiles external) {
  return is_result_of(result_layout::coordination, path, external);
}

}  // namespace starhist::io
