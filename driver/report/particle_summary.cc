#include "driver/report/particle_summary.hh"

#include <algorithm>
#include <map>

#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "io/particles/particle_compounds.hh"
#include "io/particles/particle_field.hh"

namespace starhist::driver {
namespace {

std::string count_of(const std::vector<std::uint32_t>& compounds,
                     const std::string& kind) {
  const auto most = std::max_element(compounds.begin(), compounds.end());
  const std::uint64_t count = most == compounds.end() ? 0 : std::uint64_t{*most} + 1;
  return std::to_string(count) + " " + kind + (count == 1 ? "" : "s") + ", ";
}

/// "in chains A: 214, B: 214, ": residues of each of several chains, in the order of
/// the file; "" without chains.
std::string residues_by_chain(const io::ParticleTable& table,
                              const std::vector<std::uint32_t>& residues) {
  if (table.chain.empty() || residues.empty()) {
    return "";
  }
  std::vector<std::string> chains;
  std::map<std::string, std::size_t> count;
  for (std::size_t k = 0; k < residues.size(); ++k) {
    if (k == 0 || residues[k] != residues[k - 1]) {
      if (++count[table.chain[k]] == 1) {
        chains.push_back(table.chain[k]);
      }
    }
  }
  if (chains.size() < 2) {
    return "";
  }
  std::vector<std::string> parts;
  for (const std::string& chain : chains) {
    parts.push_back((chain.empty() ? "without" : chain) + ": " +
                    std::to_string(count[chain]));
  }
  return "in chains " + listed(parts) + "; ";
}

}  // namespace

std::string particle_summary(const io::ParticleTable& table) {
  const io::ParticleCompounds compounds(table);
  std::string text;
  const auto add = [&](const std::string& line) {
    text += (text.empty() ? "select by    " : "             ") + line + "\n";
  };
  for (std::size_t k = 0; k <= io::column_fields; ++k) {
    const io::ParticleField field = io::column_field(k);
    // `starhist info` has already printed the species.
    if (field == io::ParticleField::species || !io::has_field(table, field)) {
      continue;
    }
    const std::string count = field == io::ParticleField::residue
                                  ? count_of(compounds.residue, "residue") +
                                        residues_by_chain(table, compounds.residue)
                              : field == io::ParticleField::molecule
                                  ? count_of(compounds.molecule, "molecule")
                                  : "";
    add(io::word_of(field) + ": " + count + io::values_text(table, field));
  }
  if (!table.mass.empty()) {
    const auto [low, high] = std::minmax_element(table.mass.begin(), table.mass.end());
    add("masses " + single_text(*low) + " .. " + single_text(*high) +
        ", for centres of mass");
  }
  if (!table.charge.empty()) {
    const auto [low, high] =
        std::minmax_element(table.charge.begin(), table.charge.end());
    add("charges " + single_text(*low) + " .. " + single_text(*high));
  }
  return text;
}

}  // namespace starhist::driver
