#include <algorithm>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/formats/mmcif/mmcif_file.hh"
#include "io/formats/records.hh"
#include "io/particles/particle_field.hh"
#include "io/reader/model_trajectory.hh"

namespace starhist::io {
namespace {

MmcifFile read_file(const std::string& path) {
  try {
    return read_mmcif(path);
  } catch (const InputError& error) {
    const std::string problem = error.what();
    throw InputError(problem.starts_with(path) ? problem : path + ": " + problem);
  }
}

template <class Value>
void append(const std::vector<Value>& column, std::size_t begin, std::size_t end,
            std::vector<Value>& part) {
  if (!column.empty()) {
    part.insert(part.end(), &column[begin], &column[end - 1] + 1);
  }
}

/// Reads mmCIF, plain or compressed, with one or more models. Lengths are in Angstrom.
class MmcifReader : public ModelTrajectory {
 public:
  /// Reads the whole file. Throws InputError when it has no model.
  MmcifReader(const std::string& path, const ReadOptions& options,
              SharedStructure structure)
      : ModelTrajectory(path, "mmCIF", options, std::move(structure)),
        file_(read_file(path)) {
    info_.sequential_only = true;  // each reader keeps the whole file in memory
    info_.from.box = "_cell";
    info_.from.residues =
        "distinguished by chain (auth_asym_id, label_asym_id), number, insertion code, "
        "name";
    const bool has_box = file_.cell_problem.empty() && file_.edges[0] != 0.0;
    if (has_box && file_.models.size() > 1 && !has_fixed_box()) {
      file_.remarks.push_back(few_boxes_remark(1, "_cell", file_.models.size()));
    }
    take_models(std::move(file_.models), file_.remarks);
  }

 private:
  void read_model(std::size_t index, ModelAtoms& atoms, ParticleTable* names) override {
    const std::size_t begin = file_.first[index];
    const std::size_t end = file_.first[index + 1];
    atoms.positions.assign(&file_.positions[3 * begin],
                           &file_.positions[3 * end - 1] + 1);
    if (names == nullptr) {
      return;
    }
    for (std::size_t k = 0; k < column_fields; ++k) {
      const ParticleField field = column_field(k);
      is_number(field) ? append(number_column(file_.names, field), begin, end,
                                number_column(*names, field))
                       : append(text_column(file_.names, field), begin, end,
                                text_column(*names, field));
    }
    names->count += end - begin;
  }

  void read_box(std::size_t /*index*/, double (&edges)[9]) override {
    if (!file_.cell_problem.empty()) {
      throw InputError(file_.cell_problem);
    }
    std::copy(std::begin(file_.edges), std::end(file_.edges), edges);
  }

  MmcifFile file_;
};

}  // namespace

TrajectoryFormat mmcif_format() {
  return {.name = "mmCIF",
          .extensions = {"cif", "mmcif", "pdbx"},
          .contents = TrajectoryFormat::Contents::text,
          .names = TrajectoryFormat::Names::file_unless_structure,
          .packed = true,
          .python_package = "gemmi or MDAnalysis 2.10",
          .open = open_by_path<MmcifReader>,
          .read_structure = read_all_locations<MmcifReader>,
          .known_by = "the ending of the name",
          .species = "atom names or types",
          .fields = {.box = "lengths and angles; all axes, or no box",
                     .names = "atom names",
                     .residues = "number, name, chain or segment, insertion code",
                     .elements = "elements",
                     .molecules = "no",
                     .bonds = "no",
                     .times = "no",
                     .units = "A"}};
}

}  // namespace starhist::io
