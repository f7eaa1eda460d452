#include "io/particles/structure.hh"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <optional>

#include "codelets/core/base/error.hh"
#include "io/particles/elements.hh"
#include "io/particles/particle_field.hh"

namespace starhist::io {
namespace {

/// Returns the index in the structure of each particle of the table. `ordered`:
/// particles without ids are in structure order.
std::vector<std::size_t> matches(const Structure& structure, const std::string& path,
                                 const ParticleTable& table, bool ordered) {
  const ParticleTable& told = structure.particles;
  if (table.id.empty() && !ordered) {
    throw InputError(path + ": has no ids, so its particles cannot be found in " +
                     structure.path + " (write it with the column id)");
  }
  std::vector<std::size_t> order(told.count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (told.id.empty() || table.id.empty()) {
    if (told.count != table.count) {
      throw InputError(
          path + ": has " + std::to_string(table.count) +
          " particles, but the structure " + structure.path + " has " +
          std::to_string(told.count) +
          " (give a structure with all particles of the trajectory; it may have more "
          "if both files have ids)");
    }
    return order;
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return told.id[a] < told.id[b]; });
  std::vector<std::size_t> found;
  found.reserve(table.count);
  for (const std::int64_t id : table.id) {
    const auto place =
        std::lower_bound(order.begin(), order.end(), id,
                         [&](std::size_t k, std::int64_t x) { return told.id[k] < x; });
    if (place == order.end() || told.id[*place] != id) {
      throw InputError(path + ": has a particle of id " + std::to_string(id) +
                       ", which is not in the structure " + structure.path +
                       " (give the structure of the same simulation)");
    }
    found.push_back(*place);
  }
  return found;
}

bool is_number_text(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// "particle 3", or "the particle of id 7".
std::string particle_text(const ParticleTable& table, std::size_t k) {
  return table.id.empty() ? "particle " + std::to_string(k + 1)
                          : "the particle of id " + std::to_string(table.id[k]);
}

void check_types(const Structure& structure, const std::string& path,
                 const ParticleTable& table, const std::vector<std::size_t>& from) {
  if (table.type.empty() || structure.particles.type.empty()) {
    return;
  }
  for (std::size_t k = 0; k < table.count; ++k) {
    const std::string& told = structure.particles.type[from[k]];
    // A label and a number may denote the same type.
    if (told != table.type[k] && is_number_text(told) &&
        is_number_text(table.type[k])) {
      throw InputError(path + ": " + particle_text(table, k) + " has type " +
                       table.type[k] + ", but in the structure " + structure.path +
                       " type " + told +
                       " (give the structure of the same simulation)");
    }
  }
}

[[noreturn]] void refuse_order(const std::string& problem) {
  throw InputError(problem +
                   ": file and structure have different atoms, or different orders of "
                   "them (sort the file by id when writing it, or give the structure "
                   "of the same atoms in the same order)");
}

/// Throws InputError if a particle has other elements in file and structure. One
/// element of all particles in the file is not compared: LAMMPS writes C unless
/// dump_modify names the elements.
void check_elements(const Structure& structure, const std::string& path,
                    const ParticleTable& table, const std::vector<std::size_t>& from) {
  const std::vector<std::string>& own = table.element;
  const std::vector<std::string>& told = structure.particles.element;
  const bool all_equal =
      std::adjacent_find(own.begin(), own.end(), std::not_equal_to<>()) == own.end();
  for (std::size_t k = 0; k < own.size() && !all_equal && !told.empty(); ++k) {
    const std::int64_t number = number_of_element(own[k]);
    const std::int64_t other = number_of_element(told[from[k]]);
    if (number > 0 && other > 0 && number != other) {
      refuse_order(path + ": " + particle_text(table, k) + " is " + own[k] + ", but " +
                   told[from[k]] + " in the structure " + structure.path);
    }
  }
}

template <class Value>
void add_column(const std::vector<Value>& told, const std::vector<std::size_t>& from,
                std::vector<Value>& column) {
  if (!column.empty() || told.empty()) {
    return;
  }
  column.reserve(from.size());
  for (const std::size_t k : from) {
    column.push_back(told[k]);
  }
}

void add_columns(const Structure& structure, const std::string& path, bool ordered,
                 ParticleTable& table) {
  const ParticleTable& told = structure.particles;
  const std::vector<std::size_t> from = matches(structure, path, table, ordered);
  check_types(structure, path, table, from);
  check_elements(structure, path, table, from);
  if (table.name.empty() && !told.name.empty()) {
    table.species.clear();
  }
  if (table.molecule.empty()) {
    table.molecule_zero_is_none = told.molecule_zero_is_none;
    table.molecule_divides_residues = told.molecule_divides_residues;
  }
  for (std::size_t k = 0; k < column_fields; ++k) {
    const ParticleField field = column_field(k);
    if (field == ParticleField::id || field == ParticleField::species) {
      continue;
    }
    if (is_number(field)) {
      add_column(number_column(told, field), from, number_column(table, field));
    } else {
      add_column(text_column(told, field), from, text_column(table, field));
    }
  }
  add_column(told.mass, from, table.mass);
  add_column(told.charge, from, table.charge);
  add_column(told.part, from, table.part);
  fill_species(table);
}

/// Whether labels stand for kinds of atoms that the structure's residues, names and
/// types determine: elements, or numbers of types, unless the structure has elements
/// for names and no types.
bool are_kinds(const std::vector<std::string>& labels, const ParticleTable& told) {
  const auto is_element = [](const std::string& text) {
    return number_of_element(text) > 0;
  };
  return std::all_of(labels.begin(), labels.end(), is_number_text)
             ? !told.type.empty() ||
                   std::none_of(told.name.begin(), told.name.end(), is_element)
             : std::all_of(labels.begin(), labels.end(), is_element);
}

/// Atomic numbers of the particles, by element or by names that are elements; empty if
/// an element is unknown.
std::vector<std::int64_t> elements_of(const ParticleTable& table) {
  std::vector<std::int64_t> numbers;
  for (const std::string& text : table.element.empty() ? table.name : table.element) {
    numbers.push_back(number_of_element(text));
    if (numbers.back() == 0) {
      return {};
    }
  }
  return numbers;
}

/// First particle with another value, if the file has the structure's values in another
/// order.
template <class Value>
std::optional<std::size_t> first_moved(std::vector<Value> own,
                                       std::vector<Value> told) {
  const auto place =
      std::mismatch(own.begin(), own.end(), told.begin(), told.end()).first -
      own.begin();
  if (place == std::ssize(own)) {
    return std::nullopt;
  }
  std::sort(own.begin(), own.end());
  std::sort(told.begin(), told.end());
  return own == told ? std::optional(static_cast<std::size_t>(place)) : std::nullopt;
}

/// Throws InputError if the labels of the file are the structure's `names` of its atoms
/// in another order.
void check_order(const Structure& structure, const std::string& path,
                 const std::vector<std::string>& labels,
                 const std::vector<std::string>& names) {
  if (const auto moved = first_moved(labels, names)) {
    refuse_order(path + ": names atom " + std::to_string(*moved + 1) + " '" +
                 labels[*moved] + "', which is " + names[*moved] +
                 " in the structure " + structure.path);
  }
}

/// Throws InputError if atoms that are the same in the structure, by name, type and
/// residue name, have different labels in the file: then their orders differ.
void check_kinds(const Structure& structure, const std::string& path,
                 const std::vector<std::string>& labels, const ParticleTable& table) {
  if (labels.empty() || structure.particles.name.empty()) {
    return;
  }
  check_order(structure, path, labels, table.name);
  if (!are_kinds(labels, structure.particles)) {
    return;
  }
  std::map<std::array<std::string, 3>, std::string> seen;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const auto of = [k](const std::vector<std::string>& column) {
      return column.empty() ? std::string() : column[k];
    };
    const auto [first, is_new] = seen.try_emplace(
        {of(table.residue_name), of(table.name), of(table.type)}, labels[k]);
    const auto differ = [](const std::string& a, const std::string& b) {
      const std::int64_t element = number_of_element(a);  // D and T are H
      return a != b && (element == 0 || element != number_of_element(b));
    };
    if (!is_new && differ(first->second, labels[k])) {
      refuse_order(path + ": names some of the atoms that are " + table.name[k] +
                   " in the structure " + structure.path + " '" + first->second +
                   "' and others '" + labels[k] + "'");
    }
  }
}

}  // namespace

void add_structure(const Structure& structure, const std::string& path,
                   ParticleTable& table) {
  add_columns(structure, path, false, table);
}

void name_by_structure(const Structure& structure, const std::string& path,
                       ParticleTable& table) {
  const std::vector<std::string> labels =
      table.name.empty() ? table.species : table.name;
  if (!structure.particles.name.empty()) {
    table.name.clear();
  }
  if (table.name.empty() && table.type.empty() && table.element.empty()) {
    table.species.clear();  // drop the default "all"; it is derived again
  }
  add_columns(structure, path, true, table);
  check_kinds(structure, path, labels, table);
}

void check_own_atoms(const Structure& structure, const std::string& path,
                     const ParticleTable& own) {
  const ParticleTable& told = structure.particles;
  if (own.count != told.count) {
    return;
  }
  std::vector<std::size_t> same_place(own.count);
  std::iota(same_place.begin(), same_place.end(), std::size_t{0});
  check_types(structure, path, own, same_place);
  check_kinds(structure, path, own.name.empty() ? own.type : own.name, told);
  // Programs guess elements for PDB: other elements than the structure's may be wrong,
  // the same ones in another order are not.
  if (const auto moved = first_moved(elements_of(own), elements_of(told))) {
    refuse_order(path + ": particle " + std::to_string(*moved + 1) +
                 " has another element than in the structure " + structure.path);
  }
}

}  // namespace starhist::io
