#pragma once

#include <map>
#include <string>

#include "codelets/core/counting/histogram.hh"
#include "io/hdf5/hdf5_append.hh"

namespace starhist::io {

/// Creates the datasets of a result that grow by one row per block of frames, without
/// rows yet. Throws RunError.
void create_result_rows(hid_t group, const HistogramLayout& layout);

/// These datasets, open. Everything throws RunError when it cannot be written.
class ResultRows {
 public:
  explicit ResultRows(hid_t group);

  /// Makes all of them `blocks` long; rows that are cut off are gone.
  void resize(std::uint64_t blocks);

  /// Fills row `row`, which must be there.
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
