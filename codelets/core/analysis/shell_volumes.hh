#pragma once

#include <memory>
#include <vector>

#include "codelets/core/counting/histogram.hh"

namespace starhist::analysis {

/// Volume of the spherical shell of bin k, 4/3 pi (r_{k+1}^3 - r_k^3) [length^3].
double shell_volume(const UniformBins& bins, std::uint32_t k);

/// Volume of the whole shell of bin k; in a plane the area of its annulus,
/// pi (r_{k+1}^2 - r_k^2) [length^2].
double shell_volume(const UniformBins& bins, Plane plane, std::uint32_t k);

/// Number of bins whose whole shell lies within `inscribed_radius`; the cell cuts the
/// shells of later bins (ShellVolumes).
///
/// An upper edge that exceeds the radius by less than 1e-6 of it still counts as
/// within, so that r_max = half a box stored in float32 keeps its last bin. The caps
/// cut off there are of second order: 1e-12 r / width of the shell.
std::uint32_t normalizable_bins(const UniformBins& bins, double inscribed_radius);

/// Volumes of the spherical shells by which g(r) is normalised, for each block: the
/// whole shell up to the inscribed radius; beyond it the part in the Wigner-Seitz cell,
/// if all frames of each block have the same box. In a plane, shells are annuli and
/// their volumes areas. In a slab or cylinder they are the mean volumes of the shells
/// around its points that lie in it (mean_ball_volume()), up to the inscribed radius.
class ShellVolumes {
 public:
  /// Throws InputError if there are no blocks, or if boxes have no volume.
  ShellVolumes(const HistogramLayout& layout, const std::vector<BlockCounts>& blocks);

  /// Number of bins for which g(r) is defined: up to the inscribed radius of all
  /// frames, or up to the covering radius if each block has one box.
  std::uint32_t defined() const { return defined_; }

  /// Number of bins with whole spherical shells in all frames, or, in a slab or
  /// cylinder, of bins up to the inscribed radius.
  std::uint32_t whole() const { return whole_; }

  /// Volume of the shell of bin k < defined() in a block [length^3]; 0 beyond the
  /// covering radius of its box.
  double of(std::size_t block, std::uint32_t k) const;

 private:
  Plane plane_;
  UniformBins bins_;
  std::vector<double> bounded_;  ///< of a slab or cylinder, by bin; otherwise empty
  std::uint32_t whole_ = 0;
  std::uint32_t defined_ = 0;
  /// For each block the volumes of the bins from whole_ on; equal boxes share them.
  std::vector<std::shared_ptr<const std::vector<double>>> cut_;
};

}  // namespace starhist::analysis
