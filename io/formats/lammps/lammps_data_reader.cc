#include "io/formats/lammps/lammps_data_reader.hh"

#include "io/formats/lammps/lammps_units.hh"

namespace starhist::io {

LammpsDataReader::LammpsDataReader(const std::string& path, const ReadOptions& options,
                                   const SharedStructure& structure)
    : AtomTrajectory(path, "LAMMPS data", options, structure),
      data_(read_lammps_data(path)) {
  check_known_units(path, data_.units, options.length_unit);
  const LammpsUnits units = lammps_units(data_.units);
  if (structure) {
    check_same_units(path, units, "its first line", *structure);
  }
  info_.frame_count = 1;
  info_.length_unit = units.length;
  info_.time_unit = units.time;
  take_own_atoms([this](ParticleTable& table) { table = data_.particles; });
  info_.remarks.insert(info_.remarks.end(), data_.remarks.begin(), data_.remarks.end());
}

void LammpsDataReader::read(FrameIndex index, Frame& frame) {
  fill({index, 0, no_time}, data_.positions, data_.edges, frame);
}

SharedStructure read_lammps_structure(const std::string& path) {
  LammpsData data = read_lammps_data(path);
  auto structure = std::make_shared<Structure>();
  structure->path = path;
  structure->particles = std::move(data.particles);
  structure->length_unit = lammps_units(data.units).length;
  structure->time_unit = lammps_units(data.units).time;
  structure->remarks = std::move(data.remarks);
  return structure;
}

}  // namespace starhist::io
