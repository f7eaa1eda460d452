#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codelets/core/counting/coordination.hh"

namespace starhist::driver {

/// A cut-off at an edge of bins.
struct CutoffEdge {
  UniformBins bins;
  std::uint32_t edge = 1;  ///< [1, bins.count]
};

/// Pairs and cut-offs of starhist coordination as a user writes them, before the
/// species are known.
class CutoffList {
 public:
  CutoffList() = default;
  /// `pairs`: "O-H,O-O", where O-H means neighbours H of O; "": the pairs in `cutoffs`,
  /// or all ordered pairs if that is one number. `cutoffs`: "0.35" for all pairs,
  /// "O-H=0.245,O-O=0.35", or both; "min" in place of a distance: the first minimum of
  /// g(r), which set_minima() supplies. Throws InputError for other texts, cut-offs
  /// that are not lengths above 0, and a pair that has no cut-off or two.
  CutoffList(const std::string& pairs, const std::string& cutoffs);

  /// The pairs for parse_pairs(), comma-separated; "": all.
  std::string pair_names() const;
  /// Largest cut-off; 0 while unknown.
  double largest() const { return largest_; }

  /// The pairs whose cut-offs are minima of g(r). Throws InputError if they are
  /// unknown: "min" for all pairs.
  std::vector<std::string> pairs_of_minima() const;
  /// Sets the cut-offs of these pairs.
  void set_minima(const std::vector<CutoffEdge>& minima);

  /// The shells of these species. `bins`: each cut-off is an edge of these bins; empty:
  /// the edge of one bin. Throws InputError for an unknown pair, a pair that is given
  /// twice, and a cut-off that is not an edge.
  std::vector<NeighbourShell> shells(const std::vector<std::string>& species,
                                     const std::optional<UniformBins>& bins) const;

 private:
  struct Entry {
    std::string pair;
    std::optional<double> cutoff;    ///< empty: the first minimum of g(r)
    std::optional<CutoffEdge> edge;  ///< that minimum, once it is known
  };
  /// Whether a cut-off applies to the pairs without their own.
  bool has_for_all() const { return for_all_ || minimum_for_all_; }

  std::vector<Entry> entries_;  ///< empty: for_all_ for all pairs
  std::optional<double> for_all_;
  bool minimum_for_all_ = false;
  double largest_ = 0.0;
};

}  // namespace starhist::driver
