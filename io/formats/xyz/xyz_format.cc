#include "io/formats/records.hh"
#include "io/formats/xyz/xyz_reader.hh"
#include "io/reader/probed_file.hh"
#include "io/text/text_fields.hh"

namespace starhist::io {

TrajectoryFormat xyz_format() {
  return {.name = "XYZ",
          .extensions = {"xyz", "extxyz"},
          .contents = TrajectoryFormat::Contents::text,
          .packed = true,
          .probe = [](ProbedFile& file) { return is_count(file.line(0)); },
          .open = [](ProbedFile& file, const ReadOptions& options,
                     const SharedStructure&) -> std::unique_ptr<TrajectoryReader> {
            return std::make_unique<XyzReader>(file.path(), options);
          },
          .known_by = "number of atoms alone in the first line",
          .species = "`species`, else the first column"};
}

}  // namespace starhist::io
