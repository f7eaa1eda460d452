#include "io/formats/cadishi/cadishi_reader.hh"
#include "io/formats/records.hh"

namespace starhist::io {

TrajectoryFormat cadishi_format() {
  return {
      .name = "CADISHI HDF5",
      .extensions = {"h5", "hdf5"},
      .contents = TrajectoryFormat::Contents::hdf5,
      .probe = [](ProbedFile& file) { return CadishiReader::recognises(file.hdf5()); },
      .open = [](ProbedFile& file, const ReadOptions& options,
                 const SharedStructure&) -> std::unique_ptr<TrajectoryReader> {
        return std::make_unique<CadishiReader>(file.take_hdf5(), file.path(), options);
      },
      .known_by = "groups `1`, `2`, ... with `coordinates`",
      .compression = "by HDF5's filters and LZF",
      .species = "names of the datasets",
      .fields = {.box = "matrix, or lengths and angles; all axes, or no box",
                 .names = "species",
                 .residues = "no",
                 .elements = "species that are symbols of elements",
                 .molecules = "no",
                 .bonds = "no",
                 .times = "no",
                 .units = "A"}};
}

}  // namespace starhist::io
