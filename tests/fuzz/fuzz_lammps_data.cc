// LAMMPS data files as a trajectory and as the structure of a dump with all their ids.

#include "io/formats/lammps/lammps_data_reader.hh"
#include "tests/fuzz/fuzz_input.hh"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starhist;
  fuzz::read_trajectory(fuzz::text_of(data, size), [](const std::string& path,
                                                      const io::ReadOptions& options) {
    io::SharedStructure structure;
    if (options.per_particle) {
      structure = io::read_lammps_structure(path);
      io::ParticleTable table;
      table.id = structure->particles.id;
      table.count = table.id.size();
      io::add_structure(*structure, path, table);
    }
    return std::make_unique<io::LammpsDataReader>(path, options, structure);
  });
  return 0;
}
