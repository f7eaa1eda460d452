#pragma once

#include <map>
#include <string>

#include "codelets/core/histogram.hh"
#include "io/hdf5_append.hh"

namespace starhist {

/// The datasets of a result that grow by one row per block of frames. Everything throws
/// RunError when it cannot be written.
class ResultRows {
 public:
  /// Creates them without rows in `group`.
  ResultRows(hid_t group, const HistogramLayout& layout);

  /// Makes all of them `blocks` long; rows that are cut off are gone.
  void resize(std::uint64_t blocks);

  /// Fills row `row`, which must be there.
  void write(std::uint64_t row, const BlockCounts& block);

 private:
  template <class Number>
  void create(hid_t group, const std::string& name,
              const std::vector<hsize_t>& row_shape, const std::string& unit,
              Hdf5Storage storage = Hdf5Storage::gathered);
  template <class Number>
  void put(std::uint64_t row, const std::string& name, Number value);
  template <class Number>
  void put(std::uint64_t row, const std::string& name,
           const std::vector<Number>& values);

  std::map<std::string, Hdf5Object> datasets_;
};

}  // namespace starhist
