#include "io/formats/h5md/h5md_reader.hh"
#include "io/formats/records.hh"

namespace starhist::io {

TrajectoryFormat h5md_format() {
  return {
      .name = "H5MD",
      .extensions = {"h5", "h5md", "hdf5"},
      .contents = TrajectoryFormat::Contents::hdf5,
      .names = TrajectoryFormat::Names::file_unless_structure,
      .probe = [](ProbedFile& file) { return H5mdReader::recognises(file.hdf5()); },
      .open =
          [](ProbedFile& file, const ReadOptions& options,
             const SharedStructure& structure) -> std::unique_ptr<TrajectoryReader> {
        return std::make_unique<H5mdReader>(file.take_hdf5(), file.path(), options,
                                            structure);
      },
      .known_by = "group `particles` or `h5md`",
      .compression = "by HDF5's filters and LZF",
      .species =
          "`species` or `species_label`; names of GROMACS' topology or of "
          "`--structure`",
      .fields =
          {.box = "lengths or matrix; periodic per axis and frame",
           .names = "`name`, `type`, `species`, or GROMACS' topology",
           .residues =
               "`resid`, `resname`, `icode`, `chain`, `segment`, or GROMACS' topology",
           .elements = "`element`, `mass`, GROMACS' topology, `species` of ZnH5MD",
           .molecules = "`molecule`, or GROMACS' topology",
           .bonds = "GROMACS' bonds are checked and counted",
           .times = "`time`, `step`",
           .units = "attribute `unit`, or none"}};
}

}  // namespace starhist::io
