#pragma once

#include "codelets/kernels/neighbours/count_neighbours.hh"
#include "codelets/kernels/second_axis_pairs.hh"

namespace starhist::kernels {

/// Counts pairs exactly as pair_cell() decides: adds each pair in range to the entry
/// pair_cell() of `counts`, which has bins.count * axis.count + 1 entries; the last one
/// is not defined.
///
/// NeighbourSearch finds the pairs in range. In single precision, bins of both axes are
/// computed with bounds of their errors; pair_cell() decides pairs within a bound of an
/// edge, and all pairs if the search has no cells.
class SecondAxisCount {
 public:
  /// The positions must outlive this object.
  explicit SecondAxisCount(const SecondAxisPairs& pairs);

  /// Number of parts, which threads can count at the same time.
  std::size_t parts() const { return search_.parts(); }
  /// Counts the pairs of this part. Returns the number of pairs that pair_cell()
  /// decided.
  std::uint64_t count(std::size_t part, std::uint64_t* counts) const;

 private:
  std::uint64_t count_by_definition(std::size_t part, std::uint64_t* counts) const;

  const SecondAxisPairs pairs_;
  const NeighbourSearch search_;
};

}  // namespace starhist::kernels
