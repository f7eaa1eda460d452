// PDB as a structure, and as a trajectory with atoms from the file or a structure.

#include "io/formats/pdb/pdb_reader.hh"
#include "tests/fuzz/fuzz_input.hh"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starhist;
  fuzz::read_trajectory(fuzz::text_of(data, size), [](const std::string& path,
                                                      const io::ReadOptions& options) {
    io::SharedStructure structure;
    if (options.per_particle) {
      structure = io::PdbReader(path, {}, nullptr).structure();
    }
    return std::make_unique<io::PdbReader>(path, options, structure);
  });
  return 0;
}
