#include "io/formats/records.hh"
#include "io/formats/xyz/xyz_reader.hh"
#include "io/text/text_fields.hh"

namespace starhist::io {

TrajectoryFormat xyz_format() {
  return {.name = "XYZ",
          .extensions = {"xyz", "extxyz"},
          .contents = TrajectoryFormat::Contents::text,
          .names = TrajectoryFormat::Names::file_unless_structure,
          .packed = true,
          .probe = [](ProbedFile& file) { return is_count(file.line(0)); },
          .open = open_by_path<XyzReader>,
          .read_structure = read_xyz_structure,
          .known_by = "first line with only the number of atoms",
          .species = "`species` or the first column; names of `--structure`",
          .fields = {
              .box = "matrix of `Lattice`, `CELL(abcABC)` of i-PI; periodic per axis",
              .names = "columns of `Properties`, or the first column",
              .residues = "`resid`, `resname`, `icode`, `chain`, `segment`",
              .elements = "`element`, `Z`, symbols of `species`, `mass`",
              .molecules = "`mol`, `molecule`",
              .bonds = "no",
              .times = "`Time`, `Step`",
              .units = "in comments of i-PI"}};
}

}  // namespace starhist::io
