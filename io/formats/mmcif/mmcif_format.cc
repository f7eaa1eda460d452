#include "io/formats/mmcif/mmcif_reader.hh"
#include "io/formats/records.hh"

namespace starhist::io {

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
