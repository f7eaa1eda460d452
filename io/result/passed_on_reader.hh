#pragma once

#include <cstdint>
#include <memory>

#include "io/files/passed_on.hh"
#include "io/hdf5/inspection/external_files.hh"
#include "io/result/result_reader.hh"

namespace starhist::io {

/// Reads what is passed on of the blocks of a result.
class PassedOnReader {
 public:
  /// Throws InputError when it does not fit the blocks of `result`. Nothing is passed
  /// on by a partial result.
  explicit PassedOnReader(const ResultFile& result,
                          ExternalFiles external = ExternalFiles::refused);
  ~PassedOnReader();
  PassedOnReader(PassedOnReader&&) noexcept;

  /// Whether nothing is passed on.
  bool empty() const { return contents_ == nullptr; }

  /// Of a block [< number of blocks].
  PassedOn block(std::uint64_t index) const;

 private:
  struct Contents;
  std::unique_ptr<Contents> contents_;
};

}  // namespace starhist::io
