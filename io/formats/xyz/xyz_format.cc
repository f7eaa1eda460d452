#include "io/formats/records.hh"
#include "io/formats/xyz/xyz_reader.hh"
#include "io/reader/probed_file.hh"
#include "io/reader/with_structure.hh"
#include "io/text/text_fields.hh"

namespace starhist::io {

TrajectoryFormat xyz_format() {
  return {
      .name = "XYZ",
      .extensions = {"xyz", "extxyz"},
      .contents = TrajectoryFormat::Contents::text,
      .names = TrajectoryFormat::Names::file_unless_structure,
      .packed = true,
      .probe = [](ProbedFile& file) { return is_count(file.line(0)); },
      .open =
          [](ProbedFile& file, const ReadOptions& options,
             const SharedStructure& structure) -> std::unique_ptr<TrajectoryReader> {
        if (!structure) {
          return std::make_unique<XyzReader>(file.path(), options);
        }
        ReadOptions each = options;
        each.per_particle = true;
        return with_structure(std::make_unique<XyzReader>(file.path(), each),
                              structure);
      },
      .known_by = "number of atoms alone in the first line",
      .species = "`species`, else the first column"};
}

}  // namespace starhist::io
