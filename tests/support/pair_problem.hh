#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "codelets/core/geometry/box.hh"
#include "codelets/kernels/clusters/spatial_order.hh"
#include "codelets/kernels/cpu/cpu_count_pairs.hh"
#include "codelets/kernels/reference/reference_count_pairs.hh"
#include "tests/support/random.hh"

namespace starhist::testing {

using Counts =
    std::vector<std::uint64_t>;  ///< one per bin, then the pairs out of range

/// Particles, box and bins: input for a kernel. `second` is empty for a like pair.
struct PairProblem {
  Box box;
  UniformBins bins;
  std::vector<double> first;
  std::vector<double> second;
  bool like = true;
  bool clustered = false;

  /// Sorts the particles into spatial order.
  void cluster(kernels::ClusterAxes axes = kernels::ClusterAxes::lattice) {
    for (auto* positions : {&first, &second}) {
      const std::vector<double> before = *positions;
      kernels::copy_in_spatial_order({before.data(), before.size() / 3},
                                     box.minimum_image(), axes, positions->data());
    }
    clustered = true;
  }

  /// All pairs; the block points into this object.
  kernels::PairBlock block() const {
    kernels::PairBlock block;
    block.first = {first.data(), first.size() / 3};
    block.second =
        like ? block.first : kernels::PositionSpan{second.data(), second.size() / 3};
    block.like = like;
    block.row_end = block.first.count;
    block.image = &box.minimum_image();
    block.bins = &bins;
    block.clustered = clustered;
    return block;
  }
};

/// `count` random particles per species in the cell of the box.
inline PairProblem random_problem(Random& random, const Box& box, double r_max,
                                  std::uint32_t bin_count, std::size_t count,
                                  bool like) {
  PairProblem problem{box, make_bins(r_max, bin_count), {}, {}, like};
  problem.first = random_positions(random, box, count);
  if (!like) {
    problem.second = random_positions(random, box, count);
  }
  return problem;
}

using Kernel = std::function<kernels::CountedPairs(std::span<const kernels::PairBlock>,
                                                   int, std::uint64_t*)>;
static_assert(
    std::is_same_v<decltype(&kernels::reference::count_pairs), kernels::CountPairs>);

inline Kernel kernel_of(const kernels::cpu::Variant& variant) {
  return [&variant](std::span<const kernels::PairBlock> blocks, int threads,
                    std::uint64_t* counts) {
    return kernels::cpu::count_pairs(variant, blocks, threads, counts);
  };
}

struct NamedKernel {
  std::string name;
  Kernel count;
};

/// The variants that this processor can run.
inline std::vector<NamedKernel> cpu_kernels() {
  std::vector<NamedKernel> kernels;
  for (const kernels::cpu::Variant& variant : kernels::cpu::variants()) {
    if (variant.supported) {
      kernels.push_back({variant.name, kernel_of(variant)});
    }
  }
  return kernels;
}

/// The reference and the variants that this processor can run.
inline std::vector<NamedKernel> all_kernels() {
  auto kernels = cpu_kernels();
  kernels.insert(kernels.begin(), {"reference", kernels::reference::count_pairs});
  return kernels;
}

/// Counts of the blocks. Throws if the kernel breaks the rest of its contract: it must
/// return the number of pairs, count each of them, add to existing counts, and not
/// write beyond the counts. `said`: receives the kernel's description of the call.
inline Counts counts_of(const Kernel& kernel,
                        std::span<const kernels::PairBlock> blocks, int threads = 1,
                        kernels::CountedPairs* said = nullptr) {
  constexpr std::uint64_t guard = 0xfeedfacecafebeef;
  constexpr std::size_t guards = 40;
  const std::size_t size = blocks.front().bins->count + 1ULL;
  Counts counts(size + guards, guard);
  counts[0] = 1;
  std::fill(counts.begin() + 1, counts.begin() + static_cast<std::ptrdiff_t>(size), 0);
  const kernels::CountedPairs counted = kernel(blocks, threads, counts.data());
  if (counted.pairs != pair_count(blocks)) {
    throw std::logic_error("the kernel says " + std::to_string(counted.pairs) + " of " +
                           std::to_string(pair_count(blocks)) + " pairs");
  }
  for (std::size_t k = size; k < counts.size(); ++k) {
    if (counts[k] != guard) {
      throw std::logic_error("the kernel wrote past the counts");
    }
  }
  counts.resize(size);
  --counts[0];
  if (said != nullptr) {
    *said = counted;
  }
  return counts;
}

inline Counts counts_of(const Kernel& kernel, const PairProblem& problem,
                        int threads = 1, kernels::CountedPairs* said = nullptr) {
  const kernels::PairBlock block = problem.block();
  return counts_of(kernel, {&block, 1}, threads, said);
}

inline Counts reference_counts(const PairProblem& problem) {
  return counts_of(kernels::reference::count_pairs, problem);
}

/// "" if they are equal; otherwise the first difference and the number of different
/// bins.
inline std::string difference(const Counts& counts, const Counts& expected) {
  if (counts.size() != expected.size()) {
    return "sizes " + std::to_string(counts.size()) + " and " +
           std::to_string(expected.size());
  }
  std::string first;
  std::size_t bins = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] != expected[k]) {
      if (bins++ == 0) {
        first = "bin " + std::to_string(k) + " has " + std::to_string(counts[k]) +
                ", not " + std::to_string(expected[k]);
      }
    }
  }
  return bins == 0 ? "" : first + "; " + std::to_string(bins) + " bins differ";
}

}  // namespace starhist::testing
