#pragma once

#include <map>
#include <string>

#include "codelets/core/counting/histogram.hh"
#include "io/hdf5/hdf5_append.hh"

namespace starhist::io {

/// Creates the empty datasets of a result that grow by one row per block or per frame.
/// Throws RunError.
void create_result_rows(hid_t group, const HistogramLayout& layout);

/// Appends to these datasets. All functions throw RunError when writing fails.
class ResultRows {
 public:
  explicit ResultRows(hid_t group);

  /// Appends a block.
  void append(const BlockCounts& block);

 private:
  template <class Number>
  void put(std::uint64_t row, const std::string& name, Number value);
  template <class Number>
  void put(std::uint64_t row, const std::string& name,
           const std::vector<Number>& values);

  void append_frames(const BlockCounts& block);

  std::map<std::string, Hdf5Object> datasets_;   ///< datasets with a row per block
  std::map<std::string, Hdf5Object> per_frame_;  ///< datasets with a row per frame
  std::uint64_t blocks_ = 0;                     ///< number of blocks written
  std::uint64_t frames_ = 0;                     ///< number of frames written
};

}  // namespace starhist::io
