#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "io/reader/atom_trajectory.hh"
#include "io/text/text_index.hh"

namespace starhist::io {

/// A whole model of a file, which names the atoms of each of its models.
struct AtomModel {
  std::uint64_t atoms = 0;  ///< alternate locations included
  std::uint64_t names = 0;  ///< hash of all that names the atoms
  bool has_alternates = false;
  std::string problem;  ///< why it cannot be used; "": it can
};

/// The atoms of a model that was read.
struct ModelAtoms {
  std::int64_t step = 0;          ///< 0 where the file does not tell it
  double time = no_time;          ///< [ps]; no_time where the file does not tell it
  std::vector<double> positions;  ///< x, y, z of each atom [Angstrom]
};

/// What PDB and mmCIF have in common: names are those of the first model, where no
/// structure gives others. Models may differ in their atoms: species are then the atom
/// names of each model, unless particles are asked for one by one.
class ModelTrajectory : public AtomTrajectory {
 public:
  void read(FrameIndex index, Frame& frame) override;

 protected:
  ModelTrajectory(const std::string& path, const std::string& format,
                  const ReadOptions& options, SharedStructure structure);

  /// Reads a model, and appends its atoms to `names` unless it is null. Throws
  /// InputError.
  virtual void read_model(std::size_t index, ModelAtoms& atoms,
                          ParticleTable* names) = 0;
  /// The edges of the model's box (rows); they are zero before. Throws InputError.
  virtual void read_box(std::size_t index, double (&edges)[9]) = 0;

  /// To be called by the constructor of a derived class, after which models can be
  /// read. `remarks` are of the whole file and do not name it. Throws InputError where
  /// no model can be used.
  void take_models(std::vector<AtomModel> models,
                   const std::vector<std::string>& remarks);

 private:
  std::size_t first_usable() const;
  bool have_same_atoms() const;
  void read_usable(std::size_t index, ParticleTable* names);
  void list_species();
  void choose_atoms(const AtomModel& model, ParticleTable& names);
  void check_same_atoms(std::size_t index);
  void fill_by_species(FrameIndex index, const double (&edges)[9], Frame& frame);

  std::vector<AtomModel> models_;
  ModelAtoms read_;
  std::string altloc_;
  bool per_particle_;
  bool given_names_;                       ///< by a structure
  std::optional<SpeciesNumbers> species_;  ///< where models differ
};

}  // namespace starhist::io
