#include "driver/capi/file/counted_blocks.hh"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <utility>

#include "codelets/core/counting/bin_position.hh"
#include "driver/capi/call.hh"
#include "driver/capi/second_axis_rules.hh"
#include "io/files/local_time.hh"

namespace starhist::capi {
namespace {

void must(starhist_status status) {
  if (status != STARHIST_OK) {
    throw CallError(status, starhist_last_error());
  }
}

/// Adds the neighbours of each particle, unless particles have changed between frames.
void add_particles(starhist_histogram* histogram, io::CoordinationResult& result) {
  for (std::size_t s = 0; s < result.shells.size(); ++s) {
    std::size_t size = 0;
    const starhist_status status =
        starhist_get_particle_neighbours(histogram, s, 0, nullptr, &size);
    if (status == STARHIST_WRONG_STATE) {
      return;
    }
    must(status);
    std::vector<std::uint64_t> neighbours(size);
    must(starhist_get_particle_neighbours(histogram, s, size, neighbours.data(),
                                          nullptr));
    io::ParticleNeighbours& of_centres = result.particles.emplace_back();
    for (std::size_t i = 0; i < size; ++i) {
      if (neighbours[i] != UINT64_MAX) {  // of the centre species
        of_centres.order.row.push_back(static_cast<std::uint32_t>(i));
        of_centres.neighbours.push_back(neighbours[i]);
      }
    }
  }
}

Box box_of(const starhist_block& sums, Plane plane) {
  const double* m = sums.box;
  const std::array<Vec3, 3> edges{
      Vec3{m[0], m[1], m[2]}, {m[3], m[4], m[5]}, {m[6], m[7], m[8]}};
  return plane == Plane::none ? Box(edges, {true, true, true})
                              : Box::in_plane(edges, plane);
}

UniformBins bins_of(starhist_histogram* histogram, double r_max, std::size_t bins) {
  int has_edges = 0;
  must(starhist_has_edges(histogram, &has_edges));
  if (has_edges == 0) {
    return make_bins(r_max, bins);
  }
  std::vector<double> edges(bins + 1);
  must(starhist_get_edges(histogram, edges.size(), edges.data()));
  return make_bins_between(edges);
}

std::optional<SecondAxis> second_axis_of(starhist_histogram* histogram) {
  int quantity = STARHIST_NO_SECOND_AXIS;
  std::uint32_t bins = 0;
  double limit = 0.0;
  must(starhist_get_second_axis(histogram, &quantity, &bins, &limit));
  return quantity == STARHIST_NO_SECOND_AXIS
             ? std::nullopt
             : std::optional(make_second_axis(quantity, bins, limit));
}

/// Sets the counts of a pair by second axis, and their norms.
void read_second(starhist_histogram* histogram, const SecondAxis& axis, std::size_t p,
                 BlockCounts& block) {
  const std::size_t bins = block.counts[p].size();
  std::vector<std::uint64_t> counts(bins * axis.count);
  must(starhist_get_second_counts(histogram, block.index.get(), p, counts.size(),
                                  counts.data()));
  if (!axis.along_normal()) {
    block.second[p] = std::move(counts);
    return;
  }
  for (std::size_t k = 0; k < bins; ++k) {  // the rest of a row is beyond the limit
    const auto row = counts.begin() + static_cast<std::ptrdiff_t>(k * axis.count);
    auto* const to = block.second[p].data() + k * axis.columns();
    std::copy_n(row, axis.count, to);
    to[axis.count] =
        std::accumulate(row, row + axis.count, block.counts[p][k], std::minus<>());
  }
  must(starhist_get_pairs_over_space(histogram, block.index.get(), p,
                                     &block.pairs_over_space[p], &block.half_period));
}

}  // namespace

HistogramLayout layout_of(starhist_histogram* histogram) {
  HistogramLayout layout;
  std::size_t species = 0;
  std::size_t pairs = 0;
  std::size_t bins = 0;
  double r_max = 0.0;
  const char* length_unit = nullptr;
  const char* time_unit = nullptr;
  int plane = STARHIST_SPACE;
  must(starhist_get_plane(histogram, &plane));
  must(starhist_get_numbers(histogram, nullptr, nullptr, &species, &pairs, &bins));
  must(starhist_get_settings(histogram, &r_max, nullptr, &length_unit, &time_unit));
  layout.bins = bins_of(histogram, r_max, bins);
  layout.plane = static_cast<Plane>(plane);
  layout.second = second_axis_of(histogram);
  layout.length_unit = length_unit;
  layout.time_unit = time_unit;
  for (std::size_t s = 0; s < species; ++s) {
    const char* name = nullptr;
    must(starhist_get_species_name(histogram, s, &name));
    layout.species.emplace_back(name);
  }
  for (std::size_t p = 0; p < pairs; ++p) {
    std::size_t first = 0;
    std::size_t second = 0;
    must(starhist_get_pair_species(histogram, p, &first, &second));
    layout.pairs.push_back({SpeciesId(static_cast<std::uint32_t>(first)),
                            SpeciesId(static_cast<std::uint32_t>(second))});
  }
  return layout;
}

std::optional<LagLayout> lag_layout_of(starhist_histogram* histogram,
                                       const HistogramLayout& channels) {
  LagLayout layout{channels, {}};
  for (std::size_t p = 0; p < channels.pairs.size(); ++p) {
    std::uint64_t lag = 0;
    const starhist_status status = starhist_get_pair_lag(histogram, p, &lag);
    if (status == STARHIST_WRONG_STATE) {
      return std::nullopt;
    }
    must(status);
    if (layout.lags.empty() || layout.lags.back() != lag) {
      layout.lags.push_back(lag);
    }
  }
  layout.pairs.pairs.resize(channels.pairs.size() / layout.lags.size());
  return layout;
}

std::vector<NeighbourShell> shells_of(starhist_histogram* histogram) {
  std::vector<NeighbourShell> shells;
  std::size_t centre = 0;
  std::size_t neighbour = 0;
  double cutoff = 0.0;
  while (starhist_get_shell(histogram, shells.size(), &centre, &neighbour, &cutoff) ==
         STARHIST_OK) {
    shells.push_back({SpeciesId(static_cast<std::uint32_t>(centre)),
                      SpeciesId(static_cast<std::uint32_t>(neighbour)),
                      make_bins(cutoff, 1)});
  }
  return shells;
}

std::uint64_t block_count(starhist_histogram* histogram) {
  std::uint64_t blocks = 0;
  must(starhist_get_numbers(histogram, nullptr, &blocks, nullptr, nullptr, nullptr));
  return blocks;
}

BlockCounts read_block(starhist_histogram* histogram, const HistogramLayout& layout,
                       std::uint64_t block) {
  BlockCounts result = empty_block(layout, BlockIndex(block));
  starhist_block sums{};
  must(starhist_get_block(histogram, block, &sums));
  result.frames = static_cast<std::uint32_t>(sums.frames);
  result.first_frame = FrameIndex(sums.first_frame);
  result.last_frame = FrameIndex(sums.last_frame);
  result.last_step = sums.last_step;
  result.last_time = sums.last_time;
  result.volume = sums.volume;
  result.inverse_volume = sums.inverse_volume;
  result.inscribed_radius = sums.inscribed_radius;
  if (sums.has_box == 1) {
    result.box = box_of(sums, layout.plane);
  }
  for (std::size_t s = 0; s < layout.species.size(); ++s) {
    must(starhist_get_particles(histogram, block, s, &result.particle_number[s]));
  }
  for (std::size_t p = 0; p < layout.pairs.size(); ++p) {
    must(starhist_get_counts(histogram, block, p, layout.bins.count,
                             result.counts[p].data(), &result.out_of_range[p],
                             &result.pairs[p]));
    result.underflow[p] =
        std::accumulate(result.counts[p].begin(), result.counts[p].end(),
                        result.pairs[p] - result.out_of_range[p], std::minus<>());
    must(starhist_get_pairs_over_volume(histogram, block, p,
                                        &result.pairs_over_volume[p]));
    if (layout.second) {
      read_second(histogram, *layout.second, p, result);
    }
  }
  return result;
}

LaggedBlock with_displacements(starhist_histogram* histogram, const LagLayout& layout,
                               BlockCounts&& block) {
  LaggedBlock result{std::move(block), empty_displacements(layout)};
  const std::size_t species = layout.pairs.species.size();
  for (std::size_t k = 0; k < result.displacements.size(); ++k) {
    DisplacementCounts& own = result.displacements[k];
    must(starhist_get_displacements(
        histogram, result.pairs.index.get(), layout.lags[k / species], k % species,
        own.counts.size(), own.counts.data(), &own.out_of_range, &own.particles,
        &own.squares, &own.frames, &own.time));
  }
  for (std::size_t lag = 0; lag < layout.lags.size(); ++lag) {
    for (std::uint32_t p = 0; p < layout.pairs.pairs.size(); ++p) {
      const SpeciesPair pair = layout.pairs.pairs[p];
      if (layout.lags[lag] > 0 && pair.like()) {  // each particle with itself
        result.pairs.excluded[layout.channel(lag, PairId(p))] =
            result.displacements[layout.displacement(lag, pair.first)].particles;
      }
    }
  }
  return result;
}

io::CoordinationResult coordination_of(starhist_histogram* histogram,
                                       std::vector<NeighbourShell> shells) {
  const HistogramLayout layout = layout_of(histogram);
  io::CoordinationResult result;
  result.file.layout = layout;
  result.file.layout.pairs = io::pairs_of(shells);
  result.file.record = provenance_of(histogram);
  result.file.edge_shift = edge_shift;
  result.shells = std::move(shells);
  result.frames.emplace();
  const std::uint64_t blocks = block_count(histogram);
  for (std::uint64_t b = 0; b < blocks; ++b) {
    BlockCounts block = read_block(histogram, layout, b);
    for (std::uint64_t f = block.first_frame.get(); f <= block.last_frame.get(); ++f) {
      block.counted.push_back({FrameIndex(f), 0});
      for (std::size_t s = 0; s < result.shells.size(); ++s) {
        double time = 0.0;
        std::uint64_t centres = 0;
        std::uint64_t neighbours = 0;
        must(starhist_get_frame_neighbours(histogram, f, s, &time, &centres,
                                           &neighbours));
        if (s == 0) {
          result.times.push_back(time);
        }
        result.frames->centres.push_back(centres);
        result.frames->neighbours.push_back(neighbours);
      }
    }
    result.file.blocks.push_back(std::move(block));
    result.counts.emplace_back();
    for (std::size_t s = 0; s < result.shells.size(); ++s) {
      std::size_t most = 0;
      must(starhist_get_neighbours(histogram, b, s, 0, nullptr, &most));
      NeighbourCounts counts(most + 1);
      must(starhist_get_neighbours(histogram, b, s, counts.size(), counts.data(),
                                   nullptr));
      result.counts.back().push_back(std::move(counts));
    }
  }
  add_particles(histogram, result);
  return result;
}

io::RunRecord provenance_of(starhist_histogram* histogram) {
  io::RunRecord record;
  const char* name = nullptr;
  const char* value = nullptr;
  while (starhist_get_provenance(histogram, record.size(), &name, &value) ==
         STARHIST_OK) {
    record.emplace_back(name, value);
  }
  record.emplace_back(io::result_id, io::new_result_id());
  record.emplace_back("run 1", "saved " + io::local_time());
  return record;
}

}  // namespace starhist::capi
