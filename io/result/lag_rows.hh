#pragma once

#include <map>
#include <string>
#include <vector>

#include "codelets/core/counting/lag_layout.hh"
#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Writes the lags of the channels and of the histograms of displacements, and creates
/// the datasets with a row of displacements per block. Throws RunError.
void create_lag_rows(hid_t group, const LagLayout& layout);

/// Appends to these datasets. Throws RunError when writing fails.
class LagRows {
 public:
  LagRows(hid_t group, const LagLayout& layout);

  /// Appends the displacements of a block. Throws InternalError unless they add up.
  void append(const std::vector<DisplacementCounts>& displacements);

 private:
  template <class Number>
  void put(const std::string& name, const std::vector<Number>& values);

  std::size_t species_;  ///< number of species
  std::map<std::string, Hdf5Object> datasets_;
  std::uint64_t blocks_ = 0;  ///< number of blocks written
};

}  // namespace starhist::io
