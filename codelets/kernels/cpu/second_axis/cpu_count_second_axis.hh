#pragma once

#include <vector>

#include "codelets/kernels/cpu/cluster_search.hh"
#include "codelets/kernels/cpu/second_axis/second_axis_loop.hh"
#include "codelets/kernels/second_axis_pairs.hh"

namespace starhist::kernels {

/// Counts pairs exactly as the defining function, SecondAxisPairs::cell(): adds each
/// pair in range to this entry of `counts`, which has cells() + 1 entries; the last one
/// is not defined.
///
/// Bins of both axes are computed in single precision with bounds of their errors, from
/// the fixed-point coordinates of the CPU kernel; cell() decides ambiguous pairs,
/// and all pairs if single precision cannot resolve the bins. Distant groups of
/// particles are skipped if r_max is short enough.
class SecondAxisCount {
 public:
  /// The positions and directions must outlive this object.
  explicit SecondAxisCount(const SecondAxisPairs& pairs);
  SecondAxisCount(const SecondAxisCount&) = delete;
  SecondAxisCount& operator=(const SecondAxisCount&) = delete;

  /// True if particles are sorted, and parts begin at multiples of 32 rows.
  bool in_spatial_order() const { return clusters_; }
  /// The pairs with the particles in the order of rows().
  SecondAxisPairs ordered_pairs() const;
  /// Number of parts, which threads can count at the same time.
  std::size_t parts() const { return parts_; }
  /// The rows of the parts `begin` to `end` - 1. Row i has the pairs of particle i of
  /// ordered_pairs().first with all particles of `second`; for a like pair only with
  /// those after i, unless each particle has a direction.
  RowRange rows(std::size_t begin, std::size_t end) const;
  /// Counts the pairs of this part. Returns the number of pairs that cell()
  /// decided.
  std::uint64_t count(std::size_t part, std::uint64_t* counts) const;

 private:
  void sort_particles();
  void set_heights();
  std::uint64_t count_by_definition(std::size_t part, std::uint64_t* counts) const;
  template <class Count>
  void for_each_rectangle(std::size_t part, cpu::PairLoop& loop, Count count) const;

  const SecondAxisPairs pairs_;
  const UniformBins bins_;
  std::vector<double> sorted_[2];  ///< positions in spatial order, if clustered
  std::vector<Vec3> sorted_directions_;
  std::vector<double> sorted_heights_[2];
  PairBlock block_;
  cpu::FixedPoint fixed_;
  cpu::ClusterSearch search_;
  cpu::SecondAxisLoop loop_;
  bool by_definition_ = false;
  bool clusters_ = false;          ///< parts are of clusters of rows
  std::size_t rows_per_part_ = 1;  ///< or clusters of rows
  std::size_t parts_ = 0;
};

}  // namespace starhist::kernels
