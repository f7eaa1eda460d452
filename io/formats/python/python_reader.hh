#pragma once

#include <string>

#include "io/formats/python/python_decoder.hh"
#include "io/reader/atom_trajectory.hh"

namespace starhist::io {

/// Reads a file with a Python package; lengths are in the unit of the file.
class PythonReader : public AtomTrajectory {
 public:
  /// `format`: its name for users; `key`: its name in read_frames.py. Throws
  /// InputError.
  PythonReader(const std::string& path, const std::string& format,
               const std::string& key, const ReadOptions& options,
               const SharedStructure& structure);

  void read(FrameIndex index, Frame& frame) override;
  StepAndTime read_moment(FrameIndex index, Frame& scratch) override {
    return info_.lists_moments ? moments_[index.index()]
                               : AtomTrajectory::read_moment(index, scratch);
  }

 private:
  /// Processes the decoder's description of the file, and its atoms if they have names.
  /// `says_unit`: the user or the structure specifies the unit of files without one.
  void take_opened(bool says_unit);

  /// Reads the type names of a file whose particles change, instead of a particle
  /// table. False if the particles do not change, or must be identified.
  bool take_types(decoder::Unpacker& unpacker);
  /// Checks the box and the types of the frame just read. Throws InputError.
  void check_types() const;
  /// Fills a frame whose species are types and whose particles may change.
  void fill_by_types(FrameIndex index, Frame& frame) const;

  PythonDecoder decoder_;
  PythonFrame read_;
  std::vector<StepAndTime> moments_;  ///< of all frames, if they are listed
  /// particles must be equal in all frames, for a structure or for rules
  bool needs_particles_;
  bool has_residues_;  ///< false: the format has no residues
  bool by_types_ = false;
  PythonPeriodicity periodicity_;
};

/// Reads the atoms of a file with a Python package. Throws InputError.
SharedStructure read_python_structure(const std::string& path, const std::string& key);

}  // namespace starhist::io
