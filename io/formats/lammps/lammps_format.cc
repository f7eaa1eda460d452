#include "io/formats/lammps/lammps_reader.hh"
#include "io/formats/records.hh"
#include "io/reader/probed_file.hh"

namespace starhist::io {

TrajectoryFormat lammps_format() {
  return {.name = "LAMMPS text dump",
          .extensions = {"dump", "lammpstrj"},
          .contents = TrajectoryFormat::Contents::text,
          .packed = true,
          .probe = [](ProbedFile& file) { return file.line(0).starts_with("ITEM: "); },
          .open = [](ProbedFile& file, const ReadOptions& options,
                     const SharedStructure&) -> std::unique_ptr<TrajectoryReader> {
            return std::make_unique<LammpsReader>(file.path(), options);
          },
          .known_by = "`ITEM: ` in the first line",
          .species = "`element`, else `type`"};
}

}  // namespace starhist::io
