#include "io/formats/lammps/lammps_data.hh"
#include "io/formats/lammps/lammps_units.hh"
#include "io/formats/records.hh"
#include "io/reader/atom_trajectory.hh"
#include "io/text/text_fields.hh"

namespace starhist::io {
namespace {

/// Reads a LAMMPS data file as a trajectory of one frame. All axes are periodic,
/// because the file does not specify periodicity.
class LammpsDataReader : public AtomTrajectory {
 public:
  /// Throws InputError if the file is not a data file.
  LammpsDataReader(const std::string& path, const ReadOptions& options,
                   const SharedStructure& structure)
      : AtomTrajectory(path, "LAMMPS data", options, structure),
        data_(read_lammps_data(path)) {
    check_known_units(path, data_.units, options.length_unit);
    const LammpsUnits units = lammps_units(data_.units);
    if (structure) {
      check_same_units(path, units, "its first line", *structure);
    }
    info_.frame_count = 1;
    info_.length_unit = units.length;
    info_.time_unit = units.time;
    take_own_atoms([this](ParticleTable& table) { table = data_.particles; });
    info_.remarks.insert(info_.remarks.end(), data_.remarks.begin(),
                         data_.remarks.end());
  }

  void read(FrameIndex index, Frame& frame) override {
    fill(index, {}, data_.positions, data_.edges, frame);
  }

 private:
  LammpsData data_;
};

/// Reads the atoms of such a file. Throws InputError.
SharedStructure read_lammps_structure(const std::string& path) {
  LammpsData data = read_lammps_data(path);
  auto structure = std::make_shared<Structure>();
  structure->path = path;
  structure->particles = std::move(data.particles);
  structure->length_unit = lammps_units(data.units).length;
  structure->time_unit = lammps_units(data.units).time;
  structure->remarks = std::move(data.remarks);
  return structure;
}

/// Whether the line is like "216 atoms", the usual third line.
bool is_number_of_atoms(std::string_view line) {
  const std::string_view number = take_field(line);
  return is_count(number) && take_field(line) == "atoms" && take_field(line).empty();
}

}  // namespace

TrajectoryFormat lammps_data_format() {
  return {.name = "LAMMPS data",
          .extensions = {"data", "lmp"},
          .contents = TrajectoryFormat::Contents::text,
          .names = TrajectoryFormat::Names::file_unless_structure,
          .packed = true,
          .by_name = true,
          .probe =
              [](ProbedFile& file) {
                return is_number_of_atoms(file.line(1)) ||
                       is_number_of_atoms(file.line(2));
              },
          .open = open_by_path<LammpsDataReader>,
          .read_structure = read_lammps_structure,
          .known_by = "the ending of the name, or its number of atoms",
          .species = "labels or comments of the types, or types",
          .fields = {.box = "bounds and tilts, or matrix; all axes",
                     .names = "types, labels or comments of the types",
                     .residues = "no",
                     .elements = "masses",
                     .molecules = "numbers of the atom style",
                     .bonds = "no",
                     .times = "no",
                     .units = "`units =` in the first line, or none"}};
}

}  // namespace starhist::io
