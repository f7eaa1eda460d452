#include "driver/commands/verify/definition.hh"

#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>
#include <thread>

#include "codelets/core/base/seconds_since.hh"
#include "codelets/core/counting/pair_bin.hh"
#include "codelets/kernels/reference/reference_count_pairs.hh"
#include "codelets/kernels/species_positions.hh"
#include "driver/axes/second_axis_counter.hh"

namespace starhist::driver {
namespace {

using kernels::all_rows;
using kernels::PairBlock;
using kernels::SecondAxisPairs;
using Counts = std::vector<std::uint64_t>;

constexpr std::uint64_t pairs_of_a_piece = 200'000;

/// The compounds of both species of a pair, which decide whether it counts.
struct Compounds {
  const std::vector<std::uint32_t>* first = nullptr;  ///< null: all pairs count
  const std::vector<std::uint32_t>* second = nullptr;
  bool only_same = false;

  bool counts(std::size_t i, std::size_t j) const {
    return first == nullptr || ((*first)[i] == (*second)[j]) == only_same;
  }
};

Compounds compounds_of(Exclusion exclusion, SpeciesId first, SpeciesId second,
                       const io::TrajectoryInfo& info) {
  if (exclusion == Exclusion::none) {
    return {};
  }
  const auto numbers = [&](SpeciesId species) {
    const io::SpeciesParticles& particles = info.members[species.index()];
    return compound_of(exclusion) == Compound::residue ? &particles.residue
                                                       : &particles.molecule;
  };
  return {numbers(first), numbers(second), counts_only_same(exclusion)};
}

void count_rows(const PairBlock& block, const Compounds& compounds, Counts& counts) {
  if (compounds.first == nullptr) {
    kernels::reference::count_pairs({&block, 1}, 1, counts.data());
    return;
  }
  for (std::size_t i = block.row_begin; i < block.row_end; ++i) {
    for (std::size_t j = block.like ? i + 1 : 0; j < block.second.count; ++j) {
      if (compounds.counts(i, j)) {
        ++counts[pair_bin(*block.image, *block.bins, block.first[i], block.second[j])];
      }
    }
  }
}

/// Number of threads for which there is memory for `bins` counts each, and pairs to
/// count.
std::size_t thread_count(std::uint64_t bins, std::uint64_t pairs) {
  constexpr std::uint64_t most_bins = 1U << 27U;  // 1 GiB of counts
  const std::uint64_t by_memory = std::max<std::uint64_t>(1, most_bins / (bins + 1));
  return std::min({std::uint64_t{std::max(1U, std::thread::hardware_concurrency())},
                   by_memory, pairs / pairs_of_a_piece + 1});
}

/// Calls count(begin, end, counts) for pieces of `rows` rows of `columns` pairs, in
/// several threads. Returns the sum of the threads' `bins` counts.
template <class Count>
Counts count_in_threads(std::size_t rows, std::size_t columns, std::size_t bins,
                        Count count) {
  std::vector<Counts> of_thread(thread_count(bins, std::uint64_t{rows} * columns),
                                Counts(bins));
  const std::size_t piece =
      std::max<std::size_t>(1, pairs_of_a_piece / std::max<std::size_t>(1, columns));
  std::atomic<std::size_t> next{0};
  const auto work = [&](Counts& counts) {
    for (std::size_t begin = next.fetch_add(piece); begin < rows;
         begin = next.fetch_add(piece)) {
      count(begin, std::min(begin + piece, rows), counts);
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t k = 1; k < of_thread.size(); ++k) {
      threads.emplace_back(work, std::ref(of_thread[k]));
    }
    work(of_thread[0]);
  }
  for (std::size_t k = 1; k < of_thread.size(); ++k) {
    std::transform(of_thread[k].begin(), of_thread[k].end(), of_thread[0].begin(),
                   of_thread[0].begin(), std::plus<>());
  }
  return std::move(of_thread[0]);
}

/// Counts per bin from distance 0 on, and the pairs out of range.
Counts count_all(const PairBlock& block, const Compounds& compounds) {
  return count_in_threads(block.first.count, block.second.count,
                          std::size_t{block.bins->count} + 1,
                          [&](std::size_t begin, std::size_t end, Counts& counts) {
                            PairBlock piece = block;
                            piece.row_begin = begin;
                            piece.row_end = end;
                            count_rows(piece, compounds, counts);
                          });
}

/// Counts per bin of distance and second axis, and a last entry of no meaning.
Counts count_cells(const SecondAxisPairs& pairs, const Compounds& compounds) {
  const bool both = pairs.axis.orders(pairs.like) == 2;
  return count_in_threads(pairs.first.count, pairs.second.count, pairs.cells() + 1,
                          [&](std::size_t begin, std::size_t end, Counts& counts) {
                            for (std::size_t i = begin; i < end; ++i) {
                              for (std::size_t j = pairs.like ? i + 1 : 0;
                                   j < pairs.second.count; ++j) {
                                if (compounds.counts(i, j)) {
                                  ++counts[pairs.cell(i, j)];
                                  if (both) {
                                    ++counts[pairs.cell(j, i)];
                                  }
                                }
                              }
                            }
                          });
}

/// Whether particle i of a shell's centre species is particle j of the neighbour
/// species.
class SameParticle {
 public:
  SameParticle(const NeighbourShell& shell, const Frame& frame,
               const io::TrajectoryInfo& info)
      : like_(shell.centre == shell.neighbour) {
    if (like_) {
      return;
    }
    const std::size_t a = shell.centre.index();
    const std::size_t b = shell.neighbour.index();
    if (!frame.order.empty()) {
      first_ = &frame.order[a].row;
      second_ = &frame.order[b].row;
    } else if (!info.members.empty() && !info.members[a].particle.empty() &&
               !info.members[b].particle.empty()) {
      first_ = &info.members[a].particle;
      second_ = &info.members[b].particle;
    }
  }
  bool operator()(std::size_t i, std::size_t j) const {
    return like_ ? i == j : first_ != nullptr && (*first_)[i] == (*second_)[j];
  }

