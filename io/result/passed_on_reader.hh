#pragma once

#include <cstdint>
#include <memory>

#include "io/files/passed_on.hh"
#include "io/hdf5/inspection/external_files.hh"
#include "io/result/result_reader.hh"

namespace starhist::io {

/// Reads the data to pass on for the blocks of a result.
class PassedOnReader {
 public:
  /// Throws InputError when the data do not match the blocks of `result`. Partial
  /// results have no such data.
  explicit PassedOnReader(const ResultFile& result,
                          ExternalFiles external = ExternalFiles::refused);
  ~PassedOnReader();
  PassedOnReader(PassedOnReader&&) noexcept;

  /// Whether there are no such data.
  bool empty() const { return contents_ == nullptr; }

  /// Returns the data of a block [< number of blocks].
  PassedOn block(std::uint64_t index) const;

 private:
  struct Contents;
  std::unique_ptr<Contents> contents_;
};

}  // namespace starhist::io
