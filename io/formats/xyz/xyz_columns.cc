#include "io/formats/xyz/xyz_columns.hh"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/formats/xyz/xyz_comment.hh"
#include "io/particles/elements.hh"
#include "io/text/text_fields.hh"
#include "io/text/text_file.hh"

namespace starhist::io {
namespace {

/// Meaning of a property of particles.
enum class Meaning {
  species,
  symbol,
  type,
  name,
  element,
  atomic_number,
  id,
  residue_name,
  residue,
  insertion_code,
  chain,
  segment,
  molecule,
  mass,
  charge
};

/// Returns the meaning of a property name used by ASE, OVITO, QUIP, selections and
/// others: in lower case without '_'. The exception is `Z`, because z is a coordinate.
std::optional<Meaning> meaning_of(const std::string& property) {
  static const std::map<std::string, Meaning> known{
      {"species", Meaning::species},
      {"symbol", Meaning::symbol},
      {"symbols", Meaning::symbol},
      {"atomicsymbol", Meaning::symbol},
      {"atomicsymbols", Meaning::symbol},
      {"chemicalsymbol", Meaning::symbol},
      {"chemicalsymbols", Meaning::symbol},
      {"type", Meaning::type},
      {"types", Meaning::type},
      {"atomtype", Meaning::type},
      {"particletype", Meaning::type},
      {"atomtypes", Meaning::name},  // ASE's name for names in GRO and PDB
      {"name", Meaning::name},
      {"names", Meaning::name},
      {"atomname", Meaning::name},
      {"atomnames", Meaning::name},
      {"label", Meaning::name},
      {"labels", Meaning::name},
      {"atomlabel", Meaning::name},
      {"atomlabels", Meaning::name},
      {"element", Meaning::element},
      {"elements", Meaning::element},
      {"numbers", Meaning::atomic_number},
      {"atomicnumber", Meaning::atomic_number},
      {"atomicnumbers", Meaning::atomic_number},
      {"id", Meaning::id},
      {"resname", Meaning::residue_name},
      {"residuename", Meaning::residue_name},
      {"residuenames", Meaning::residue_name},
      {"resid", Meaning::residue},
      {"residuenumber", Meaning::residue},
      {"residuenumbers", Meaning::residue},
      {"icode", Meaning::insertion_code},
      {"chain", Meaning::chain},
      {"segment", Meaning::segment},
      {"mol", Meaning::molecule},
      {"molid", Meaning::molecule},
      {"molecule", Meaning::molecule},
      {"mass", Meaning::mass},
      {"masses", Meaning::mass},
      {"charge", Meaning::charge},
      {"charges", Meaning::charge},
      {"initialcharges", Meaning::charge},
  };
  if (property == "Z") {
    return Meaning::atomic_number;
  }
  std::string name = lower_case(property);
  name.erase(std::remove(name.begin(), name.end(), '_'), name.end());
  const auto found = known.find(name);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

std::size_t count_of(const std::string& name, const std::string& text,
                     std::size_t column) {
  const std::int64_t count = whole_field(text, "Properties");
  if (count < 1) {
    throw InputError("Properties: " + name + " has no column");
  }
  if (static_cast<std::uint64_t>(count) > longest_line - column) {
    throw InputError("Properties: " + name + " has " + text +
                     " columns (no line is that long)");
  }
  return static_cast<std::size_t>(count);
}

/// Returns the atomic number in a field; 0 if the field is not a number, such as a
/// label.
std::int64_t atomic_number_of(std::string_view field) {
  if (field.find_first_not_of("0123456789") == std::string_view::npos) {
    return whole_field(field, "atomic number");
  }
  const std::string word(field);
  return element_spelling(word) == word ? number_of_element(word) : 0;
}

/// The columns of the properties in `Properties`.
struct MeaningfulColumns {
  std::map<Meaning, std::size_t> columns;
  bool species_are_numbers = false;
  bool number_first = false;  ///< the first column is a number
  std::optional<std::size_t> position;
  std::size_t count = 0;  ///< number of all columns

  std::optional<std::size_t> of(Meaning meaning) const {
    const auto found = columns.find(meaning);
    return found == columns.end() ? std::nullopt : std::optional(found->second);
  }
  /// The column of the first of these that exists.
  std::optional<std::size_t> first_of(std::initializer_list<Meaning> meanings) const {
    std::optional<std::size_t> found;
    for (const Meaning meaning : meanings) {
      found = found ? found : of(meaning);
    }
    return found;
  }
};

/// Throws InputError unless this is a property that did not occur before.
void check_property(const std::string& name, const std::string& kind,
                    std::set<std::string>& names) {
  if (name.empty() || kind.size() != 1 ||
      std::string_view("RILS").find(kind[0]) == std::string_view::npos) {
    throw InputError("Properties: '" + name.substr(0, 40) + ":" + kind.substr(0, 40) +
                     "' is not a name and one of R, I, L, S");
  }
  if (!names.insert(name).second) {
    throw InputError("Properties: " + name.substr(0, 40) + " stands twice");
  }
}

MeaningfulColumns parse_properties(const std::string& properties) {
  const std::vector<std::string> parts = split(properties, ':');
  if (parts.size() % 3 != 0) {
    throw InputError("Properties=" + properties.substr(0, 80) +
                     " is not made of name:type:columns");
  }
  MeaningfulColumns found;
  std::set<std::string> names;
  for (std::size_t k = 0; k < parts.size(); k += 3) {
    const std::string& name = parts[k];
    const std::string& kind = parts[k + 1];
    check_property(name, kind, names);
    const std::size_t width = count_of(name, parts[k + 2], found.count);
    const bool number = kind == "R" || kind == "I";
    if (lower_case(name) == "pos" && width == 3 && number) {
      found.position = found.count;
    } else if (auto meaning = meaning_of(name); meaning && width == 1) {
      meaning =
          *meaning == Meaning::element && number ? Meaning::atomic_number : *meaning;
      found.species_are_numbers |= *meaning == Meaning::species && number;
      if (!found.columns.emplace(*meaning, found.count).second) {
        throw InputError("Properties: " + name.substr(0, 40) +
                         " repeats another column");
      }
    }
    found.number_first = k == 0 ? number : found.number_first;
    found.count += width;
  }
  if (!found.position) {
    throw InputError("Properties=" + properties.substr(0, 80) + " has no pos:R:3");
  }
  return found;
}

}  // namespace

XyzColumns::XyzColumns() {
  particles.of(ParticleField::species) = species;
  particles.of(ParticleField::name) = species;
}

XyzColumns::XyzColumns(const std::string& properties) {
  const MeaningfulColumns found = parse_properties(properties);
  position = *found.position;
  count = found.count;
  number_first = found.number_first;
  exact = true;
  species = found.first_of({Meaning::species, Meaning::symbol, Meaning::type,
                            Meaning::name, Meaning::element, Meaning::atomic_number});
  particles.of(ParticleField::id) = found.of(Meaning::id);
  particles.of(ParticleField::species) = species;
  const auto name = found.of(Meaning::name);
  particles.of(ParticleField::name) = name ? name : species;
  particles.of(ParticleField::type) = found.of(Meaning::type);
  particles.of(ParticleField::element) =
      found.first_of({Meaning::element, Meaning::symbol});
  if (!particles.of(ParticleField::element)) {
    particles.atomic_number = found.of(Meaning::atomic_number);
  }
  particles.of(ParticleField::residue_name) = found.of(Meaning::residue_name);
  particles.of(ParticleField::residue) = found.of(Meaning::residue);
  particles.of(ParticleField::molecule) = found.of(Meaning::molecule);
  particles.of(ParticleField::insertion_code) = found.of(Meaning::insertion_code);
  particles.of(ParticleField::chain) = found.of(Meaning::chain);
  particles.of(ParticleField::segment) = found.of(Meaning::segment);
  particles.mass = found.of(Meaning::mass);
  particles.charge = found.of(Meaning::charge);
  for (const Meaning meaning :
       {Meaning::species, Meaning::symbol, Meaning::element, Meaning::atomic_number}) {
    if (const auto column = found.of(meaning);
        column && !(meaning == Meaning::species && found.species_are_numbers)) {
      elements.push_back(*column);
    }
  }
}

void XyzColumns::check_count(std::size_t fields) const {
  if (fields < count || (exact && fields != count)) {
    throw InputError(std::to_string(fields) + " fields for an atom, not " +
                     std::to_string(count));
  }
}

void XyzColumns::check_elements(const std::vector<std::string_view>& fields) const {
  if (elements.size() < 2) {
    return;
  }
  std::int64_t known = 0;
  std::string_view first;
  for (const std::size_t column : elements) {
    const std::int64_t number = atomic_number_of(fields[column]);
    if (known != 0 && number != 0 && number != known) {
      throw InputError("an atom is '" + std::string(first) + "' in one column and '" +
                       std::string(fields[column]) +
                       "' in another (species and atomic number must agree)");
    }
    first = known == 0 ? fields[column] : first;
    known = known == 0 ? number : known;
  }
}

}  // namespace starhist::io
