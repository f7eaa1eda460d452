#pragma once

#include <map>
#include <string>

#include "codelets/core/counting/histogram.hh"
#include "io/hdf5/hdf5_append.hh"

namespace starhist::io {

/// Creates the datasets of a result that grow by one row per block, without rows.
/// Throws RunError.
void create_result_rows(hid_t group, const HistogramLayout& layout);

/// These datasets, open for writing. All functions throw RunError when they cannot be
/// written.
class ResultRows {
 public:
  explicit ResultRows(hid_t group);

  /// Sets the number of rows of all datasets; rows beyond it are lost.
  void resize(std::uint64_t blocks);

  /// Writes a block to row `row` [< number of rows].
  void write(std::uint64_t row, const BlockCounts& block);

 private:
  template <class Number>
  void put(std::uint64_t row, const std::string& name, Number value);
  template <class Number>
  void put(std::uint64_t row, const std::string& name,
           const std::vector<Number>& values);

  std::map<std::string, Hdf5Object> datasets_;
};

}  // namespace starhist::io
