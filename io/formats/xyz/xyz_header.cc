#include "io/formats/xyz/xyz_header.hh"

#include <algorithm>
#include <map>

#include "codelets/core/base/error.hh"
#include "io/text/text_fields.hh"

namespace starhist::io {
namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

/// key=value, key="several words", key={several words}; keys in lower case. Words
/// without = are left out.
std::map<std::string, std::string> values_of(std::string_view line) {
  std::map<std::string, std::string> values;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.empty()) {
      return values;
    }
    const std::size_t key_end = std::min(line.find_first_of("= \t"), line.size());
    const std::string key = lower_case(line.substr(0, key_end));
    line.remove_prefix(key_end);
    if (!line.starts_with('=')) {
      continue;
    }
    line.remove_prefix(1);
    const char quote = line.starts_with('"') || line.starts_with('\'') ? line.front()
                       : line.starts_with('{')                         ? '}'
                                                                       : '\0';
    if (quote != '\0') {
      line.remove_prefix(1);
    }
    const std::size_t end = std::min(
        quote != '\0' ? line.find(quote) : line.find_first_of(" \t"), line.size());
    values[key] = std::string(line.substr(0, end));
    line.remove_prefix(std::min(end + (quote != '\0' ? 1 : 0), line.size()));
  }
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

Box box_of(const std::string& lattice, const std::string* pbc) {
  std::array<double, 9> v{};
  const auto fields = fields_of(lattice);
  if (fields.size() != v.size()) {
    throw InputError("Lattice has " + std::to_string(fields.size()) +
                     " numbers, not nine");
  }
  for (std::size_t k = 0; k < v.size(); ++k) {
    v[k] = real_field(fields[k], "Lattice");
  }
  std::array<bool, 3> periodic{true, true, true};
  if (pbc != nullptr) {
    const auto words = fields_of(*pbc);
    if (words.size() != 3) {
      throw InputError("pbc=\"" + *pbc + "\" does not have three words");
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string word = lower_case(words[k]);
      periodic[k] = word == "t" || word == "true" || word == "1";
      if (!periodic[k] && word != "f" && word != "false" && word != "0") {
        throw InputError("'" + std::string(words[k]) + "' in pbc is neither T nor F");
      }
    }
  }
  return Box({Vec3{v[0], v[1], v[2]}, {v[3], v[4], v[5]}, {v[6], v[7], v[8]}},
             periodic);
}

/// What a property tells of particles, by the names that ASE and OVITO use, and those
/// of selections. Names in lower case.
std::optional<ParticleField> field_of(const std::string& property) {
  static const std::map<std::string, ParticleField> known{
      {"id", ParticleField::id},
      {"name", ParticleField::name},
      {"atomname", ParticleField::name},
      {"type", ParticleField::type},
      {"atomtypes", ParticleField::name},  // ASE's, of GRO and PDB
      {"element", ParticleField::element},
      {"resname", ParticleField::residue_name},
      {"residuenames", ParticleField::residue_name},
      {"resid", ParticleField::residue},
      {"residuenumbers", ParticleField::residue},
      {"icode", ParticleField::insertion_code},
      {"chain", ParticleField::chain},
      {"segment", ParticleField::segment},
      {"mol", ParticleField::molecule},
      {"molid", ParticleField::molecule},
      {"molecule", ParticleField::molecule},
  };
  const auto found = known.find(property);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

/// The species are the names where there are no others.
void set_species(XyzHeader& header) {
  header.particles.of(ParticleField::species) = header.species;
  auto& name = header.particles.of(ParticleField::name);
  if (!name) {
    name = header.species;
  }
}

/// "species:S:1:pos:R:3:...": name, kind and number of columns of each property.
void set_columns(const std::string& properties, XyzHeader& header) {
  const std::vector<std::string> parts = split(properties, ':');
  if (parts.size() % 3 != 0) {
    throw InputError("Properties=" + properties + " is not made of name:type:columns");
  }
  header.species.reset();
  header.particles = ParticleColumns();
  std::optional<std::size_t> position;
  std::size_t column = 0;
  for (std::size_t k = 0; k < parts.size(); k += 3) {
    const std::string name = lower_case(parts[k]);
    const std::int64_t count = whole_field(parts[k + 2], "Properties");
    if (count < 1) {
      throw InputError("Properties: " + parts[k] + " has no column");
    }
    if (static_cast<std::uint64_t>(count) > longest_line - column) {
      throw InputError("Properties: " + parts[k] + " has " + parts[k + 2] +
                       " columns (no line is that long)");
    }
    if (name == "species" || (name == "type" && !header.species)) {
      header.species = column;
    } else if (name == "pos" && count == 3) {
      position = column;
    }
    if (const auto field = field_of(name); field && count == 1) {
      header.particles.of(*field) = column;
    } else if ((name == "mass" || name == "masses") && count == 1) {
      header.particles.mass = column;
    }
    column += static_cast<std::size_t>(count);
  }
  if (!position) {
    throw InputError("Properties=" + properties + " has no pos:R:3");
  }
  header.position = *position;
  header.columns = column;
  set_species(header);
}

void set_from_second_line(std::string_view line, XyzHeader& header) {
  const auto values = values_of(line);
  const auto value = [&](const char* key) {
    const auto found = values.find(key);
    return found == values.end() ? nullptr : &found->second;
  };
  if (const std::string* lattice = value("lattice")) {
    header.box = box_of(*lattice, value("pbc"));
  }
  if (const std::string* properties = value("properties")) {
    set_columns(*properties, header);
  }
  if (const std::string* time = value("time")) {
    header.time = real_field(*time, "Time");
  }
  if (const std::string* step = value("step")) {
    header.step = whole_field(*step, "Step");
  }
}

bool read_two_lines(TextFile& file, XyzHeader& header) {
  std::string_view line;
  std::string_view count;
  do {  // blank lines between frames
    if (!file.next(line)) {
      return false;
    }
    count = take_field(line);
  } while (count.empty());
  const std::int64_t atoms = whole_field(count, "number of atoms");
  if (atoms < 0) {
    throw InputError(std::to_string(atoms) + " atoms");
  }
  header.atoms = static_cast<std::uint64_t>(atoms);
  if (!file.next(line)) {
    return false;
  }
  set_from_second_line(line, header);
  return true;
}

}  // namespace

bool read_xyz_header(TextFile& file, XyzHeader& header) {
  header = XyzHeader();
  set_species(header);
  try {
    return read_two_lines(file, header);
  } catch (const InputError& error) {
    throw InputError(file.at_last_line(error.what()));
  }
}

}  // namespace starhist::io
