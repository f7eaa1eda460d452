#include "io/particles/alternate_locations.hh"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <unordered_map>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/particles/particle_field.hh"

namespace starhist::io {
namespace {

constexpr std::uint32_t unset = std::numeric_limits<std::uint32_t>::max();

/// Returns the particle's values in these columns as one text; columns that the table
/// lacks are skipped.
std::string key_of(const ParticleTable& table, std::uint32_t particle,
                   std::initializer_list<ParticleField> fields) {
  std::string key;
  for (const ParticleField field : fields) {
    if (has_field(table, field)) {
      key += is_number(field) ? std::to_string(number_column(table, field)[particle])
                              : text_column(table, field)[particle];
    }
    key += '\n';
  }
  if (!table.part.empty()) {
    key += std::to_string(table.part[particle]);
  }
  return key;
}

/// Identifies the site of a residue. Residue names are left out, because alternate
/// locations of one atom may belong to residues with different names.
std::string place_of(const ParticleTable& table, std::uint32_t particle) {
  return key_of(table, particle,
                {ParticleField::chain, ParticleField::segment, ParticleField::residue,
                 ParticleField::insertion_code});
}

std::string atom_of(const ParticleTable& table, std::uint32_t particle) {
  return key_of(table, particle, {ParticleField::residue_name, ParticleField::name});
}

/// Describes an atom for messages: "atom CB of residue SER 52".
std::string words_for(const ParticleTable& table, std::uint32_t particle) {
  const auto add = [&](const char* before, ParticleField field) {
    if (!has_field(table, field)) {
      return std::string();
    }
    const std::string value =
        is_number(field) ? std::to_string(number_column(table, field)[particle])
                         : text_column(table, field)[particle];
    return value.empty() ? value : before + value;
  };
  return "atom " + std::to_string(particle + 1) + add(", ", ParticleField::name) +
         add(" of residue ", ParticleField::residue_name) +
         add(" ", ParticleField::residue) + add("", ParticleField::insertion_code) +
         add(" of chain ", ParticleField::chain);
}

class Chooser {
 public:
  Chooser(const ParticleTable& table, const std::string& choice)
      : table_(table), choice_(choice), letter_(table.alternate_location) {}

  ChosenLocations choose() {
    ChosenLocations chosen;
    std::set<std::string> letters(letter_.begin(), letter_.end());
    letters.erase("");
    chosen.letters.assign(letters.begin(), letters.end());
    if (!letters.empty() && is_letter_choice(choice_) && !letters.contains(choice_)) {
      throw InputError("no atom has the alternate location " + choice_ +
                       " (--altloc accepts first, all or one of " +
                       join(chosen.letters, ", ") + ")");
    }
    if (letters.empty() || choice_ == "all") {
      chosen.kept.resize(table_.count);
      std::iota(chosen.kept.begin(), chosen.kept.end(), std::uint32_t{0});
      return chosen;
    }
    std::vector<char> kept(table_.count, 1);
    std::uint32_t begin = 0;
    for (std::uint32_t k = 1; k <= table_.count; ++k) {
      if (k == table_.count || place_of(table_, k) != place_of(table_, begin)) {
        choose_residue(begin, k, kept);
        begin = k;
      }
    }
    choose_atoms(kept);
    for (std::uint32_t k = 0; k < table_.count; ++k) {
      if (kept[k] != 0) {
        chosen.kept.push_back(k);
      }
    }
    chosen.left_out = table_.count - chosen.kept.size();
    chosen.atoms = several_.size();
    return chosen;
  }

 private:
  /// Particles [begin, end) share a site: drops those with a letter whose residue name
  /// differs from the chosen one.
  void choose_residue(std::uint32_t begin, std::uint32_t end, std::vector<char>& kept) {
    std::uint32_t first = unset;
    std::uint32_t chosen = unset;
    for (std::uint32_t k = begin; k < end; ++k) {
      if (letter_[k].empty()) {
        continue;
      }
      first = std::min(first, k);
      if (chosen == unset && letter_[k] == choice_) {
        chosen = k;
      }
    }
    if (first == unset || table_.residue_name.empty()) {
      return;
    }
    const std::string& name = table_.residue_name[chosen == unset ? first : chosen];
    for (std::uint32_t k = begin; k < end; ++k) {
      if (!letter_[k].empty() && table_.residue_name[k] != name) {
        kept[k] = 0;
        several_.insert(place_of(table_, k) + atom_of(table_, k));
      }
    }
  }

