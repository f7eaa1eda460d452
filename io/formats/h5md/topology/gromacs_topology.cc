#include "io/formats/h5md/topology/gromacs_topology.hh"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "io/hdf5/hdf5_object.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/particles/elements.hh"

namespace starhist::io {
namespace {

/// Atoms of a molecule type in the columns of GROMACS' H5MD, one entry per atom.
struct MoleculeType {
  std::string place;  ///< for messages
  std::vector<std::string> name;
  /// "DUMMY" for sites without an atom; "" if the element is unknown.
  std::vector<std::string> element;
  std::vector<std::string> residue_name;
  std::vector<std::int64_t> residue;  ///< residue_id of the file
  std::vector<double> mass;           ///< [u]
  std::vector<double> charge;         ///< [e]

  std::size_t count() const { return name.size(); }

  /// Whether all atoms belong to one residue.
  bool single_residue() const {
    const auto equal = [](const auto& column) {
      return std::adjacent_find(column.begin(), column.end(), std::not_equal_to<>()) ==
             column.end();
    };
    return equal(residue) && equal(residue_name);
  }
};

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

/// Reads the columns of a group. Throws InputError when a column is missing, differs in
/// length from the others, or contains impossible values.
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

constexpr const char* module = "/h5md/modules/gromacs_topology";
constexpr const char* remedy = " (--structure FILE names the particles instead)";

/// Consecutive molecules of one type.
struct Block {
  const MoleculeType* type;
  std::uint64_t molecules;
};

/// All molecules of a system, in the order of the positions.
struct System {
  std::map<std::string, MoleculeType> types;  ///< by name
  std::vector<Block> blocks;
  std::uint64_t particles = 0;
};

void check_version(hid_t topology) {
  const std::vector<std::int64_t> known{0, 1};
  std::vector<std::int64_t> version;
  if (hdf5_has_attribute(topology, "version")) {
    version = read_hdf5_numbers<std::int64_t>(topology, "version");
  }
  if (version != known) {
    std::vector<std::string> numbers;
    for (const std::int64_t number : version) {
      numbers.push_back(std::to_string(number));
    }
    throw InputError(hdf5_location(topology, "version") + ": is " +
                     (numbers.empty() ? "missing" : join(numbers, ".")) +
                     ", but starhist reads version 0.1, of GROMACS 2026" + remedy);
  }
}

std::vector<std::string> block_names(hid_t topology) {
  for (const char* attribute : {"molecule_block_names", "molecule_block_counts"}) {
    if (!hdf5_has_attribute(topology, attribute)) {
      throw InputError(
          hdf5_location(topology, attribute) +
          ": is missing (was the file written by a beta of GROMACS 2026?)" + remedy);
    }
  }
  return read_hdf5_strings(topology, "molecule_block_names");
}

System read_system(hid_t topology) {
  check_version(topology);
  const std::vector<std::string> names = block_names(topology);
  const auto counts =
      read_hdf5_numbers<std::int64_t>(topology, "molecule_block_counts");
  if (names.size() != counts.size()) {
    throw InputError(hdf5_location(topology, "molecule_block_counts") + ": has " +
                     std::to_string(counts.size()) + " values for " +
                     std::to_string(names.size()) + " blocks of molecules" + remedy);
  }
  System system;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (counts[k] < 0 || counts[k] > std::numeric_limits<std::int32_t>::max()) {
      throw InputError(hdf5_location(topology, "molecule_block_counts") + ": " +
                       std::to_string(counts[k]) + " is not a number of molecules" +
                       remedy);
    }
    if (!system.types.contains(names[k])) {
      if (!hdf5_is_group(topology, names[k])) {
        throw InputError(hdf5_location(topology) + ": has no molecule type \"" +
                         names[k] + "\", of which it lists molecules" + remedy);
      }
      system.types.emplace(
          names[k], read_molecule_type(open_hdf5_group(topology, names[k]).get()));
    }
    const auto molecules = static_cast<std::uint64_t>(counts[k]);
    system.blocks.push_back({&system.types.at(names[k]), molecules});
    // The number of molecules is below 2^31, each with at most 2^31 atoms; many blocks
    // could still overflow.
    system.particles = std::min<std::uint64_t>(
        system.particles + molecules * system.blocks.back().type->count(),
        std::uint64_t{1} << 62U);
  }
  return system;
}

/// State for deriving residue numbers from residue_id.
struct ResidueNumbers {
  std::int64_t too_large = 0;    ///< excess of residue_id
  std::int64_t next_single = 1;  ///< number of the next single-residue molecule
  bool corrected() const { return too_large != 0; }
};

ResidueNumbers residue_numbers(const System& system) {
  ResidueNumbers numbers;
  bool any_single = false;
  bool all_two = true;
  std::int64_t largest = 0;
  for (const auto& [name, type] : system.types) {
    if (type.single_residue()) {
      any_single = true;
      all_two = all_two && type.residue.front() == 2;
    } else {
      largest = std::max(largest,
                         *std::max_element(type.residue.begin(), type.residue.end()));
    }
  }
  numbers.too_large = any_single && all_two ? 1 : 0;
  numbers.next_single = std::max<std::int64_t>(largest - numbers.too_large, 0) + 1;
  return numbers;
}

template <class Value>
void append(const std::vector<Value>& values, std::vector<Value>& column) {
  column.insert(column.end(), values.begin(), values.end());
}

ParticleTable table_of(const System& system, ResidueNumbers numbers) {
  ParticleTable table;
  table.count = system.particles;
  std::int64_t molecule = 0;
  for (const Block& block : system.blocks) {
    const MoleculeType& type = *block.type;
    const bool single = type.single_residue();
    for (std::uint64_t k = 0; k < block.molecules; ++k) {
      append(type.name, table.name);
      append(type.element, table.element);
      append(type.residue_name, table.residue_name);
      append(type.mass, table.mass);
      append(type.charge, table.charge);
      table.molecule.insert(table.molecule.end(), type.count(), molecule++);
      if (single) {
        table.residue.insert(table.residue.end(), type.count(), numbers.next_single++);
        continue;
      }
      for (const std::int64_t residue : type.residue) {
        table.residue.push_back(residue - numbers.too_large);
      }
    }
  }
  return table;
}

/// Returns the number of bonds. Throws InputError for bonds of atoms that do not exist.
std::uint64_t check_bonds(hid_t file, std::uint64_t particle_count) {
  const std::string path = "/connectivity/bonds";
  if (!hdf5_exists(file, path)) {
    return 0;
  }
  const Hdf5Object dataset = open_hdf5_dataset(file, path);
  const std::vector<hsize_t> shape = hdf5_shape(dataset.get());
  if (shape.size() != 2 || shape[1] != 2) {
    throw InputError(hdf5_location(dataset.get()) +
                     ": has no column of two atoms per bond" + remedy);
  }
  const auto atoms = read_hdf5_whole_numbers(dataset.get());
  for (std::size_t k = 0; k < atoms.size(); ++k) {
    if (atoms[k] < 0 || static_cast<std::uint64_t>(atoms[k]) >= particle_count ||
        (k % 2 == 1 && atoms[k] == atoms[k - 1])) {
      throw InputError(
          hdf5_location(dataset.get()) + ": bond " + std::to_string(k / 2) +
          " is of atom " + std::to_string(atoms[k]) +
          (k % 2 == 1 && atoms[k] == atoms[k - 1]
               ? " with itself"
               : ", but atoms are 0 .. " + std::to_string(particle_count - 1)) +
          remedy);
    }
  }
  return shape[0];
}

/// Describes the molecules: "216 SOL, 1 Protein".
std::string molecules_text(const System& system) {
  std::vector<std::string> parts;
  for (const auto& [name, type] : system.types) {
    std::uint64_t molecules = 0;
    for (const Block& block : system.blocks) {
      molecules += block.type == &type ? block.molecules : 0;
    }
    parts.push_back(std::to_string(molecules) + " " + name);
  }
  return listed(parts);
}

void check_count(const std::string& place, std::uint64_t told, std::uint64_t count) {
  if (told != count) {
    throw InputError(place + ": the topology has " + std::to_string(told) +
                     " particles, but there are positions of " + std::to_string(count) +
                     " (do they belong to a selection?)" + remedy);
  }
}

/// Reads the columns in the particle group itself, which do not define molecules.
SharedStructure flat_topology(hid_t group, const std::string& path,
                              std::uint64_t particle_count) {
  const MoleculeType all = read_molecule_type(group);
  check_count(all.place, all.count(), particle_count);
  auto structure = std::make_shared<Structure>();
  structure->path = path;
  ParticleTable& table = structure->particles;
  table.count = all.count();
  table.name = all.name;
  table.element = all.element;
  table.residue_name = all.residue_name;
  table.residue = all.residue;
  table.mass = all.mass;
  table.charge = all.charge;
  structure->from.names = "particle_name of the particle group";
  structure->from.elements = "atomic numbers of the particle group";
  structure->from.residues = "residue_id and residue_name of the particle group";
  return structure;
}

}  // namespace

SharedStructure read_gromacs_topology(hid_t particle_group, const std::string& path,
                                      std::uint64_t particle_count) {
  if (hdf5_exists(particle_group, "particle_name_table")) {
    return flat_topology(particle_group, path, particle_count);
  }
  if (!hdf5_is_group(particle_group, module)) {
    return nullptr;
  }
  const Hdf5Object topology = open_hdf5_group(particle_group, module);
  const System system = read_system(topology.get());
  check_count(hdf5_location(topology.get()), system.particles, particle_count);
  const std::uint64_t bonds = check_bonds(particle_group, particle_count);
  const ResidueNumbers numbers = residue_numbers(system);
  auto structure = std::make_shared<Structure>();
  structure->path = path;
  structure->particles = table_of(system, numbers);
  structure->from.names = "GROMACS topology in the file (" + molecules_text(system) +
                          "; " + std::to_string(bonds) + " bonds)";
  structure->from.elements = "atomic numbers of the GROMACS topology";
  structure->from.residues =
      std::string("molecule and residue_id of the GROMACS topology") +
      (numbers.corrected() ? ", less 1 as mdrun 2026 writes it" : "");
  return structure;
}

}  // namespace starhist::io
