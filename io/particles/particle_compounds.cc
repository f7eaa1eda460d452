#include "io/particles/particle_compounds.hh"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace starhist::io {
namespace {

/// Whether a particle has the same value as the previous one; true if the column is
/// empty.
template <class Value>
bool goes_on(const std::vector<Value>& column, std::size_t particle) {
  return column.empty() || column[particle] == column[particle - 1];
}

bool same_residue(const ParticleTable& table, std::size_t k) {
  return goes_on(table.residue, k) && goes_on(table.residue_name, k) &&
         goes_on(table.insertion_code, k) && goes_on(table.chain, k) &&
         goes_on(table.segment, k) && goes_on(table.part, k) &&
         (!table.molecule_divides_residues || goes_on(table.molecule, k));
}

/// Numbers residues by runs of consecutive particles; a later run may belong to an
/// earlier residue.
class Residues {
 public:
  explicit Residues(const ParticleTable& table) : table_(table) {}

  std::vector<std::uint32_t> number() {
    const std::size_t count = table_.residue.size();
    std::vector<std::uint32_t> residues(count);
    for (std::size_t begin = 0; begin < count;) {
      std::size_t end = begin + 1;
      while (end < count && same_residue(table_, end)) {
        ++end;
      }
      const std::uint32_t residue = residue_of(begin, end);
      std::fill(&residues[begin], &residues[end - 1] + 1, residue);
      begin = end;
    }
    return residues;
  }

 private:
  /// The last residue with a given identity.
  struct Known {
    std::uint32_t residue = 0;
    std::size_t begin = 0;  ///< begin of its first run; equal to `end`: no run yet
    std::size_t end = 0;
    std::unordered_set<std::string_view> names;  ///< filled when a second run is found
  };

  std::uint32_t residue_of(std::size_t begin, std::size_t end) {
    const std::string identity = identity_of(begin);
    if (identity.empty()) {
      return count_++;
    }
    Known& known = known_[identity];
    if (known.begin != known.end && add_run(begin, end, known)) {
      return known.residue;
    }
    known = {count_++, begin, end, {}};
    return known.residue;
  }

  /// Adds a run's atom names to a residue. False if the residue has one of them
  /// already.
  bool add_run(std::size_t begin, std::size_t end, Known& known) const {
    if (known.names.empty()) {
      known.names.insert(&table_.name[known.begin], &table_.name[known.end - 1] + 1);
    }
    for (std::size_t k = begin; k < end; ++k) {
      if (known.names.contains(table_.name[k])) {
        return false;
      }
    }
    known.names.insert(&table_.name[begin], &table_.name[end - 1] + 1);
    return true;
  }

  /// "" for a particle without a named chain, segment or piece, or without atom names.
  std::string identity_of(std::size_t particle) const {
    const auto text = [particle](const std::vector<std::string>& column) {
      return column.empty() ? std::string() : column[particle];
    };
    const std::string place = text(table_.chain) + '\n' + text(table_.segment);
    if ((place.size() == 1 && table_.part.empty()) || table_.name.empty()) {
      return "";
    }
    const auto number = [particle](const auto& column) {
      return column.empty() ? std::string() : std::to_string(column[particle]);
    };
    return place + '\n' + number(table_.residue) + text(table_.insertion_code) + '\n' +
           text(table_.residue_name) + '\n' + number(table_.part) + '\n' +
           (table_.molecule_divides_residues ? number(table_.molecule) : "");
  }

  const ParticleTable& table_;
  std::unordered_map<std::string, Known> known_;
  std::uint32_t count_ = 0;
};

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
    : residue(Residues(table).number()), molecule(molecules_of(table)) {}

std::uint64_t loose_particles(const ParticleTable& table) {
  const ParticleCompounds compounds(table);
  const std::size_t count = compounds.molecule.size();
  if (compounds.residue.size() != count) {
    return 0;
  }
  std::vector<std::uint64_t> of_residue(count);
  std::vector<std::uint64_t> of_molecule(count);
  for (std::size_t k = 0; k < count; ++k) {
    ++of_residue[compounds.residue[k]];
    ++of_molecule[compounds.molecule[k]];
  }
  std::uint64_t loose = 0;
  for (std::size_t k = 0; k < count; ++k) {
    loose +=
        of_molecule[compounds.molecule[k]] == 1 && of_residue[compounds.residue[k]] > 1;
  }
  return loose;
}

}  // namespace starhist::io