  /// Keeps one of the lettered particles with the same site and name.
  void choose_atoms(std::vector<char>& kept) {
    std::unordered_map<std::string, std::vector<std::uint32_t>> locations;
    for (std::uint32_t k = 0; k < table_.count; ++k) {
      if (!letter_[k].empty()) {
        add_location(k, locations[place_of(table_, k) + atom_of(table_, k)]);
      }
    }
    for (std::uint32_t k = 0; k < table_.count; ++k) {
      if (letter_[k].empty() && beside_letters(k)) {
        const auto found = locations.find(place_of(table_, k) + atom_of(table_, k));
        if (found != locations.end()) {
          throw InputError(
              words_for(table_, k) +
              " has no alternate location, but another location of it has " +
              letter_[found->second.front()] + remedy);
        }
      }
    }
    for (const auto& [atom, particles] : locations) {
      const auto found =
          std::find_if(particles.begin(), particles.end(),
                       [this](std::uint32_t k) { return letter_[k] == choice_; });
      const std::uint32_t chosen =
          found == particles.end() ? particles.front() : *found;
      for (const std::uint32_t k : particles) {
        if (k != chosen) {
          kept[k] = 0;
          several_.insert(atom);
        }
      }
    }
  }

  void add_location(std::uint32_t particle, std::vector<std::uint32_t>& particles) {
    for (const std::uint32_t k : particles) {
      if (letter_[k] == letter_[particle]) {
        throw InputError(words_for(table_, particle) + " has the alternate location " +
                         letter_[particle] + ", as atom " + std::to_string(k + 1) +
                         " of the same name has" + remedy);
      }
    }
    particles.push_back(particle);
  }

  /// Whether a neighbour at the same site has a letter. Atoms farther away may have the
  /// same residue number by chance.
  bool beside_letters(std::uint32_t particle) const {
    const auto has_letter = [&](std::uint32_t k) {
      return !letter_[k].empty() && place_of(table_, k) == place_of(table_, particle);
    };
    return (particle > 0 && has_letter(particle - 1)) ||
           (particle + 1 < table_.count && has_letter(particle + 1));
  }

  static constexpr const char* remedy =
      " (each location of an atom needs its own letter: correct the file, or read all "
      "locations with --altloc all)";

  const ParticleTable& table_;
  const std::string& choice_;
  const std::vector<std::string>& letter_;
  std::set<std::string> several_;  ///< atoms with several locations
};

template <class Value>
void keep(std::vector<Value>& column, const std::vector<std::uint32_t>& kept) {
  if (column.empty()) {
    return;
  }
  for (std::size_t k = 0; k < kept.size(); ++k) {
    if (kept[k] != k) {
      column[k] = std::move(column[kept[k]]);
    }
  }
  column.resize(kept.size());
}

}  // namespace

std::string parse_altloc(const std::string& text) {
  if (text.empty() || text.find_first_of(" \t") != std::string::npos) {
    throw InputError("'" + text + "' is neither first, all nor an alternate location");
  }
  return text;
}

bool is_letter_choice(const std::string& choice) {
  return choice != "first" && choice != "all";
}

ChosenLocations choose_locations(const ParticleTable& table,
                                 const std::string& choice) {
  return Chooser(table, choice).choose();
}

std::string keep_chosen(const ChosenLocations& chosen, const std::string& choice,
                        ParticleTable& table) {
  if (chosen.left_out == 0) {
    return "";
  }
  for (std::size_t k = 0; k < column_fields; ++k) {
    const ParticleField field = column_field(k);
    is_number(field) ? keep(number_column(table, field), chosen.kept)
                     : keep(text_column(table, field), chosen.kept);
  }
  keep(table.element_source, chosen.kept);
  keep(table.part, chosen.kept);
  keep(table.mass, chosen.kept);
  keep(table.charge, chosen.kept);
  if (std::all_of(table.alternate_location.begin(), table.alternate_location.end(),
                  [](const std::string& letter) { return letter.empty(); })) {
    table.alternate_location.clear();
  }
  table.count = chosen.kept.size();
  const bool one = chosen.atoms == 1;
  return std::to_string(chosen.atoms) + (one ? " atom has" : " atoms have") +
         " alternate locations (" + join(chosen.letters, ", ") +
         "): " + (is_letter_choice(choice) ? "location " + choice : "the first") +
         " of each is read, " + std::to_string(chosen.left_out) +
         (chosen.left_out == 1 ? " is" : " are") +
         " left out (choose with --altloc first, all or a letter)";
}

}  // namespace starhist::io
