#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "codelets/kernels/cpu/count_pairs.hh"
#include "driver/commands/random_particles.hh"

namespace starhist::driver {

/// Random particles of one or two species in a box, with bins: input for a kernel.
class KernelTrial {
 public:
  KernelTrial(const SampleBox& sample, std::uint32_t bin_count, std::uint64_t particles,
              bool like, bool clustered = false);

  const kernels::PairBlock& block() const { return block_; }
  /// Counts of the rows [0, rows), from `count` and from the reference kernel; true if
  /// all are equal.
  using Count = std::function<std::uint64_t(std::span<const kernels::PairBlock>,
                                            std::uint64_t* counts)>;
  bool equals_reference(const Count& count, std::uint64_t rows) const;
  /// Seconds for the whole block. Throws InternalError if a pair is missing.
  double seconds(const kernels::cpu::Variant& variant, int threads) const;

 private:
  std::vector<double> first_;
  std::vector<double> second_;
  Box box_;
  UniformBins bins_;
  kernels::PairBlock block_;
};

/// The variant on one core, for KernelTrial; it must live longer.
KernelTrial::Count count_with(const kernels::cpu::Variant& variant);

}  // namespace starhist::driver
