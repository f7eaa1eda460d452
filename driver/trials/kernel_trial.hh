#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "codelets/kernels/cpu/cpu_count_pairs.hh"
#include "driver/trials/random_particles.hh"

namespace starhist::driver {

/// A block of pairs of random particles in a box, with bins, as input for a kernel.
class KernelTrial {
 public:
  /// `particles` per species; one species if `like`. clustered: in spatial order.
  KernelTrial(const SampleBox& sample, std::uint32_t bin_count, std::uint64_t particles,
              bool like, bool clustered = false);

  /// The block; valid as long as this object.
  const kernels::PairBlock& block() const { return block_; }
  /// Adds the pairs of blocks to `counts` and returns their number.
  using Count = std::function<std::uint64_t(std::span<const kernels::PairBlock>,
                                            std::uint64_t* counts)>;
  /// True if `count` and the reference kernel give the same counts for rows [0, rows).
  bool equals_reference(const Count& count, std::uint64_t rows) const;
  /// Time of counting the whole block [s]. Throws InternalError if a pair is missing.
  double seconds(const kernels::cpu::Variant& variant, int threads) const;

 private:
  std::vector<double> first_;
  std::vector<double> second_;
  Box box_;
  UniformBins bins_;
  kernels::PairBlock block_;
};

/// The variant with one thread, for KernelTrial; `variant` must outlive it.
KernelTrial::Count count_with(const kernels::cpu::Variant& variant);

}  // namespace starhist::driver
