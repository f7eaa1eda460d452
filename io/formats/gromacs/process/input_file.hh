#pragma once

#include <string>

#include "io/decoder/protocol.hh"

namespace starhist::io::gromacs {

/// Provides a source under a name that libgromacs can open, because it identifies
/// formats only by the extension. Sources that are not files are kept in memory.
class InputFile {
 public:
  /// `folder`: used only by this process.
  explicit InputFile(std::string folder) : folder_(std::move(folder)) {}
  /// Removes the folder, in case starhist was killed.
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Returns the name, valid until the next call. Throws RunError.
  const std::string& name_of(const decoder::Source& source);

 private:
  std::string folder_;
  std::string name_;
  int memory_ = -1;
};

}  // namespace starhist::io::gromacs
