#pragma once

#include <memory>
#include <vector>

#include "io/reader/probed_file.hh"
#include "io/reader/trajectory_format.hh"

namespace starhist::io {

/// The records of all formats, each defined in the format's folder.
/// trajectory_formats() lists them (io/trajectory/formats.hh).
TrajectoryFormat h5md_format();
TrajectoryFormat cadishi_format();
TrajectoryFormat lammps_format();
TrajectoryFormat lammps_data_format();
TrajectoryFormat xyz_format();
TrajectoryFormat pdb_format();
TrajectoryFormat mmcif_format();  ///< only with gemmi
TrajectoryFormat gro_format();
TrajectoryFormat g96_format();
TrajectoryFormat xtc_format();
TrajectoryFormat trr_format();
TrajectoryFormat tng_format();
TrajectoryFormat tpr_format();
/// Formats read by Python packages.
std::vector<TrajectoryFormat> python_formats();

/// TrajectoryFormat::open for a Reader that opens the file by its path.
template <class Reader>
std::unique_ptr<TrajectoryReader> open_by_path(ProbedFile& file,
                                               const ReadOptions& options,
                                               const SharedStructure& structure) {
  return std::make_unique<Reader>(file.path(), options, structure);
}

}  // namespace starhist::io
