// The rules of --species, and their selections from a table of water and a ligand.

#include "io/selection/compound_centres.hh"
#include "io/selection/species_groups.hh"
#include "tests/fuzz/fuzz_input.hh"

namespace {

using namespace starhist;

io::ParticleTable make_table() {
  io::ParticleTable table;
  const char* const names[] = {"OW", "HW1", "HW2"};
  for (std::int64_t k = 0; k < 12; ++k) {
    const bool water = k < 9;
    table.id.push_back(100 + k);
    table.name.emplace_back(water ? names[k % 3] : "C1");
    table.type.push_back(std::to_string(k % 3));
    table.element.emplace_back(water && k % 3 == 0 ? "O" : "H");
    table.residue_name.emplace_back(water ? "SOL" : "LIG");
    table.residue.push_back(k / 3);
    table.molecule.push_back(k / 3);
    table.mass.push_back(k % 3 == 0 ? 16.0 : 1.0);
  }
  table.count = table.id.size();
  io::fill_species(table);
  return table;
}

void select(const io::SpeciesGroup& group, const io::ParticleTable& table,
            const io::ParticleCompounds& compounds) {
  const std::vector<char> selected = io::select(*group.selection, table);
  std::vector<std::uint32_t> particles;
  for (std::uint32_t k = 0; k < selected.size(); ++k) {
    if (selected[k] != 0) {
      particles.push_back(k);
    }
  }
  if (group.centres != io::Centres::none) {
    const io::CompoundCentres centres(table, compounds, particles, group.centres);
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const io::ParticleTable table = make_table();
  static const io::ParticleCompounds compounds(table);
  fuzz::refuse_or([&] {
    const auto groups =
        io::parse_species_groups(std::string(fuzz::text_of(data, size)));
    io::need_particles(groups);
    for (const io::SpeciesGroup& group : groups) {
      if (group.selection) {
        fuzz::refuse_or([&] { select(group, table, compounds); });
      }
    }
  });
  return 0;
}
