#pragma once

#include <string>

#include "io/formats/pdb/pdb_frames.hh"
#include "io/reader/model_trajectory.hh"

namespace starhist::io {

/// Reads PDB, plain or compressed, with one or more frames. Lengths are in Angstrom,
/// times in ps.
class PdbReader : public ModelTrajectory {
 public:
  /// Scans the whole file. Throws InputError when it has no complete frame.
  PdbReader(const std::string& path, const ReadOptions& options,
            SharedStructure structure);

 private:
  void read_model(std::size_t index, ModelAtoms& atoms, ParticleTable* names) override;
  void read_box(std::size_t index, double (&edges)[9]) override;

  TextFile file_;
  PdbIndex index_;
};

}  // namespace starhist::io
