#include "io/formats/h5md/topology/molecule_type.hh"

#include <algorithm>
#include <cmath>
#include <functional>
#include <type_traits>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/particles/elements.hh"

namespace starhist::io {
namespace {

constexpr const char* structure_remedy =
    " (--structure FILE names the particles instead)";

[[noreturn]] void refuse(hid_t group, const std::string& column,
                         const std::string& problem) {
  throw InputError(hdf5_location(group, column) + ": " + problem + structure_remedy);
}

/// Reads a column of `count` values; 0: of any length.
template <class Number>
std::vector<Number> read_column(hid_t group, const std::string& name,
                                std::size_t count) {
  if (!hdf5_exists(group, name)) {
    refuse(group, name, "is missing in the topology of GROMACS");
  }
  const Hdf5Object dataset = open_hdf5_dataset(group, name);
  std::vector<Number> values;
  if constexpr (std::is_integral_v<Number>) {
    values = read_hdf5_whole_numbers(dataset.get());
  } else {
    values = read_hdf5_numbers<Number>(dataset.get());
  }
  if (values.empty() || (count > 0 && values.size() != count)) {
    refuse(group, name,
           "has " + std::to_string(values.size()) + " values for " +
               std::to_string(count) + " atoms");
  }
  return values;
}

/// Reads text stored as indices into a table: columns NAME and NAME_table.
std::vector<std::string> read_words(hid_t group, const std::string& name,
                                    std::size_t count) {
  const auto index = read_column<std::int64_t>(group, name, count);
  const std::string table_name = name + "_table";
  if (!hdf5_exists(group, table_name)) {
    refuse(group, table_name, "is missing in the topology of GROMACS");
  }
  const auto table = read_hdf5_strings(open_hdf5_dataset(group, table_name).get());
  std::vector<std::string> words;
  words.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    if (index[k] < 0 || static_cast<std::size_t>(index[k]) >= table.size()) {
      refuse(group, name,
             "atom " + std::to_string(k + 1) + " has entry " +
                 std::to_string(index[k]) + " of a table of " +
                 std::to_string(table.size()));
    }
    words.push_back(table[static_cast<std::size_t>(index[k])]);
    if (words.back().empty()) {
      refuse(group, table_name, "entry " + std::to_string(index[k]) + " is empty");
    }
  }
  return words;
}

/// Returns symbols by atomic numbers. Force fields assign 0 or less to beads, whose
/// element is unknown, and to sites without an atom, which also have no mass.
std::vector<std::string> read_elements(hid_t group, const std::vector<double>& mass) {
  std::vector<std::string> elements;
  const auto numbers = read_column<std::int64_t>(group, "species", mass.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (numbers[k] <= 0) {
      elements.emplace_back(mass[k] == 0.0 ? "DUMMY" : "");
      continue;
    }
    elements.push_back(element_of_number(numbers[k]));
    if (elements.back().empty()) {
      refuse(group, "species", std::to_string(numbers[k]) + " is not an atomic number");
    }
  }
  return elements;
}

void check_finite(hid_t group, const std::string& name,
                  const std::vector<double>& values, double least) {
  for (const double value : values) {
    if (!std::isfinite(value) || value < least) {
      refuse(group, name, number_text(value) + " is not a valid " + name);
    }
  }
}

}  // namespace

bool MoleculeType::single_residue() const {
  const auto equal = [](const auto& column) {
    return std::adjacent_find(column.begin(), column.end(), std::not_equal_to<>()) ==
           column.end();
  };
  return equal(residue) && equal(residue_name);
}

MoleculeType read_molecule_type(hid_t group) {
  MoleculeType type;
  type.place = hdf5_location(group);
  const auto id = read_column<std::int64_t>(group, "id", 0);
  const std::size_t count = id.size();
  for (std::size_t k = 0; k < count; ++k) {
    if (id[k] != static_cast<std::int64_t>(k + 1)) {
      refuse(group, "id",
             "atom " + std::to_string(k + 1) + " has the id " + std::to_string(id[k]) +
                 ", but ids are 1, 2, ...");
    }
  }
  if (hdf5_has_attribute(group, "particle_count")) {
    const auto told = read_hdf5_numbers<std::int64_t>(group, "particle_count");
    if (told.size() != 1 || told.front() != static_cast<std::int64_t>(count)) {
      refuse(group, "particle_count",
             "is not the number of atoms, " + std::to_string(count));
    }
  }
  type.name = read_words(group, "particle_name", count);
  type.residue_name = read_words(group, "residue_name", count);
  type.residue = read_column<std::int64_t>(group, "residue_id", count);
  for (const std::int64_t residue : type.residue) {
    if (residue != static_cast<std::int32_t>(residue)) {
      refuse(group, "residue_id", std::to_string(residue) + " is beyond 32 bits");
    }
  }
  type.mass = read_column<double>(group, "mass", count);
  check_finite(group, "mass", type.mass, 0.0);
  type.element = read_elements(group, type.mass);
  type.charge = read_column<double>(group, "charge", count);
  check_finite(group, "charge", type.charge, -1e300);
  return type;
}

}  // namespace starhist::io
