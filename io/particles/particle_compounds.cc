#include "io/particles/particle_compounds.hh"

#include <unordered_map>

namespace starhist::io {
namespace {

/// Whether a particle has the same value as the one before it; true without the column.
template <class Value>
bool goes_on(const std::vector<Value>& column, std::size_t particle) {
  return column.empty() || column[particle] == column[particle - 1];
}

std::vector<std::uint32_t> residues_of(const ParticleTable& table) {
  std::vector<std::uint32_t> residues(table.residue.size());
  for (std::size_t k = 1; k < residues.size(); ++k) {
    const bool same = goes_on(table.residue, k) && goes_on(table.residue_name, k) &&
                      goes_on(table.insertion_code, k) && goes_on(table.chain, k) &&
                      goes_on(table.segment, k) &&
                      (!table.molecule_divides_residues || goes_on(table.molecule, k));
    residues[k] = residues[k - 1] + (same ? 0 : 1);
  }
  return residues;
}

std::vector<std::uint32_t> molecules_of(const ParticleTable& table) {
  std::vector<std::uint32_t> molecules;
  molecules.reserve(table.molecule.size());
  std::unordered_map<std::int64_t, std::uint32_t> numbers;
  std::uint32_t count = 0;
  for (const std::int64_t molecule : table.molecule) {
    if (molecule == 0 && table.molecule_zero_is_none) {
      molecules.push_back(count++);
      continue;
    }
    const auto [found, is_new] = numbers.emplace(molecule, count);
    count += is_new ? 1 : 0;
    molecules.push_back(found->second);
  }
  return molecules;
}

}  // namespace

ParticleCompounds::ParticleCompounds(const ParticleTable& table)
    : residue(residues_of(table)), molecule(molecules_of(table)) {}

}  // namespace starhist::io
