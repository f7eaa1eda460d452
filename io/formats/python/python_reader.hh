#pragma once

#include <optional>
#include <string>

#include "io/formats/python/python_decoder.hh"
#include "io/reader/atom_trajectory.hh"

namespace starhist::io {

/// A file that a package of Python reads, with lengths in the unit of the file.
class PythonReader : public AtomTrajectory {
 public:
  /// `format`: its name for people; `key`: in read_frames.py. Throws InputError.
  PythonReader(const std::string& path, const std::string& format,
               const std::string& key, const ReadOptions& options,
               const SharedStructure& structure);

  void read(FrameIndex index, Frame& frame) override;

 private:
  /// Takes what the decoder tells of the file, and its atoms where they have names.
  /// `says_unit`: whether the user or the structure says the unit of files without one.
  void take_opened(bool says_unit);

  /// Checks the box of the frame that was read. Throws InputError.
  void check_box();

  PythonDecoder decoder_;
  PythonFrame read_;
  /// FrameHead::periodic of the first frame; unset where that frame is damaged.
  std::optional<std::uint64_t> periodic_;
};

/// The atoms of a file that a package of Python reads. Throws InputError.
SharedStructure read_python_structure(const std::string& path, const std::string& key);

}  // namespace starhist::io
