// LAMMPS data files as a trajectory and as the structure of a dump with all their ids.

#include "io/formats/records.hh"
#include "tests/fuzz/fuzz_input.hh"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starhist;
  const io::TrajectoryFormat format = io::lammps_data_format();
  fuzz::read_trajectory(fuzz::text_of(data, size), format, true);
  const fuzz::InputFile file(fuzz::text_of(data, size));
  fuzz::refuse_or([&] {
    const io::SharedStructure structure = format.read_structure(file.path());
    io::ParticleTable table;
    table.id = structure->particles.id;
    table.count = table.id.size();
    io::add_structure(*structure, file.path(), table);
  });
  return 0;
}
