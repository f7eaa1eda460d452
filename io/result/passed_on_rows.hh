#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "io/files/passed_on.hh"
#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Writes the data to pass on for the blocks of a result. Throws RunError.
class PassedOnWriter {
 public:
  explicit PassedOnWriter(hid_t file);

  /// Appends the next block. Throws InputError when numbers of the same name differ in
  /// size between blocks.
  void append(const PassedOn& block);

  /// Writes the data collected over all blocks. To be called once, after all blocks.
  void finish();

 private:
  struct Text {
    std::vector<std::string> values;  ///< distinct texts
    std::vector<std::uint32_t> of_block;
  };

  Hdf5Object group_;
  std::uint64_t blocks_ = 0;
  std::map<std::string, Hdf5Object> sums_;
  std::map<std::string, hsize_t> sizes_;  ///< length of the sums in a block
  std::map<std::string, Text> texts_;
  PassedOn all_;  ///< constants and series
};

}  // namespace starhist::io
