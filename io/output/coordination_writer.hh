#pragma once

#include <string>

#include "io/output/output_path.hh"
#include "io/result/coordination_result.hh"

namespace starhist::io {

/// Writes a result of starhist coordination as a whole (layout:
/// docs/reference/result-file.md): its finished blocks during a run, and the complete
/// result at its end.
class CoordinationWriter {
 public:
  /// Creates an empty PATH.partial.new. `old`: treatment of the PATH.partial of an
  /// earlier run. Throws InputError like OutputPath.
  CoordinationWriter(const std::string& path, Overwrite overwrite, OldPartial old)
      : path_(path, overwrite, old) {}
  CoordinationWriter(const std::string& path, Overwrite overwrite)
      : CoordinationWriter(
            path, overwrite,
            overwrite == Overwrite::yes ? OldPartial::remove : OldPartial::refuse) {}

  /// Replaces PATH.partial by these blocks of an unfinished result, for --resume. A
  /// process that is killed meanwhile leaves the earlier file. Throws like write().
  void save(const CoordinationResult& result);

  /// Writes the result and renames the file to PATH. Throws RunError when it cannot be
  /// written, and InternalError if coordination_problem() finds one.
  void write(const CoordinationResult& result);

 private:
  std::string image_of(const CoordinationResult& result, bool complete) const;

  OutputPath path_;
};

}  // namespace starhist::io
