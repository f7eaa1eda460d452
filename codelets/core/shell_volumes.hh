#pragma once

#include <memory>
#include <vector>

#include "codelets/core/histogram.hh"

namespace starhist {

/// Volumes of the spherical shells that g(r) divides by, in the frames of each block:
/// 4/3 pi (r_{k+1}^3 - r_k^3) where the whole shell lies in the cell, beyond that the
/// part in the Wigner-Seitz cell, where the block has one box.
class ShellVolumes {
 public:
  /// Blocks of boxes with a volume.
  ShellVolumes(const UniformBins& bins, const std::vector<BlockCounts>& blocks);

  /// Bins for which g(r) is defined: up to the inscribed radius of all frames, or to
  /// the largest distance that there is, where each block has one box.
  std::uint32_t defined() const { return defined_; }

  /// Of a bin below defined(). Length^3.
  double of(std::size_t block, std::uint32_t k) const;

 private:
  UniformBins bins_;
  std::uint32_t whole_ = 0;  ///< bins whose shells lie in every cell
  std::uint32_t defined_ = 0;
  /// For each block those of the bins from whole_ on; blocks of one box share them.
  std::vector<std::shared_ptr<const std::vector<double>>> cut_;
};

}  // namespace starhist
