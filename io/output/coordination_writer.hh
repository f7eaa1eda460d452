#pragma once

#include <string>

#include "io/output/output_path.hh"
#include "io/result/coordination_result.hh"

namespace starhist::io {

/// Writes a result of starhist coordination at the end of a run (layout:
/// docs/reference/result-file.md).
class CoordinationWriter {
 public:
  /// Creates an empty PATH.partial. Throws InputError like OutputPath.
  CoordinationWriter(const std::string& path, Overwrite overwrite)
      : path_(path, overwrite) {}

  /// Writes the result and renames the file to PATH. Throws RunError when it cannot be
  /// written, and InternalError if coordination_problem() finds one.
  void write(const CoordinationResult& result);

 private:
  OutputPath path_;
};

}  // namespace starhist::io
