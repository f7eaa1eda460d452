#pragma once

#include <string>

#include "io/formats/pdb/pdb_frames.hh"
#include "io/reader/model_trajectory.hh"

namespace starhist::io {

/// PDB, plain or compressed, with one frame or many. Lengths are in Angstrom, times in
/// ps.
class PdbReader : public ModelTrajectory {
 public:
  /// Goes through the whole file. Throws InputError when it has no whole frame.
  PdbReader(const std::string& path, const ReadOptions& options,
            SharedStructure structure);

 private:
  void read_model(std::size_t index, ModelAtoms& atoms, ParticleTable* names) override;
  void read_box(std::size_t index, double (&edges)[9]) override;

  TextFile file_;
  PdbIndex index_;
};

}  // namespace starhist::io
