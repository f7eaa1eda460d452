#include "driver/commands/verify/definition.hh"

#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>
#include <thread>
#include <vector>

#include "codelets/core/base/seconds_since.hh"
#include "codelets/core/counting/pair_bin.hh"
#include "codelets/kernels/reference/reference_count_pairs.hh"
#include "codelets/kernels/species_positions.hh"

namespace starhist::driver {
namespace {

using kernels::all_rows;
using kernels::PairBlock;
using Counts = std::vector<std::uint64_t>;

constexpr std::uint64_t pairs_of_a_piece = 200'000;

/// The compounds of both species of a pair, which decide whether it counts.
struct Compounds {
  const std::vector<std::uint32_t>* first = nullptr;  ///< null: all pairs count
  const std::vector<std::uint32_t>* second = nullptr;
  bool only_same = false;

  bool counts(std::size_t i, std::size_t j) const {
    return ((*first)[i] == (*second)[j]) == only_same;
  }
};

Compounds compounds_of(const HistogramLayout& layout, const SpeciesPair& pair,
                       const io::TrajectoryInfo& info) {
  if (layout.exclusion == Exclusion::none) {
    return {};
  }
  const auto numbers = [&](SpeciesId species) {
    const io::SpeciesParticles& particles = info.members[species.index()];
    return compound_of(layout.exclusion) == Compound::residue ? &particles.residue
                                                              : &particles.molecule;
  };
  return {numbers(pair.first), numbers(pair.second),
          counts_only_same(layout.exclusion)};
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

/// Number of threads for which there is memory for separate counts, and pairs to count.
std::size_t thread_count(const PairBlock& block) {
  constexpr std::uint64_t most_bins = 1U << 27U;  // 1 GiB of counts
  const std::uint64_t by_memory =
      std::max<std::uint64_t>(1, most_bins / (block.bins->count + 1));
  return std::min({std::uint64_t{std::max(1U, std::thread::hardware_concurrency())},
                   by_memory, block.pair_count() / pairs_of_a_piece + 1});
}

/// Counts per bin from distance 0 on, and the pairs out of range.
Counts count_all(const PairBlock& block, const Compounds& compounds) {
  const std::size_t bins = std::size_t{block.bins->count} + 1;
  std::vector<Counts> of_thread(thread_count(block), Counts(bins));
  const std::size_t rows = std::max<std::size_t>(
      1, pairs_of_a_piece / std::max<std::size_t>(1, block.second.count));
  std::atomic<std::size_t> next{0};
  const auto work = [&](Counts& counts) {
    for (std::size_t begin = next.fetch_add(rows); begin < block.first.count;
         begin = next.fetch_add(rows)) {
      PairBlock piece = block;
      piece.row_begin = begin;
      piece.row_end = std::min(begin + rows, block.first.count);
      count_rows(piece, compounds, counts);
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

}  // namespace

void count_by_definition(const HistogramLayout& layout, const io::TrajectoryInfo& info,
                         const PairExclusions& exclusions, const Frame& frame,
                         BlockCounts& block) {
  const UniformBins bins = layout.bins.from_zero();
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    const SpeciesPair& pair = layout.pairs[p];
    Counts counts = count_all(all_rows(pair, frame.positions, frame.box, bins),
                              compounds_of(layout, pair, info));
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

double definition_speed(const HistogramLayout& layout, const Frame& frame) {
  constexpr std::uint64_t most_pairs = 1'000'000;
  const UniformBins bins = layout.bins.from_zero();
  for (const SpeciesPair& pair : layout.pairs) {
    PairBlock block = all_rows(pair, frame.positions, frame.box, bins);
    if (block.pair_count() == 0) {
      continue;
    }
    block.row_end =
        std::clamp<std::size_t>(most_pairs / block.second.count, 1, block.first.count);
    Counts counts(std::size_t{bins.count} + 1);
    const auto start = std::chrono::steady_clock::now();
    count_rows(block, {}, counts);
    block.row_end = block.first.count;
    const auto threads = static_cast<double>(thread_count(block));
    const std::uint64_t pairs =
        std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    return threads * static_cast<double>(pairs) / std::max(1e-6, seconds_since(start));
  }
  return 0.0;
}

}  // namespace starhist::driver
