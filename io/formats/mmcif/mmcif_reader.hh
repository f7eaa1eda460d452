#pragma once

#include "io/formats/mmcif/mmcif_file.hh"
#include "io/reader/model_trajectory.hh"

namespace starhist::io {

/// Reads mmCIF, plain or compressed, with one or more models. Lengths are in Angstrom.
class MmcifReader : public ModelTrajectory {
 public:
  /// Reads the whole file. Throws InputError when it has no model.
  MmcifReader(const std::string& path, const ReadOptions& options,
              SharedStructure structure);

 private:
  void read_model(std::size_t index, ModelAtoms& atoms, ParticleTable* names) override;
  void read_box(std::size_t index, double (&edges)[9]) override;

  MmcifFile file_;
};

}  // namespace starhist::io
