#pragma once

#include <string>

#include "io/decoder/protocol.hh"

namespace starhist::io::gromacs {

/// A source under a name that libgromacs can open: it knows formats by the endings of
/// names alone. What is no file yet lives in memory.
class InputFile {
 public:
  /// `folder`: of this process alone.
  explicit InputFile(std::string folder) : folder_(std::move(folder)) {}
  /// Removes the folder, in case that starhist was killed and cannot.
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// The name, good until the next call. Throws RunError.
  const std::string& name_of(const decoder::Source& source);

 private:
  std::string folder_;
  std::string name_;
  int memory_ = -1;
};

}  // namespace starhist::io::gromacs
