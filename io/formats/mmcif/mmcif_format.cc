#include "io/formats/mmcif/mmcif_reader.hh"
#include "io/formats/records.hh"
#include "io/reader/probed_file.hh"

namespace starhist::io {

TrajectoryFormat mmcif_format() {
  return {
      .name = "mmCIF",
      .extensions = {"cif", "mmcif", "pdbx"},
      .contents = TrajectoryFormat::Contents::text,
      .names = TrajectoryFormat::Names::file_unless_structure,
      .packed = true,
      .python_package = "gemmi or MDAnalysis 2.10",
      .open =
          [](ProbedFile& file, const ReadOptions& options,
             const SharedStructure& structure) -> std::unique_ptr<TrajectoryReader> {
        return std::make_unique<MmcifReader>(file.path(), options, structure);
      },
      .read_structure =
          [](const std::string& path) {
            ReadOptions every;
            every.per_particle = true;
            every.altloc = "all";  // the caller chooses the locations
            return MmcifReader(path, every, nullptr).structure();
          },
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
