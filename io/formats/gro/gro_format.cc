#include "io/formats/gro/gro_lines.hh"
#include "io/formats/gro/gro_reader.hh"
#include "io/formats/records.hh"
#include "io/text/text_fields.hh"

namespace starhist::io {
namespace {

bool begins_gro(ProbedFile& file) {
  std::vector<double> position;
  return is_count(file.line(1)) &&
         add_gro_position(file.line(2), gro_field_width(file.line(2)), position);
}

}  // namespace

TrajectoryFormat gro_format() {
  return {.name = "GRO",
          .extensions = {"gro"},
          .contents = TrajectoryFormat::Contents::text,
          .names = TrajectoryFormat::Names::file_unless_structure,
          .packed = true,
          .by_name = true,
          .probe = begins_gro,
          .open = open_by_path<GroReader>,
          .read_structure =
              [](const std::string& path) {
                return GroReader(path, {}, nullptr).structure();
              },
          .known_by = "the ending of the name, or number of atoms in the second line",
          .species = "atom names",
          .fields = {.box = "matrix; all axes, or no box",
                     .names = "atom names",
                     .residues = "number and name",
                     .elements = "no",
                     .molecules = "no",
                     .bonds = "no",
                     .times = "`t=` and `step=` of the title",
                     .units = "nm"}};
}

}  // namespace starhist::io
