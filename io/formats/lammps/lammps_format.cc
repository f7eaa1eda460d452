#include <algorithm>

#include "io/formats/lammps/lammps_data_reader.hh"
#include "io/formats/lammps/lammps_reader.hh"
#include "io/formats/records.hh"
#include "io/text/text_fields.hh"

namespace starhist::io {
namespace {

/// Whether the line is like "216 atoms", the usual third line.
bool is_number_of_atoms(std::string_view line) {
  const std::string_view number = take_field(line);
  return is_count(number) && take_field(line) == "atoms" && take_field(line).empty();
}

}  // namespace

TrajectoryFormat lammps_format() {
  return {.name = "LAMMPS text dump",
          .extensions = {"dump", "lammpstrj"},
          .contents = TrajectoryFormat::Contents::text,
          .names = TrajectoryFormat::Names::file_unless_structure,
          .packed = true,
          .probe = [](ProbedFile& file) { return file.line(0).starts_with("ITEM: "); },
          .open = open_by_path<LammpsReader>,
          .known_by = "`ITEM: ` in the first line",
          .species = "`element`, `typelabel` or `type`; names of `--structure`",
          .fields = {.box = "bounds and tilts, or matrix; periodic per axis",
                     .names = "`typelabel`, `type`",
                     .residues = "no",
                     .elements = "`element`, `mass`",
                     .molecules = "`mol`",
                     .bonds = "no",
                     .times = "`ITEM: TIME`, `ITEM: TIMESTEP`",
                     .units = "`ITEM: UNITS`, or none"}};
}

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