 private:
  bool like_;
  /// Places of the particles in the file; null: the species share no particle.
  const std::vector<std::uint32_t>* first_ = nullptr;
  const std::vector<std::uint32_t>* second_ = nullptr;
};

}  // namespace

void count_by_definition(const HistogramLayout& layout, const io::TrajectoryInfo& info,
                         const PairExclusions& exclusions, const Frame& frame,
                         BlockCounts& block) {
  const UniformBins bins = layout.bins.from_zero();
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    const SpeciesPair& pair = layout.pairs[p];
    Counts counts =
        count_all(all_rows(pair, frame.positions, frame.box, bins),
                  compounds_of(layout.exclusion, pair.first, pair.second, info));
    counts[0] -= exclusions.self_pairs(layout, frame, PairId(p));  // at distance 0
    for (std::uint32_t k = 0; k < layout.bins.below; ++k) {
      block.underflow[p] += counts[k];
    }
    for (std::uint32_t k = 0; k < layout.bins.count; ++k) {
      block.counts[p][k] += counts[layout.bins.below + k];
    }
    block.out_of_range[p] += counts[bins.count];
  }
}

void count_second_by_definition(const HistogramLayout& layout,
                                const io::TrajectoryInfo& info,
                                const PairExclusions& exclusions,
                                const ParticleDirections* vectors, const Frame& frame,
                                BlockCounts& block) {
  const SecondAxis& axis = *layout.second;
  const std::size_t below = std::size_t{layout.bins.below} * axis.columns();
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    const SpeciesPair& pair = layout.pairs[p];
    const SecondAxisPairs pairs = second_axis_pairs(layout, frame, vectors, PairId(p));
    Counts counts = count_cells(
        pairs, compounds_of(layout.exclusion, pair.first, pair.second, info));
    const std::uint64_t self = exclusions.self_pairs(layout, frame, PairId(p));
    if (self > 0) {
      counts[self_cell(pairs)] -= self;
    }
    for (std::size_t k = 0; k < block.second[p].size(); ++k) {
      block.second[p][k] += counts[below + k];
    }
  }
}

std::vector<std::uint32_t> neighbours_by_definition(const NeighbourShell& shell,
                                                    Exclusion exclusion,
                                                    const io::TrajectoryInfo& info,
                                                    const Frame& frame) {
  const SpeciesPair pair{shell.centre, shell.neighbour};
  const PairBlock block = all_rows(pair, frame.positions, frame.box, shell.bins);
  const Compounds compounds =
      compounds_of(exclusion, shell.centre, shell.neighbour, info);
  const SameParticle same(shell, frame, info);
  std::vector<std::uint32_t> neighbours(block.first.count);
  count_in_threads(block.first.count, block.second.count, 0,
                   [&](std::size_t begin, std::size_t end, Counts& /*none*/) {
                     for (std::size_t i = begin; i < end; ++i) {
                       for (std::size_t j = 0; j < block.second.count; ++j) {
                         if (!same(i, j) && compounds.counts(i, j) &&
                             pair_bin(*block.image, shell.bins, block.first[i],
                                      block.second[j]) < shell.edge) {
                           ++neighbours[i];
                         }
                       }
                     }
                   });
  return neighbours;
}

double definition_speed(const std::vector<SpeciesPair>& species_pairs,
                        const UniformBins& bins_of_result, const Frame& frame) {
  constexpr std::uint64_t most_pairs = 1'000'000;
  const UniformBins bins = bins_of_result.from_zero();
  for (const SpeciesPair& pair : species_pairs) {
    PairBlock block = all_rows(pair, frame.positions, frame.box, bins);
    if (block.pair_count() == 0) {
      continue;
    }
    const auto threads =
        static_cast<double>(thread_count(bins.count, block.pair_count()));
    block.row_end =
        std::clamp<std::size_t>(most_pairs / block.second.count, 1, block.first.count);
    Counts counts(std::size_t{bins.count} + 1);
    const auto start = std::chrono::steady_clock::now();
    count_rows(block, {}, counts);
    const std::uint64_t pairs =
        std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    return threads * static_cast<double>(pairs) / std::max(1e-6, seconds_since(start));
  }
  return 0.0;
}

}  // namespace starhist::driver
