// Index files of GROMACS: all groups, selected among 100 particles.

#include "io/selection/selection.hh"
#include "io/text/index_groups.hh"
#include "tests/fuzz/fuzz_input.hh"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starhist;
  const fuzz::InputFile file(fuzz::text_of(data, size));
  fuzz::refuse_or([&] {
    const io::IndexGroups groups(file.path());
    io::ParticleTable table;
    table.count = 100;
    for (const std::string& name : groups.names()) {
      fuzz::refuse_or([&] {
        io::Selection group;
        group.kind = io::Selection::Kind::listed;
        group.list = groups.find(name);
        io::select(group, table);
      });
    }
  });
  return 0;
}
