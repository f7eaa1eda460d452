#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "io/reader/atom_trajectory.hh"
#include "io/text/text_index.hh"

namespace starhist::io {

/// A complete model in a file whose models all contain atom names.
struct AtomModel {
  std::uint64_t atoms = 0;  ///< including all alternate locations
  std::uint64_t names = 0;  ///< hash of all fields that identify the atoms
  bool has_alternates = false;
  StepAndTime moment = {};  ///< time [ps]
  std::string problem;      ///< reason why the model cannot be used; "": it is usable
};

/// The atoms of one model.
struct ModelAtoms {
  StepAndTime moment;             ///< time [ps]
  std::vector<double> positions;  ///< x, y, z of each atom [Angstrom]
};

/// Remark on a file with fewer boxes than models, 1 or more. `name`: of a box in this
/// format.
std::string few_boxes_remark(std::size_t boxes, const std::string& name,
                             std::size_t models);

/// Common base of the PDB and mmCIF readers. Atom names are read from the first model
/// unless there is a structure. If the models differ in their atoms, the species are
/// the atom names of each model; with ReadOptions::per_particle that is an error.
class ModelTrajectory : public AtomTrajectory {
 public:
  void read(FrameIndex index, Frame& frame) override;
  StepAndTime read_moment(FrameIndex index, Frame& /*scratch*/) override {
    return models_[index.index()].moment;
  }

 protected:
  ModelTrajectory(const std::string& path, const std::string& format,
                  const ReadOptions& options, SharedStructure structure);

  /// Reads a model and appends its atoms to `names`, unless that is null. Throws
  /// InputError.
  virtual void read_model(std::size_t index, ModelAtoms& atoms,
                          ParticleTable* names) = 0;
  /// Reads the box edges of the model (rows) into `edges`, which are zero on entry.
  /// Throws InputError.
  virtual void read_box(std::size_t index, double (&edges)[9]) = 0;

  /// To be called by the constructor of a derived class when models can be read.
  /// `remarks` concern the whole file and do not name it. Throws InputError if all
  /// models are unusable.
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
  bool given_names_;                       ///< a structure names the atoms
  std::optional<SpeciesNumbers> species_;  ///< set if the models differ in their atoms
};

/// TrajectoryFormat::read_structure for a Reader of this kind: all alternate locations,
/// of which the caller chooses.
template <class Reader>
SharedStructure read_all_locations(const std::string& path) {
  ReadOptions every;
  every.per_particle = true;
  every.altloc = "all";
  return Reader(path, every, nullptr).structure();
}

}  // namespace starhist::io
