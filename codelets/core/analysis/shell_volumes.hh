#pragma once

#include <memory>
#include <vector>

#include "codelets/core/counting/histogram.hh"

namespace starhist::analysis {

/// Volume of the spherical shell of bin k, 4/3 pi (r_{k+1}^3 - r_k^3).
double shell_volume(const UniformBins& bins, std::uint32_t k);

/// Bins whose whole shell lies within `inscribed_radius`; the shells of later bins are
/// cut by the cell (ShellVolumes).
///
/// An upper edge that exceeds the radius by less than 1e-6 of it still counts as
/// within, so that r_max = half a box stored in float32 keeps its last bin. The caps
/// cut off there are of second order: 1e-12 r / width of the shell.
std::uint32_t normalizable_bins(const UniformBins& bins, double inscribed_radius);

/// Volumes of the spherical shells that g(r) divides by, in the frames of each block:
/// 4/3 pi (r_{k+1}^3 - r_k^3) where the whole shell lies in the cell, beyond that the
/// part in the Wigner-Seitz cell, where the block has one box.
class ShellVolumes {
 public:
  /// Throws InputError when there is no block, or one whose boxes have no volume.
  ShellVolumes(const UniformBins& bins, const std::vector<BlockCounts>& blocks);

  /// Bins for which g(r) is defined: up to the inscribed radius of all frames, or to
  /// the largest distance that there is, where each block has one box.
  std::uint32_t defined() const { return defined_; }

  /// Bins whose shells are whole spherical shells in all frames.
  std::uint32_t whole() const { return whole_; }

  /// Of a bin below defined(). Length^3.
  double of(std::size_t block, std::uint32_t k) const;

 private:
  UniformBins bins_;
  std::uint32_t whole_ = 0;  ///< bins whose shells lie in every cell
  std::uint32_t defined_ = 0;
  /// For each block those of the bins from whole_ on; blocks of one box share them.
  std::vector<std::shared_ptr<const std::vector<double>>> cut_;
};

}  // namespace starhist::analysis
