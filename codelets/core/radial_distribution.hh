#pragma once

#include <string>
#include <vector>

#include "codelets/core/histogram.hh"

namespace starhist {

/// How counts and volumes of several frames are combined to g(r); they agree when V
/// and N are constant. n: counts of a bin, P: pairs of a frame, s: shell volume.
enum class Normalization {
  pairs_over_volume,  ///< sum n / (sum P/V) / s: GROMACS, mdtraj. The default.
  mean_volume,        ///< sum n / (sum P / (mean V)) / s: MDAnalysis
  per_frame,          ///< mean over frames of n / (P/V) / s: VMD, LAMMPS
};

std::string to_string(Normalization normalization);
/// Throws InputError for a name that to_string does not give.
Normalization parse_normalization(const std::string& name);

/// Volume of the spherical shell of bin k, 4/3 pi (r_{k+1}^3 - r_k^3).
double shell_volume(const UniformBins& bins, std::uint32_t k);

/// Bins whose whole shell lies within `inscribed_radius`; the shells of later bins are
/// cut by the cell, and g(r) is not defined for them by this version.
std::uint32_t normalizable_bins(const UniformBins& bins, double inscribed_radius);

/// g(r) of pair `pair`, one value per bin, dimensionless; NaN for bins beyond
/// normalizable_bins, and for all bins when no frame has such a pair.
///
/// `per_frame` needs every block to hold one frame, or constant N and V within each
/// block. Throws InputError when it does not, when the boxes have no volume, or when
/// `blocks` is empty.
std::vector<double> radial_distribution(const HistogramLayout& layout,
                                        const std::vector<BlockCounts>& blocks, PairId pair,
                                        Normalization normalization);

/// Running coordination number: the mean number of particles of species `other` of
/// the pair within the upper edge of each bin around one of species `centre`.
struct Coordination {
  SpeciesId centre;
  SpeciesId other;
  std::vector<double> value;  ///< one per bin
};

/// n(r) in both directions for an unlike pair (centre = first, then second), in one
/// for a like pair. Needs no volume. NaN when there is no centre particle.
std::vector<Coordination> coordination_numbers(const HistogramLayout& layout,
                                               const BlockCounts& total, PairId pair);

}  // namespace starhist
