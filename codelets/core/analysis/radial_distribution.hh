#pragma once

#include <string>
#include <vector>

#include "codelets/core/analysis/bin_ranges.hh"
#include "codelets/core/analysis/shell_volumes.hh"
#include "codelets/core/counting/histogram.hh"

namespace starhist::analysis {

/// How counts and volumes of several frames are combined to g(r); they agree when V
/// and N are constant. n: counts of a bin, P: pairs of a frame, s: shell volume.
enum class Normalization {
  pairs_over_volume,  ///< sum n / (sum P/V) / s: GROMACS, mdtraj. The default.
  mean_volume,        ///< sum n / (sum P / (mean V)) / s: MDAnalysis
  per_frame,          ///< mean over frames of n / (P/V) / s: VMD, LAMMPS
};

/// Terms of a block in g(r) of a bin, which is a ratio of sums of terms over the
/// blocks.
struct DistributionTerms {
  double above = 0.0;   ///< term of the numerator
  double below = 0.0;   ///< term of the denominator
  double pairs = 0.0;   ///< mean_volume only: sum of pairs
  double volume = 0.0;  ///< mean_volume only: sum of volumes

  /// Adds `sign` times the other terms.
  void add(const DistributionTerms& other, double sign = 1.0);
  /// True for a block that adds nothing to g(r), and thus is not a sample of it.
  bool nothing() const { return above == 0.0 && below == 0.0; }
};

/// The terms of block b for a range of bins [first, last) below shells.defined().
DistributionTerms distribution_terms(const std::vector<BlockCounts>& blocks,
                                     std::size_t b, const ShellVolumes& shells,
                                     PairId pair, const BinRange& range,
                                     Normalization normalization);

/// g(r) from the sum of the terms of all blocks.
double distribution_value(const DistributionTerms& sum, Normalization normalization);

/// "pairs-over-volume", "mean-volume" or "per-frame".
std::string to_string(Normalization normalization);
/// Throws InputError for a name that to_string() does not return.
Normalization parse_normalization(const std::string& name);

/// Centre of bin k, the r of a curve's points [length unit].
double bin_centre(const UniformBins& bins, std::uint32_t k);

/// g(r) of pair `pair`, dimensionless, one value per range of bins, or per bin without
/// ranges; NaN for ranges beyond shells.defined(), and for all when no frame has such a
/// pair.
///
/// `shells` belong to the same bins and blocks; the last function computes them.
///
/// `per_frame` needs blocks of one frame, or constant N and V within each block. That
/// is checked as far as the sums allow: V to a relative variance of 1e-9, N exactly for
/// like pairs. For an unlike pair counted without the like pairs of its species,
/// numbers that vary without correlation around an integer mean are not noticed. Throws
/// InputError when the check fails, when the boxes have no volume, or when `blocks` is
/// empty.
///
/// Example: 2 pairs per frame in boxes of V = 10 and 20, of which 1 and 2 lie in a bin
/// whose shell is s. pairs_over_volume: 3 / (2/10 + 2/20) / s = 10 / s;
/// mean_volume: 3 / (4/15) / s = 11.25 / s; per_frame: (1/(2/10) + 2/(2/20)) / 2 / s
/// = 12.5 / s.
std::vector<double> radial_distribution(const HistogramLayout& layout,
                                        const std::vector<BlockCounts>& blocks,
                                        const ShellVolumes& shells, PairId pair,
                                        Normalization normalization,
                                        const std::vector<BinRange>& ranges);
std::vector<double> radial_distribution(const HistogramLayout& layout,
                                        const std::vector<BlockCounts>& blocks,
                                        const ShellVolumes& shells, PairId pair,
                                        Normalization normalization);
std::vector<double> radial_distribution(const HistogramLayout& layout,
                                        const std::vector<BlockCounts>& blocks,
                                        PairId pair, Normalization normalization);

/// g(r) of block b, like radial_distribution() with ranges.
std::vector<double> block_radial_distribution(const HistogramLayout& layout,
                                              const std::vector<BlockCounts>& blocks,
                                              std::size_t b, const ShellVolumes& shells,
                                              PairId pair, Normalization normalization,
                                              const std::vector<BinRange>& ranges);

/// True if the volumes of a block's frames are equal, to a relative variance of 1e-9.
bool has_constant_volume(const BlockCounts& block);

/// True if the sums of a block are consistent with equal particle numbers in all of its
/// frames. For a like pair this proves equal numbers, because N(N-1)/2 is strictly
/// convex. For an unlike pair it does not, so the like pairs of its species are also
/// checked if they are counted.
bool has_constant_numbers(const HistogramLayout& layout, const BlockCounts& block,
                          const SpeciesPair& wanted);

/// True if the pairs of the species with itself are counted.
bool counts_like_pair(const HistogramLayout& layout, SpeciesId species);

/// False if numbers of an unlike pair may change within blocks though the sums of each
/// block look constant: the like pairs of its species are not counted, and a species is
/// selected in each frame anew, or blocks have different numbers.
bool would_show_changing_numbers(const HistogramLayout& layout,
                                 const std::vector<BlockCounts>& blocks,
                                 const SpeciesPair& wanted);

/// Throws InputError unless N and V are constant within each block, as far as the sums
/// show (see radial_distribution()), and would_show_changing_numbers().
void check_equal_frames(const HistogramLayout& layout,
                        const std::vector<BlockCounts>& blocks, PairId pair);

/// Running coordination number: the mean number of particles of species `other` within
/// the upper edge of each bin around a particle of species `centre`. Excluded pairs are
/// not counted as neighbours, pairs below r_min are.
struct Coordination {
  SpeciesId centre;
  SpeciesId other;
  std::vector<double> value;  ///< one per bin
};

/// The directions of a pair, without values: one for a like pair, two for an unlike
/// one. The number of neighbours that an unordered pair contributes in each direction:
/// 2 for a like pair, because each of its particles is a centre, otherwise 1.
std::vector<Coordination> coordination_directions(const SpeciesPair& pair);
double neighbours_per_pair(const SpeciesPair& pair);

/// Number of bins for which n(r) is defined: up to the inscribed radius of all frames.
/// A larger sphere around a particle holds several images of others, of which only the
/// nearest are counted.
std::uint32_t coordination_bins(const HistogramLayout& layout,
                                const BlockCounts& total);

/// n(r), in one direction for a like pair and in both for an unlike pair (centre =
/// first, then second). Needs no volume. NaN without a centre particle, and from bin
/// coordination_bins() on.
std::vector<Coordination> coordination_numbers(const HistogramLayout& layout,
                                               const BlockCounts& total, PairId pair);

}  // namespace starhist::analysis
