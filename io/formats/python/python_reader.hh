#pragma once

#include <string>

#include "io/formats/python/python_periodicity.hh"
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

  /// Takes the names of types of a file whose particles change, in place of a table of
  /// its particles. False: they do not change, or must be told apart.
  bool take_types(decoder::Unpacker& unpacker);
  /// Checks the box and the types of the frame that was read. Throws InputError.
  void check_types() const;
  /// Fills a frame of species that are types, whose particles may change.
  void fill_by_types(FrameIndex index, Frame& frame) const;

  PythonDecoder decoder_;
  PythonFrame read_;
  bool needs_particles_;  ///< the same in all frames, for a structure or for rules
  bool has_residues_;     ///< false: the format has none
  bool by_types_ = false;
  PythonPeriodicity periodicity_;
};

/// The atoms of a file that a package of Python reads. Throws InputError.
SharedStructure read_python_structure(const std::string& path, const std::string& key);

}  // namespace starhist::io
